/**
 * The Markdown of the open document, as its writer wrote it. Blocks that did not change keep their text to the byte; all
 * others are printed.
 *
 * A text becomes a document whose blocks keep the keys of the blocks that they were, also if a text is incomplete for a
 * while. Details that Markdown can't express stay in blocks whose text did not change.
 */
import { align } from "@lectern/document/alignment/DocumentAlignment"
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import type { Node } from "prosemirror-model"

/** Range of a block in the text. */
interface BlockRange extends TextRange {
  readonly node: Node
}

export interface MarkdownSource {
  readonly text: string
  /** Root node of the document that the text stands for. */
  readonly root: Node
  /** Ranges of the blocks in their order. Empty if they are not known. */
  readonly blocks: ReadonlyArray<BlockRange>
}

interface ParsedText {
  readonly document: Document
  readonly ranges: ReadonlyArray<TextRange>
}

/** The text of a page has no front matter, so three hyphens at its start are text. A line before them says so. */
const parse = (text: string, nextKey: () => string): ParsedText => {
  const before = text.startsWith("---") ? "\n" : ""
  const ranges = new Map<unknown, TextRange>()
  const { document } = Markdown.parse(before + text, {
    nextKey,
    onBlock: (block, { from, to }) => ranges.set(block, { from: from - before.length, to: to - before.length })
  })
  const found = document.nodes.map((block) => ranges.get(block))
  return { document, ranges: found.includes(undefined) ? [] : (found as ReadonlyArray<TextRange>) }
}

const withRanges = (text: string, root: Node, ranges: ReadonlyArray<TextRange>): MarkdownSource => ({
  text,
  root,
  blocks: ranges.length === root.childCount ? ranges.map(({ from, to }, i) => ({ from, to, node: root.child(i) })) : []
})

/** Returns the text of a document. `previous`: an earlier text, whose unchanged blocks keep theirs. */
export const sourceOf = (
  document: Document,
  root: Node,
  nextKey: () => string,
  previous?: MarkdownSource
): MarkdownSource => {
  if (previous !== undefined && previous.root.eq(root)) return { ...previous, root }
  const spliced = previous && splice(document, root, previous)
  if (spliced !== undefined) {
    const { document: parsed, ranges } = parse(spliced, nextKey)
    // `align` returns the document itself if the text stands for it.
    if (align(document, parsed) === document) return withRanges(spliced, root, ranges)
  }
  const text = Markdown.print(document)
  return withRanges(text, root, parse(text, nextKey).ranges)
}

/** Joins the texts of unchanged blocks with the printed ones of all others. */
const splice = (document: Document, root: Node, { blocks, text }: MarkdownSource): string | undefined => {
  const indexes = new Map(blocks.map(({ node }, index) => [node, index]))
  let result = ""
  let last: number | undefined
  for (const [i, node] of root.children.entries()) {
    const block = document.nodes[i]
    if (block === undefined) return undefined
    const index = indexes.get(node)
    const range = index === undefined ? undefined : blocks[index]!
    const isNext = last !== undefined && index === last + 1
    if (i === 0) result = index === 0 ? text.slice(0, range!.from) : ""
    else result += isNext ? text.slice(blocks[last!]!.to, range!.from) : "\n\n"
    result +=
      range === undefined
        ? Markdown.print({ object: "document", data: {}, nodes: [block] }, { contextDocument: document }).trim()
        : text.slice(range.from, range.to)
    last = index
  }
  return result + (last !== undefined && last === blocks.length - 1 ? text.slice(blocks[last]!.to) : "\n")
}

export interface SourceEdit {
  readonly document: Document
  /** Returns the source with the root node that the document has in the editor. */
  readonly source: (root: Node) => MarkdownSource
}

/**
 * Returns the document of an edited text. `base`: document before the first edit. `current`: document of the edit before
 * this one, whose new blocks keep their keys.
 */
export const editOf = (text: string, base: Document, current: Document, nextKey: () => string): SourceEdit => {
  const { document: parsed, ranges } = parse(text, nextKey)
  const expressed = align(base, parse(Markdown.print(base), nextKey).document)
  const aligned = align(expressed, align(current, parsed))
  const document =
    aligned === expressed
      ? base
      : expressed === base
        ? aligned
        : mergeDocuments({ base: expressed, main: base, ours: aligned }).document
  return {
    document,
    source: (root) => withRanges(text, root, document.nodes.length === ranges.length ? ranges : [])
  }
}
