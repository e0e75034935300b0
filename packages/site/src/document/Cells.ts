/** Renders the content of cells in tables and cards: blocks or a value. */
import type { Node } from "@lectern/document/Document"
import { isRef } from "@lectern/document/DocumentRefs"
import * as TableContent from "@lectern/document/table/TableContent"
import { each, empty, type Html, html } from "../html/Html.ts"
import { inlines } from "./Inlines.ts"
import { notesOf } from "./Annotations.ts"
import { linkTo } from "./Links.ts"
import { blocksOf } from "./Nodes.ts"
import { pictureOf } from "./ImageElements.ts"
import type { Rendering } from "./BlockRenderer.ts"

const mostStars = 20

export const titleOf = (table: TableContent.Table, column: TableContent.Column, rendering: Rendering): Html => {
  const { title, titleFragment } = TableContent.describeColumn(table, column)
  const nodes = nodesOf(titleFragment)
  return nodes === undefined
    ? html`${typeof title === "string" ? title : ""}`
    : each(blocksOf(nodes), (node) => inlines(node.nodes ?? [], rendering))
}

export const cellOf = (
  table: TableContent.Table,
  row: TableContent.Row,
  { id, definition }: TableContent.Column,
  rendering: Rendering
): Html => {
  const value = TableContent.cell(table, row, id)
  const nodes = nodesOf(value)
  if (nodes === undefined) return valueOf(value, definition, rendering)
  const [only, ...more] = blocksOf(nodes)
  return only?.type === "paragraph" && more.length === 0 && only.data?.["align"] === undefined
    ? html`${inlines(only.nodes ?? [], rendering)}${notesOf(only.nodes, rendering)}`
    : rendering.blocks(nodes)
}

const nodesOf = (value: unknown): ReadonlyArray<Node> | undefined =>
  typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes)
    ? (value.nodes as ReadonlyArray<Node>)
    : undefined

const valueOf = (value: unknown, definition: TableContent.Properties, rendering: Rendering): Html => {
  if (value === undefined || value === null || value === "") return empty
  if (typeof value === "boolean") {
    const { done, open } = rendering.words
    return html`<span role="img" aria-label="${value ? done : open}">${value ? "✓" : "–"}</span>`
  }
  if (typeof value === "number" && definition["type"] === "rating") {
    const most = typeof definition["max"] === "number" ? definition["max"] : 5
    const stars = Math.max(0, Math.min(Math.round(value), mostStars))
    return html`<span class="rating" role="img" aria-label="${value}/${most}">${"★".repeat(stars)}</span>`
  }
  if (isRef(value)) return reference(value, rendering)
  if (Array.isArray(value)) {
    const items = each(value, (item: unknown) => {
      const shown = valueOf(item, definition, rendering)
      return !shown.isEmpty && html`<span>${shown}</span>`
    })
    return html`<span class="values">${items}</span>`
  }
  if (typeof value === "object") return "ref" in value && isRef(value.ref) ? reference(value.ref, rendering) : empty
  const name = String(value)
  if (definition["type"] === "files" || definition["type"] === "image") {
    return reference({ kind: "file", file: name }, rendering)
  }
  if (definition["type"] === "users") return reference({ kind: "user", user: name }, rendering)
  const label = TableContent.optionLabel(definition, name)
  return definition["type"] === "select" ? html`<span class="tag">${label}</span>` : html`${label}`
}

const reference = (ref: Parameters<Rendering["targetOf"]>[0], rendering: Rendering): Html => {
  const target = rendering.targetOf(ref)
  if (target?.file?.contentType.startsWith("image/") === true) {
    return pictureOf({ ref }, rendering, { alt: target.title }) ?? empty
  }
  return target === undefined ? empty : linkTo(target, html`${target.title}`, rendering)
}
