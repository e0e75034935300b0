/**
 * Notes of annotated text. The text is a button that opens the note, without a script. The note is a popover after the
 * paragraph, since a paragraph cannot contain blocks.
 */
import type { Inline, Node } from "@lectern/document/Document"
import { each, empty, type Html, html } from "../html/Html.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

/** Returns the id of a note. Equal text with an equal note has the same id on each page. */
export const noteId = (node: Inline): string => {
  const serialized = JSON.stringify([node.nodes, node.fragments])
  let hash = 0x811c9dc5
  for (let i = 0; i < serialized.length; i++) hash = Math.imul(hash ^ serialized.charCodeAt(i), 0x01000193)
  return `note-${(hash >>> 0).toString(36)}`
}

/** Renders the notes of nodes, to be placed after the element that contains the nodes. */
export const renderNotes = (nodes: ReadonlyArray<Node> | undefined, renderer: BlockRenderer): Html => {
  if (nodes === undefined || !nodes.some(({ object }) => object === "inline")) return empty
  return each(nodes, (node) => {
    if (node.object !== "inline") return undefined
    if (node.type !== "annotation") return renderNotes(node.nodes, renderer)
    const content = renderer.blocks((node.fragments ?? []).flatMap((fragment) => fragment.nodes))
    return html`<div class="note" id="${noteId(node)}" popover role="note">${content}</div>`
  })
}
