/**
 * Renders blocks as HTML. Each block type has a renderer here; a type without one does not compile. Blocks that occur
 * only in one type of block are rendered by that type, or as their content.
 */
import { type BlockType, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { Node } from "@lectern/document/Document"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { apiBlock } from "./ApiBlocks.ts"
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
import type { RenderDependencies, RenderBlock, BlockRenderer } from "./BlockRenderer.ts"
import { table } from "./Tables.ts"
import { renderInlines } from "./Inlines.ts"
import { renderNotes } from "./Annotations.ts"

/** Returns the renderer of a page's blocks. `footnotes`: footnotes of the page. Default: none. */
export const createBlockRenderer = (
  dependencies: RenderDependencies,
  footnotes: Footnotes.Footnotes = Footnotes.noFootnotes
): BlockRenderer => {
  const renderer: BlockRenderer = {
    ...dependencies,
    footnotes,
    blocks: (nodes) => each(blocksOf(nodes), (node) => () => renderBlock(node, renderer))
  }
  return renderer
}

/**
 * Renders a complete page: its blocks, then its footnotes. `definitions`: footnote definitions of the page that
 * contains the blocks. Default: none.
 */
export const renderPage = (
  dependencies: RenderDependencies,
  nodes: ReadonlyArray<Node>,
  definitions?: Footnotes.Definitions
): Html => {
  const renderer = createBlockRenderer(dependencies, Footnotes.collectFootnotes(nodes, definitions))
  return html`${renderer.blocks(nodes)}${Footnotes.renderList(renderer)}`
}

const renderBlock: RenderBlock = (node, renderer) =>
  isBlockType(node.type)
    ? (renderer.theme[node.type] ?? renderers[node.type])(node, renderer)
    : renderContent(node, renderer)

/** Renders the content of a block, wrapped only in the HTML element that the block names. */
const renderContent: RenderBlock = (node, renderer) => {
  const { nodes = [], fragments = [] } = node
  const inlineNodes = nodes.filter(({ object }) => object !== "block")
  const text = inlineNodes.length > 0 && html`<p>${renderInlines(inlineNodes, renderer)}</p>`
  const content = html`${text}${renderer.blocks(nodes)}${each(fragments, (fragment) => renderer.blocks(fragment.nodes))}`
  return Elements.isElement(node) ? Elements.blockElement(node, content) : content
}

const paragraph: RenderBlock = ({ nodes = [], data }, renderer) => {
  const content = renderInlines(nodes, renderer)
  if (content.isEmpty) return empty
  const align = data?.["align"]
  const className = align === "center" || align === "end" ? `align-${align}` : undefined
  return html`<p${attributes({ class: className, dir: Direction.directionOf(nodes, renderer.messages) })}>${content}</p>${renderNotes(nodes, renderer)}`
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
  "list-item": renderContent,
  blockquote: ({ nodes = [] }, renderer) =>
    html`<blockquote${attributes({ dir: Direction.directionOf(nodes, renderer.messages) })}>${renderer.blocks(nodes)}</blockquote>`,
  divider: () => html`<hr>`,
  hint,
  tabs,
  "tabs-item": renderContent,
  stepper,
  "stepper-step": renderContent,
  columns,
  column: renderContent,
  updates,
  update,
  expandable,
  prompt,
  if: condition,
  "reusable-content": renderContent,
  code,
  "code-line": renderContent,
  math,
  images,
  image,
  drawing,
  embed,
  file,
  "content-ref": contentRef,
  swagger: apiBlock,
  "openapi-operation": apiBlock,
  "openapi-schemas": apiBlock,
  "openapi-webhook": apiBlock,
  integration,
  table,
  // Visitors receive HTML as other blocks (see `HtmlNodes`), and invalid Markdown as code (see `VisitorDocument`).
  html: () => empty,
  verbatim: ({ data }) => html`<pre class="verbatim" tabindex="0"><code>${textOf(data?.["markdown"])}</code></pre>`,
  definition: () => empty,
  // The list at the end of the page displays footnote definitions (see `Footnotes`).
  "footnote-definition": () => empty
}
