/**
 * The marks that Markdown can write, as a set of bits, in the order in which they nest: the first
 * outermost. `strong`, `emphasis` and `delete` have a syntax of their own, the next three are HTML
 * elements, and code is a leaf.
 */
import type { Mark } from "../Document.ts"

export const names = ["bold", "italic", "strikethrough", "keyboard", "superscript", "subscript", "code"] as const

export const bold = 1
export const italic = 2
export const strikethrough = 4
export const code = 64

/** Those that are written by runs of `*`, `_` or `~`. */
export const attention = bold | italic | strikethrough
export const elements: ReadonlyArray<readonly [bit: number, tag: string]> = [
  [8, "kbd"],
  [16, "sup"],
  [32, "sub"]
]
export const bitOfTag: ReadonlyMap<string, number> = new Map(elements.map(([bit, tag]) => [`<${tag}>`, bit]))

const bits = new Map<string, number>(names.map((name, i) => [name, 1 << i]))

const lists: ReadonlyArray<ReadonlyArray<Mark>> = Array.from({ length: 1 << names.length }, (_, set) =>
  names.filter((_, i) => (set & (1 << i)) !== 0).map((type) => ({ object: "mark", type }))
)

export const ofBits = (set: number): ReadonlyArray<Mark> => lists[set]!

/** The set of a leaf's marks; marks that Markdown cannot write are left out. */
export const toBits = (marks: ReadonlyArray<Mark>): number => {
  let set = 0
  for (const mark of marks) set |= bits.get(mark.type) ?? 0
  return set
}
