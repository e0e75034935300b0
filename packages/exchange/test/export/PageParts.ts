/** Parts of a page with the ranges of their blocks, and results of edits. */
import type { Block, Document, Node, Text } from "@lectern/document/Document"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"

/** A node of a page, and the innermost block around it that has a range. */
interface Part {
  readonly node: Node
  /** Preceding sibling. */
  readonly before: Node | undefined
  readonly isInInline: boolean
  readonly around: Block
}

export interface Page {
  readonly document: Document
  readonly parts: ReadonlyArray<Part>
  readonly ranges: ReadonlyMap<Block, TextRange>
}

export interface Edited {
  readonly document: Document
  /** Keys of lists and items that may be loose or tight after the edit. */
  readonly open?: ReadonlyArray<string>
  /** Ranges of the text that may change. */
  readonly ranges: ReadonlyArray<TextRange>
  /** True if the ranges are removed without replacement. */
  readonly isLess?: boolean
}

/** Returns the parts of blocks. The block around a part of an annotation's body is a block of its footnote. */
export const partsOf = (
  nodes: ReadonlyArray<Node>,
  ranges: ReadonlyMap<Block, TextRange>,
  around?: Block,
  isInInline = false
): Array<Part> =>
  nodes.flatMap((node, i) => {
    const own = around === undefined ? [] : [{ node, before: nodes[i - 1], isInInline, around }]
    if (node.object === "text") return own
    if (node.object === "inline") {
      const explaining = (node.fragments ?? []).flatMap((fragment) => partsOf(fragment.nodes, ranges))
      return [...own, ...partsOf(node.nodes ?? [], ranges, around, true), ...explaining]
    }
    // The title of an expandable block is part of its tag.
    const located = ranges.has(node) ? node : around?.type === "expandable" ? undefined : around
    // Titles of columns also occur in the column definitions.
    const fragments = (node.fragments ?? []).filter(({ fragment = "" }) => !fragment.startsWith("header-"))
    const inside = [...(node.nodes ?? []), ...fragments.flatMap((fragment) => fragment.nodes)]
    const self = ranges.has(node) ? [{ node, before: nodes[i - 1], isInInline, around: node }] : []
    // A hint's title is entirely bold. If an edit adds other text, the hint loses its title, so the whole hint changes.
    const within = i === 0 && around?.type === "hint" && isTitle(node) ? around : located
    return [...self, ...partsOf(inside, ranges, within)]
  })

const isTitle = ({ nodes = [], type }: Block): boolean =>
  type === "paragraph" &&
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

/** Merges adjacent text nodes, as the parser does. */
const joined = (nodes: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const out: Array<unknown> = []
  for (const node of nodes) {
    const before = out.at(-1)
    if (!isText(node) || !isText(before)) out.push(node)
    else {
      const leaves = [...before.leaves]
      for (const leaf of node.leaves) {
        const last = leaves.at(-1)
        if (last !== undefined && JSON.stringify(last.marks) === JSON.stringify(leaf.marks)) {
          leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text }
        } else leaves.push(leaf)
      }
      out[out.length - 1] = { ...before, leaves }
    }
  }
  return out
}

const isText = (value: unknown): value is Text =>
  typeof value === "object" && value !== null && "object" in value && value.object === "text"

/** Returns a copy of a value with one part replaced by others. */
export const replaced = <A>(value: A, from: unknown, to: ReadonlyArray<unknown>): A => {
  if (Array.isArray(value)) {
    return joined(value.flatMap((one) => (one === from ? to : [replaced(one, from, to)]))) as A
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, from, to)])) as A
}

/** Returns the positions where a new footnote may be written: the end of the page, and the end of each footnote. */
export const ends = ({ ranges }: Page, length: number): Array<TextRange> => [
  { from: length, to: length },
  ...Array.from(ranges).flatMap(([{ type }, { to }]) => (type === "footnote-definition" ? [{ from: to, to }] : []))
]

/** Returns an element of a list, selected by any number. */
export const one = <A>(list: ReadonlyArray<A>, number: number): A | undefined =>
  list.length === 0 ? undefined : list[number % list.length]

/** Returns true if a block is inside a footnote, where annotations are not allowed. */
export const isExplaining = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)
  return (
    own !== undefined &&
    Array.from(ranges).some(
      ([{ type }, { from, to }]) => type === "footnote-definition" && from <= own.from && own.to <= to
    )
  )
}

/** Returns true if a block contains footnotes. */
export const hasFootnotes = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)!
  return Array.from(ranges).some(
    ([{ type }, { from, to }]) => type === "footnote-definition" && own.from <= from && to <= own.to
  )
}
