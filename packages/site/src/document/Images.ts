/** Renders block images, with a caption. */
import type { Block } from "@lectern/document/Document"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { inlines } from "./Inlines.ts"
import { blocksOf, fragmentOf, refOf, textOf, twelfthsOf } from "./Nodes.ts"
import { notesOf } from "./Annotations.ts"
import { pictureOf } from "./ImageElements.ts"
import type { RenderBlock, Rendering } from "./BlockRenderer.ts"

export const images: RenderBlock = ({ data, nodes }, rendering) => {
  const align = data?.["align"]
  const look = [
    "images",
    (align === "left" || align === "right") && `align-${align}`,
    data?.["fullWidth"] === true && "wide",
    data?.["withFrame"] === true && "framed"
  ]
  return html`<div class="${look.filter(Boolean).join(" ")}">${each(blocksOf(nodes), (node) => image(node, rendering))}</div>`
}

export const image: RenderBlock = (node, rendering) => {
  const { data } = node
  const caption = captionOf(node, rendering)
  const alt = textOf(data?.["alt"])
  const picture =
    pictureOf(data ?? {}, rendering, { alt, zooms: true }) ?? (alt !== "" && html`<span class="missing">${alt}</span>`)
  if (picture === false && caption === undefined) return empty
  return html`<figure${attributes({ class: twelfthsOf(data?.["width"]) })}>${picture}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

export const drawing: RenderBlock = ({ data }, rendering) => {
  const alt = textOf(data?.["alt"])
  return refOf(data) === undefined && alt === ""
    ? empty
    : html`<figure>${pictureOf(data ?? {}, rendering, { alt, zooms: true })}</figure>`
}

export const captionOf = (node: Block, rendering: Rendering): Html | undefined => {
  const written = fragmentOf(node, "caption")
  const said = textOf(node.data?.["caption"])
  if (written.length === 0) return said === "" ? undefined : html`${said}`
  const [only, ...more] = written
  return more.length === 0 && only!.type === "paragraph"
    ? html`${inlines(only!.nodes ?? [], rendering)}${notesOf(only!.nodes, rendering)}`
    : rendering.blocks(written)
}
