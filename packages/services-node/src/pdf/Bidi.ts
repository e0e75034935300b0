/** The order of pieces of a line where some of it runs from right to left, by Unicode's rules. */
import type { Block, Node } from "@lectern/document/Document"
import makeBidi from "bidi-js"

const bidi = makeBidi()

const runsLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const letter = /\p{L}|\p{N}/u

export interface Directions {
  /** Of each code unit: odd where it runs to the left. */
  readonly levels: Uint8Array
  /** True where the whole paragraph starts at the right. */
  readonly fromRight: boolean
}

/** Undefined where all of it runs to the right. */
export const directionsOf = (text: string): Directions | undefined => {
  if (!runsLeft.test(text)) return undefined
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto")
  return { levels, fromRight: ((paragraphs[0]?.level ?? 0) & 1) === 1 }
}

/** A piece that runs to the left as it is drawn: with brackets turned round, and without letters of such a script, reversed. */
export const turned = (text: string): string => {
  const found = mirrored(text)
  return letter.test(text) ? found : Array.from(found).reverse().join("")
}

/** With each bracket as the other one of its pair. */
export const mirrored = (text: string): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join("")

/** Pieces in the order they stand on paper, from the left. */
export const visualOrder = <A extends { readonly level: number }>(pieces: ReadonlyArray<A>): ReadonlyArray<A> => {
  const ordered = [...pieces]
  const levels = pieces.map(({ level }) => level)
  const highest = Math.max(0, ...levels)
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      if (ordered[start]!.level < level) continue
      let end = start
      while (end < ordered.length && ordered[end]!.level >= level) end++
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  }
  return ordered
}

/** So much of a text tells its direction. */
const looked = 200

/** The beginning of what nodes say, which tells their direction. */
export const beginningOf = (nodes: ReadonlyArray<Node>): string => {
  let found = ""
  const open = nodes.slice(0, looked).reverse()
  for (let node = open.pop(); node !== undefined && found.length < looked; node = open.pop()) {
    if (node.object === "text") found += node.leaves.map(({ text }) => text).join("")
    else open.push(...(node.nodes ?? []).slice(0, looked).reverse())
  }
  return found
}

/** Tells whether a text is read from the right: its first strong letters decide. */
export const isFromRight = (text: string): boolean => directionsOf(text.slice(0, looked))?.fromRight === true

/** Tells whether a block is read from the right. */
export const startsFromRight = (block: Block): boolean => isFromRight(beginningOf([block]))
