/**
 * Renders blocks as HTML. Each block type has a renderer here; a type without one does not compile. Blocks that occur
 * only in one type of block are rendered by that type, or as their content.
 */
import { type BlockType, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { Node } from "@lectern/document/Document"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { apiPart } from "./ApiBlocks.ts"
import { code } from "./Code.ts"
import * as Direction from "./Direction.ts"
import { embed } from "./Embeds.ts"
import * as Elements from "./Elements.ts"
import * as Footnotes from "./Footnotes.ts"
import { heading } from "./Headings.ts"
import { drawing, image, images } from "./Images.ts"
import { list } from "./Lists.ts"
import { blocksOf, textOf } from "./Nodes.ts"
import { columns, condition, expandable, hint, prompt, stepper, tabs, update, updates } from "./ContainerBlocks.ts"
import { contentRef, file, integration } from "./References.ts"
import type { Parts, RenderBlock, Rendering } from "./BlockRenderer.ts"
import { table } from "./Tables.ts"
import { inlines } from "./Inlines.ts"
import { notesOf } from "./Annotations.ts"

/** Returns the renderer of a page's blocks. `footnotes`: footnotes of the page. Default: none. */
export const rendering = (parts: Parts, footnotes: Footnotes.Footnotes = Footnotes.none): Rendering => {
  const whole: Rendering = {
    ...parts,
    footnotes,
    blocks: (nodes) => each(blocksOf(nodes), (node) => () => block(node, whole))
  }
  return whole
}

/**
 * Renders a complete page: its blocks, then its footnotes. `definitions`: footnote definitions of the page that
 * contains the blocks. Default: none.
 */
export const page = (parts: Parts, nodes: ReadonlyArray<Node>, definitions?: Footnotes.Definitions): Html => {
  const whole = rendering(parts, Footnotes.of(nodes, definitions))
  return html`${whole.blocks(nodes)}${Footnotes.list(whole)}`
}

const block: RenderBlock = (node, rendering) =>
  isBlockType(node.type)
    ? (rendering.theme[node.type] ?? renderers[node.type])(node, rendering)
    : within(node, rendering)

/** Renders the content of a block, wrapped only in the HTML element that the block names. */
const within: RenderBlock = (node, rendering) => {
  const { nodes = [], fragments = [] } = node
  const own = nodes.filter(({ object }) => object !== "block")
  const text = own.length > 0 && html`<p>${inlines(own, rendering)}</p>`
  const content = html`${text}${rendering.blocks(nodes)}${each(fragments, (one) => rendering.blocks(one.nodes))}`
  return Elements.isElement(node) ? Elements.blockElement(node, content) : content
}

const paragraph: RenderBlock = ({ nodes = [], data }, rendering) => {
  const content = inlines(nodes, rendering)
  if (content.isEmpty) return empty
  const align = data?.["align"]
  const look = align === "center" || align === "end" ? `align-${align}` : undefined
  return html`<p${attributes({ class: look, dir: Direction.of(nodes, rendering.words) })}>${content}</p>${notesOf(nodes, rendering)}`
}

const math: RenderBlock = ({ data }, { formula }) => {
  const tex = textOf(data?.["formula"])
  return html`<div class="math" tabindex="0">${formula(tex, true) ?? html`<code>${tex}</code>`}</div>`
}

const renderers: { readonly [_ in BlockType]: RenderBlock } = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list,
  "list-unordered": list,
  "list-tasks": list,
  "list-item": within,
  blockquote: ({ nodes = [] }, rendering) =>
    html`<blockquote${attributes({ dir: Direction.of(nodes, rendering.words) })}>${rendering.blocks(nodes)}</blockquote>`,
  divider: () => html`<hr>`,
  hint,
  tabs,
  "tabs-item": within,
  stepper,
  "stepper-step": within,
  columns,
  column: within,
  updates,
  update,
  expandable,
  prompt,
  if: condition,
  "reusable-content": within,
  code,
  "code-line": within,
  math,
  images,
  image,
  drawing,
  embed,
  file,
  "content-ref": contentRef,
  swagger: apiPart,
  "openapi-operation": apiPart,
  "openapi-schemas": apiPart,
  "openapi-webhook": apiPart,
  integration,
  table,
  // Visitors receive HTML as other blocks (see `HtmlNodes`), and invalid Markdown as code (see `VisitorDocument`).
  html: () => empty,
  verbatim: ({ data }) => html`<pre class="verbatim" tabindex="0"><code>${textOf(data?.["markdown"])}</code></pre>`,
  definition: () => empty,
  // The list at the end of the page displays footnote definitions (see `Footnotes`).
  "footnote-definition": () => empty
}
