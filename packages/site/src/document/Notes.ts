/**
 * Notes of annotated words. The words are a button that opens its note, without a script; the note is a popover
 * behind the paragraph, since no block may stand in one.
 */
import type { Inline, Node } from "@lectern/document/Document"
import { each, empty, type Html, html } from "../html/Html.ts"
import type { Rendering } from "./Rendering.ts"

/** The same words with the same note have the same id, whatever page they stand on. */
export const idOfNote = (node: Inline): string => {
  const said = JSON.stringify([node.nodes, node.fragments])
  let hash = 0x811c9dc5
  for (let i = 0; i < said.length; i++) hash = Math.imul(hash ^ said.charCodeAt(i), 0x01000193)
  return `note-${(hash >>> 0).toString(36)}`
}

/** The notes of a text, to stand behind what holds it. */
export const notesOf = (nodes: ReadonlyArray<Node> | undefined, rendering: Rendering): Html => {
  if (nodes === undefined || !nodes.some(({ object }) => object === "inline")) return empty
  return each(nodes, (node) => {
    if (node.object !== "inline") return undefined
    if (node.type !== "annotation") return notesOf(node.nodes, rendering)
    const content = rendering.blocks((node.fragments ?? []).flatMap((fragment) => fragment.nodes))
    return html`<div class="note" id="${idOfNote(node)}" popover role="note">${content}</div>`
  })
}
