/** A page that tests edit: its parts with the ranges of the blocks around them, and what an edit of it is. */
import type { Block, Document, Node, Text } from "@lectern/document/Document"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"

/** A part of a page, with the innermost block around it that has a range. */
interface Part {
  readonly node: Node
  /** The node before it among its siblings. */
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
  /** Lists and items of which this leaves open whether blank lines stand in them. */
  readonly open?: ReadonlyArray<string>
  /** Parts of the text that may be others. */
  readonly ranges: ReadonlyArray<TextRange>
  /** Nothing else is to stand in their place. */
  readonly isLess?: boolean
}

/** The parts of blocks; parts of a footnote of an annotation have the footnote around them. */
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
    // The title of an expandable block is a part of its tag.
    const located = ranges.has(node) ? node : around?.type === "expandable" ? undefined : around
    // The title of a column stands in its definition, too.
    const fragments = (node.fragments ?? []).filter(({ fragment = "" }) => !fragment.startsWith("header-"))
    const inside = [...(node.nodes ?? []), ...fragments.flatMap((fragment) => fragment.nodes)]
    const self = ranges.has(node) ? [{ node, before: nodes[i - 1], isInInline, around: node }] : []
    // A title is marked as one, and its hint has no title any more where that is not all of it.
    const within = i === 0 && around?.type === "hint" && isTitle(node) ? around : located
    return [...self, ...partsOf(inside, ranges, within)]
  })

const isTitle = ({ nodes = [], type }: Block): boolean =>
  type === "paragraph" &&
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

/** The nodes with text that stands side by side in one, as it is read. */
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

/** The value with others in the place of one in it. */
export const replaced = <A>(value: A, from: unknown, to: ReadonlyArray<unknown>): A => {
  if (Array.isArray(value)) {
    return joined(value.flatMap((one) => (one === from ? to : [replaced(one, from, to)]))) as A
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, from, to)])) as A
}

/** Behind what a new footnote may stand: the page, and any other. */
export const ends = ({ ranges }: Page, length: number): Array<TextRange> => [
  { from: length, to: length },
  ...Array.from(ranges).flatMap(([{ type }, { to }]) => (type === "footnote-definition" ? [{ from: to, to }] : []))
]

/** One of a list, by any number. */
export const one = <A>(list: ReadonlyArray<A>, number: number): A | undefined =>
  list.length === 0 ? undefined : list[number % list.length]

/** Tells whether a block stands in a footnote, where no text is explained. */
export const isExplaining = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)
  return (
    own !== undefined &&
    Array.from(ranges).some(
      ([{ type }, { from, to }]) => type === "footnote-definition" && from <= own.from && own.to <= to
    )
  )
}

/** Tells whether footnotes stand in a block. */
export const hasFootnotes = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)!
  return Array.from(ranges).some(
    ([{ type }, { from, to }]) => type === "footnote-definition" && own.from <= from && to <= own.to
  )
}
