/**
 * A hint that was edited since it was read: `:::note A title`, and `!!! note "A title"`, says its first paragraph, which
 * is in bold. Where something else comes first by now, it has no title, and stays what it is. A quote's line `[!NOTE]`
 * is a paragraph to Markdown, of which some blocks below it would be a part.
 */
import type { Block } from "../Document.ts"
import { mapList, withParts } from "../DocumentMapping.ts"
import { isSetIn } from "./BlockMarkers.ts"
import { indented, marginOf } from "./Margins.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Titled {
  /** The line that begins it, without a title. */
  readonly head: string
  /** The same line with a title. */
  readonly titled: (title: string) => string
  /** All that stands below that line. */
  readonly below: TextRange
  /** Printed blocks in the place of all that, with the end of the hint. */
  readonly holding: (printed: ReadonlyArray<string>) => string
}

/** Undefined for a block without a title; `first`: the range of the first block in it. */
export const titled = (text: string, { from, to }: TextRange, first: TextRange | undefined): Titled | undefined => {
  const before = text.slice(from, first?.from ?? from)
  const [head] = before.includes("\n") ? [] : (/^(?::{3,}[ \t]*[a-z]+|!{3}[^"\n]*[^"\s])/.exec(before) ?? [])
  if (head === undefined) return undefined
  const end = text.indexOf("\n", from)
  const below = { from: end === -1 || end > to ? to : end, to }
  const margin = marginOf(text.slice(text.lastIndexOf("\n", from - 1) + 1, from))
  const inner = head.startsWith("!") ? `${margin}    ` : margin
  const [last = ""] = /\n[>\s]*:{3,}[ \t]*$/.exec(text.slice(below.from, to)) ?? []
  return {
    head,
    titled: (title) => before + title + text.slice(first!.to, below.from),
    below,
    holding: (printed) => printed.map((block) => `\n${inner}${indented(block, inner)}`).join("\n") + last
  }
}

/** Tells whether a block can be a title: a paragraph in bold. */
export const isTitle = ({ nodes = [], type }: Block): boolean =>
  type === "paragraph" &&
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

/** A title without the mark that it has for being one. */
export const unmarked = (block: Block): Block =>
  withParts(block, {
    nodes:
      block.nodes &&
      mapList(block.nodes, (node) =>
        node.object === "text"
          ? {
              ...node,
              leaves: node.leaves.map((leaf) => ({ ...leaf, marks: leaf.marks.filter(({ type }) => type !== "bold") }))
            }
          : node
      )
  })

const alert = /^>[ \t]*\[!\w+\][+-]?[ \t]*\n/

/** Tells whether a block that comes first in an alert takes a blank line before it; `above`: the text there. */
export const isApart = (above: string, { type }: Block, text: string): boolean => {
  if (!alert.test(above)) return false
  if (type === "code") return isSetIn(text)
  return !type.startsWith("heading-") || text.includes("\n")
}
