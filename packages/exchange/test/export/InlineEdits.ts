/** Edits of a page's text, and of annotations and footnotes of the text. */
import type { Block, Inline, Node, Text } from "@lectern/document/Document"
import { normalizeLabel } from "@lectern/document/markdown/LinkReferences"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import { type Edited, ends, hasFootnotes, isExplaining, one, type Page, replaced } from "./PageParts.ts"

/**
 * Kinds of inline edits:
 * - `text`: changes words.
 * - `annotate`: adds an annotation.
 * - `strip`: removes an annotation.
 * - `note`: turns an annotation into a footnote.
 * - `explain`: turns a footnote into an annotation.
 */
export const inlineKinds = ["text", "annotate", "strip", "note", "explain"] as const
export type InlineKind = (typeof inlineKinds)[number]

const text = (words: string): Text => ({ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] })

const paragraph = (words: string): Block => ({
  object: "block",
  type: "paragraph",
  key: `new ${words}`,
  nodes: [text(words)]
})

const annotation = (nodes: ReadonlyArray<Node>, body: ReadonlyArray<Block>, label?: string): Inline =>
  ({
    object: "inline",
    type: "annotation",
    data: label === undefined ? {} : { label },
    nodes: nodes as Inline["nodes"],
    isVoid: false,
    fragments: [{ object: "fragment", type: "annotation-body", nodes: body }]
  }) as Inline

const labelOf = (node: Node): string =>
  normalizeLabel(String(node.object === "text" ? "" : ((node.data?.label as string | undefined) ?? "")))

/** Returns the ranges of footnotes with a label. */
const footnotes = ({ ranges }: Page, label: string): Array<TextRange> =>
  Array.from(ranges).flatMap(([block, range]) =>
    block.type === "footnote-definition" && labelOf(block) === label ? [range] : []
  )

const isIn = (page: Page, type: string) =>
  page.parts.filter(({ node }) => node.object === "inline" && node.type === type)

/**
 * Edits a page. `number` is any number, and selects the part. Undefined if the page has no part for this kind of edit.
 */
export const edit = (page: Page, kind: InlineKind, number: number, length: number): Edited | undefined => {
  const { document, parts, ranges } = page
  switch (kind) {
    case "text": {
      const part = one(
        parts.filter(({ node }) => node.object === "text"),
        number
      )
      if (part?.node.object !== "text") return undefined
      const [first, ...others] = part.node.leaves
      const after = { ...part.node, leaves: [{ ...first!, text: `Other ${first!.text}` }, ...others] }
      return { document: replaced(document, part.node, [after]), ranges: [ranges.get(part.around)!] }
    }
    case "annotate": {
      const candidates = parts.filter(
        ({ around, isInInline, node }) =>
          node.object === "text" &&
          !isInInline &&
          node.leaves.some((leaf) => leaf.text !== "") &&
          ["paragraph", "heading-1", "heading-2", "hint"].includes(around.type) &&
          // Aligned text is written as HTML, which has no annotations.
          around.data?.align === undefined &&
          !isExplaining(page, around) &&
          // A hint that loses its title is written as a whole, and must not contain footnotes then.
          (around.type !== "hint" || !hasFootnotes(page, around))
      )
      const part = one(candidates, number)
      if (part === undefined) return undefined
      const label = number % 2 === 0 ? undefined : "new.one"
      const after = [part.node, annotation([text("said")], [paragraph("What it means")], label)]
      return {
        document: replaced(document, part.node, after),
        ranges: [ranges.get(part.around)!, ...ends(page, length)]
      }
    }
    case "strip":
    case "note": {
      const part = one(isIn(page, "annotation"), number)
      if (part?.node.object !== "inline") return undefined
      const { data, fragments = [], nodes = [] } = part.node
      const label = labelOf(part.node)
      const own = [ranges.get(part.around)!, ...footnotes(page, label), { from: length, to: length }]
      // Definitions in the body would be removed or moved, and change the labels of links.
      if (JSON.stringify(fragments).includes('"definition"')) return undefined
      if (kind === "strip") return { document: replaced(document, part.node, nodes), ranges: own }
      const mark: Inline = { object: "inline", type: "footnote-reference", data: data!, isVoid: true }
      const noted = replaced(document, part.node, [...nodes, mark])
      const definition: Block = {
        object: "block",
        type: "footnote-definition",
        key: "noted",
        data: data!,
        nodes: fragments[0]!.nodes
      }
      return { document: { ...noted, nodes: [...noted.nodes, definition] }, ranges: own }
    }
    case "explain": {
      const marks = isIn(page, "footnote-reference")
      const labels = marks.map(({ node }) => labelOf(node))
      const definitions = parts.filter(({ node }) => node.object === "block" && node.type === "footnote-definition")
      const candidates = marks.filter(({ around, before, node }) => {
        const label = labelOf(node)
        return (
          before?.object === "text" &&
          around.type === "paragraph" &&
          labels.filter((each) => each === label).length === 1 &&
          definitions.filter((each) => labelOf(each.node) === label).length === 1 &&
          !isExplaining(page, around)
        )
      })
      const part = one(candidates, number)
      if (part?.node.object !== "inline") return undefined
      const label = labelOf(part.node)
      const definition = definitions.find(({ node }) => labelOf(node) === label)!.node as Block
      if (!document.nodes.includes(definition)) return undefined
      const after = annotation(
        [text("said")],
        definition.nodes as ReadonlyArray<Block>,
        part.node.data!.label as string
      )
      const without = { ...document, nodes: document.nodes.filter((block) => block !== definition) }
      return {
        document: replaced(without, part.node, [after]),
        ranges: [ranges.get(part.around)!, ranges.get(definition)!]
      }
    }
  }
}
