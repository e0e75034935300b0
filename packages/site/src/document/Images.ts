/** Renders block images, with a caption. */
import type { Block } from "@lectern/document/Document"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { renderInlines } from "./Inlines.ts"
import { blocksOf, fragmentOf, refOf, textOf, widthClass } from "./Nodes.ts"
import { renderNotes } from "./Annotations.ts"
import { renderImage } from "./ImageElements.ts"
import type { RenderBlock, BlockRenderer } from "./BlockRenderer.ts"

export const images: RenderBlock = ({ data, nodes }, renderer) => {
  const align = data?.["align"]
  const classNames = [
    "images",
    (align === "left" || align === "right") && `align-${align}`,
    data?.["fullWidth"] === true && "wide",
    data?.["withFrame"] === true && "framed"
  ]
  return html`<div class="${classNames.filter(Boolean).join(" ")}">${each(blocksOf(nodes), (node) => image(node, renderer))}</div>`
}

export const image: RenderBlock = (node, renderer) => {
  const { data } = node
  const caption = renderCaption(node, renderer)
  const alt = textOf(data?.["alt"])
  const imageHtml =
    renderImage(data ?? {}, renderer, { alt, isZoomable: true }) ??
    (alt !== "" && html`<span class="missing">${alt}</span>`)
  if (imageHtml === false && caption === undefined) return empty
  return html`<figure${attributes({ class: widthClass(data?.["width"]) })}>${imageHtml}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

export const drawing: RenderBlock = ({ data }, renderer) => {
  const alt = textOf(data?.["alt"])
  return refOf(data) === undefined && alt === ""
    ? empty
    : html`<figure>${renderImage(data ?? {}, renderer, { alt, isZoomable: true })}</figure>`
}

export const renderCaption = (node: Block, renderer: BlockRenderer): Html | undefined => {
  const captionBlocks = fragmentOf(node, "caption")
  const captionText = textOf(node.data?.["caption"])
  if (captionBlocks.length === 0) return captionText === "" ? undefined : html`${captionText}`
  const [firstBlock, ...otherBlocks] = captionBlocks
  return otherBlocks.length === 0 && firstBlock!.type === "paragraph"
    ? html`${renderInlines(firstBlock!.nodes ?? [], renderer)}${renderNotes(firstBlock!.nodes, renderer)}`
    : renderer.blocks(captionBlocks)
}
