/** Renders the content of cells in tables and cards: blocks or a value. */
import type { Node } from "@lectern/document/Document"
import { isRef } from "@lectern/document/DocumentRefs"
import * as TableContent from "@lectern/document/table/TableContent"
import { each, empty, type Html, html } from "../html/Html.ts"
import { renderInlines } from "./Inlines.ts"
import { renderNotes } from "./Annotations.ts"
import { renderLink } from "./Links.ts"
import { blocksOf } from "./Nodes.ts"
import { renderImage } from "./ImageElements.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

const maxStars = 20

export const renderColumnTitle = (
  table: TableContent.Table,
  column: TableContent.Column,
  renderer: BlockRenderer
): Html => {
  const { title, titleFragment } = TableContent.describeColumn(table, column)
  const nodes = nodesOf(titleFragment)
  return nodes === undefined
    ? html`${typeof title === "string" ? title : ""}`
    : each(blocksOf(nodes), (node) => renderInlines(node.nodes ?? [], renderer))
}

export const renderCell = (
  table: TableContent.Table,
  row: TableContent.Row,
  { id, definition }: TableContent.Column,
  renderer: BlockRenderer
): Html => {
  const value = TableContent.cellContent(table, row, id)
  const nodes = nodesOf(value)
  if (nodes === undefined) return renderValue(value, definition, renderer)
  const [firstBlock, ...otherBlocks] = blocksOf(nodes)
  return firstBlock?.type === "paragraph" && otherBlocks.length === 0 && firstBlock.data?.["align"] === undefined
    ? html`${renderInlines(firstBlock.nodes ?? [], renderer)}${renderNotes(firstBlock.nodes, renderer)}`
    : renderer.blocks(nodes)
}

const nodesOf = (value: unknown): ReadonlyArray<Node> | undefined =>
  typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes)
    ? (value.nodes as ReadonlyArray<Node>)
    : undefined

const renderValue = (value: unknown, definition: TableContent.Properties, renderer: BlockRenderer): Html => {
  if (value === undefined || value === null || value === "") return empty
  if (typeof value === "boolean") {
    const { done, open } = renderer.messages
    return html`<span role="img" aria-label="${value ? done : open}">${value ? "✓" : "–"}</span>`
  }
  if (typeof value === "number" && definition["type"] === "rating") {
    const max = typeof definition["max"] === "number" ? definition["max"] : 5
    const stars = Math.max(0, Math.min(Math.round(value), maxStars))
    return html`<span class="rating" role="img" aria-label="${value}/${max}">${"★".repeat(stars)}</span>`
  }
  if (isRef(value)) return renderReference(value, renderer)
  if (Array.isArray(value)) {
    const items = each(value, (item: unknown) => {
      const content = renderValue(item, definition, renderer)
      return !content.isEmpty && html`<span>${content}</span>`
    })
    return html`<span class="values">${items}</span>`
  }
  if (typeof value === "object")
    return "ref" in value && isRef(value.ref) ? renderReference(value.ref, renderer) : empty
  const name = String(value)
  if (definition["type"] === "files" || definition["type"] === "image") {
    return renderReference({ kind: "file", file: name }, renderer)
  }
  if (definition["type"] === "users") return renderReference({ kind: "user", user: name }, renderer)
  const label = TableContent.optionLabel(definition, name)
  return definition["type"] === "select" ? html`<span class="tag">${label}</span>` : html`${label}`
}

const renderReference = (ref: Parameters<BlockRenderer["targetOf"]>[0], renderer: BlockRenderer): Html => {
  const target = renderer.targetOf(ref)
  if (target?.file?.contentType.startsWith("image/") === true) {
    return renderImage({ ref }, renderer, { alt: target.title }) ?? empty
  }
  return target === undefined ? empty : renderLink(target, html`${target.title}`, renderer)
}
