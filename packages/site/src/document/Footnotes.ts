/**
 * Footnotes of a page. References are numbered links in the order of their first occurrence. The list of definitions is
 * at the end of the page, each with links back to its references.
 *
 * - A label that has no definition stays text.
 * - If several definitions have one label, the first one counts, as in Markdown.
 * - Definitions without a reference come last in the list, without a number.
 */
import type { Block, Inline, Node } from "@lectern/document/Document"
import { each, empty, type Html, html } from "../html/Html.ts"
import { blocksOf, textOf } from "./Nodes.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

export interface Footnote {
  readonly number: number
  readonly definition: Block
  readonly references: Array<Inline>
}

export interface Footnotes {
  /** Footnotes by label. Footnotes with a reference come first, in the order of their numbers. */
  readonly byLabel: ReadonlyMap<string, Footnote>
  /** Position of a reference among the references of its footnote, starting at 0. */
  readonly positionOf: ReadonlyMap<Inline, number>
}

export const noFootnotes: Footnotes = { byLabel: new Map(), positionOf: new Map() }

const labelOf = ({ data }: Block | Inline): string => textOf(data?.["label"]).toLowerCase()

/** Footnote definitions by label. */
export type Definitions = ReadonlyMap<string, Block>

const walk = (from: ReadonlyArray<Node>, visit: (node: Block | Inline) => void) => {
  const stack: Array<Node> = from.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.object === "text") continue
    visit(node)
    const children = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)]
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!)
  }
}

export const definitionsIn = (nodes: ReadonlyArray<Node>): Definitions => {
  const definitions = new Map<string, Block>()
  walk(nodes, (node) => {
    if (node.object !== "block" || node.type !== "footnote-definition") return
    if (!definitions.has(labelOf(node))) definitions.set(labelOf(node), node)
  })
  return definitions
}

/**
 * Collects the footnotes of the blocks of one page. `outerDefinitions`: definitions of the page that contains the
 * blocks. Default: none.
 */
export const collectFootnotes = (nodes: ReadonlyArray<Node>, outerDefinitions: Definitions = new Map()): Footnotes => {
  const definitions = definitionsIn(nodes)
  if (definitions.size === 0 && outerDefinitions.size === 0) return noFootnotes
  const references: Array<Inline> = []
  walk(nodes, (node) => {
    if (node.object === "inline" && node.type === "footnote-reference") references.push(node)
  })
  const byLabel = new Map<string, Footnote>()
  const positionOf = new Map<Inline, number>()
  for (const reference of references) {
    const label = labelOf(reference)
    const definition = definitions.get(label) ?? outerDefinitions.get(label)
    if (definition === undefined) continue
    const footnote = byLabel.get(label) ?? { number: byLabel.size + 1, definition, references: [] }
    byLabel.set(label, footnote)
    if (positionOf.has(reference)) continue
    positionOf.set(reference, footnote.references.length)
    footnote.references.push(reference)
  }
  for (const [label, definition] of definitions) {
    if (!byLabel.has(label)) byLabel.set(label, { number: 0, definition, references: [] })
  }
  return { byLabel, positionOf }
}

// The colon avoids collisions, since anchors of headings contain no colon.
const footnoteId = ({ number }: Footnote): string => `fn:${number}`
const referenceId = ({ number }: Footnote, position: number): string =>
  position === 0 ? `fnref:${number}` : `fnref:${number}:${position + 1}`

/** Renders a reference as a superscript link to its definition. */
export const renderReference = (node: Inline, { footnotes }: Pick<BlockRenderer, "footnotes">): Html => {
  const footnote = footnotes.byLabel.get(labelOf(node))
  if (footnote === undefined || footnote.number === 0) return html`<sup>${textOf(node.data?.["label"])}</sup>`
  const id = referenceId(footnote, footnotes.positionOf.get(node) ?? 0)
  return html`<sup class="footnote-reference"><a href="#${footnoteId(footnote)}" id="${id}" role="doc-noteref">${footnote.number}</a></sup>`
}

/** Renders the list of definitions; empty if there are no definitions. */
export const renderList = (renderer: BlockRenderer): Html => {
  const all = Array.from(renderer.footnotes.byLabel.values())
  if (all.length === 0) return empty
  const { footnotes: title, backToText } = renderer.messages
  const items = each(all, (footnote) => {
    const { number, definition, references } = footnote
    const content = renderer.blocks(blocksOf(definition.nodes))
    if (number === 0) return html`<li class="unnumbered"><div>${content}</div></li>`
    const backlinks = each(
      references,
      (_, i) =>
        html`<a class="footnote-back" href="#${referenceId(footnote, i)}" role="doc-backlink" aria-label="${backToText(references.length === 1 ? String(number) : `${number}.${i + 1}`)}">↩</a>`
    )
    return html`<li id="${footnoteId(footnote)}" value="${number}"><div>${content}</div>${backlinks}</li>`
  })
  return html`<section class="footnotes" role="doc-endnotes" aria-label="${title}"><ol>${items}</ol></section>`
}
