/** Renders a part of an API from its specification. Without the specification, shows only the method and the path. */
import { attributes, html } from "../html/Html.ts"
import { textOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

export const apiBlock: RenderBlock = (node, renderer) => {
  const id = node.meta?.id
  return id === undefined
    ? renderApi(node, renderer)
    : html`<span${attributes({ id })}></span>${renderApi(node, renderer)}`
}

const renderApi: RenderBlock = (node, renderer) => {
  const rendered = renderer.api(node, renderer)
  if (rendered !== undefined) return rendered
  const { data } = node
  const method = textOf(data?.["method"]).toUpperCase()
  const path = textOf(data?.["path"]) || textOf(data?.["name"])
  const schemas = Array.isArray(data?.["schemas"]) ? data["schemas"].filter((name) => typeof name === "string") : []
  const name = path || schemas.join(", ")
  return html`<div class="api-part">${method !== "" && html`<span class="method">${method}</span>`}<code>${name}</code></div>`
}
