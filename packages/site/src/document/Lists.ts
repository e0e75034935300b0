/** Renders ordered lists, unordered lists and task lists. */
import type { Block } from "@lectern/document/Document"
import { attributes, each, type Html, html, trusted } from "../html/Html.ts"
import * as Direction from "./Direction.ts"
import { renderInlines } from "./Inlines.ts"
import { renderNotes } from "./Annotations.ts"
import { blocksOf } from "./Nodes.ts"
import type { RenderBlock, BlockRenderer } from "./BlockRenderer.ts"

export const list: RenderBlock = (node, renderer) => {
  const { type, data, nodes } = node
  const name = trusted(type === "list-ordered" ? "ol" : "ul")
  const start = type === "list-ordered" && Number.isSafeInteger(data?.["start"]) ? (data!["start"] as number) : 1
  const isLoose = data?.["loose"] === true
  const items = each(blocksOf(nodes), (item) => renderItem(item, isLoose, renderer))
  const listAttributes = attributes({
    class: type === "list-tasks" ? "tasks" : undefined,
    start: start === 1 ? undefined : start,
    dir: Direction.directionOf(nodes, renderer.messages)
  })
  return html`<${name}${listAttributes}>${items}</${name}>`
}

/** Renders an item. The first paragraph of an item in a tight list has no `p` element, and so no space around it. */
const renderItem = (item: Block, isLoose: boolean, renderer: BlockRenderer): Html => {
  const [firstBlock, ...otherBlocks] = blocksOf(item.nodes)
  const isTight = !isLoose && item.data?.["loose"] !== true && firstBlock?.type === "paragraph"
  const content = isTight
    ? html`${renderInlines(firstBlock.nodes ?? [], renderer)}${renderNotes(firstBlock.nodes, renderer)}${renderer.blocks(otherBlocks)}`
    : renderer.blocks(item.nodes ?? [])
  const { checked } = item.data ?? {}
  if (typeof checked !== "boolean") return html`<li>${content}</li>`
  const { done, open } = renderer.messages
  return html`<li><input type="checkbox" disabled${attributes({ checked, "aria-label": checked ? done : open })}><div>${content}</div></li>`
}
