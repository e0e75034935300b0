/** Order of the pieces of a line that has text in both directions, by the Unicode bidirectional algorithm. */
import type { Block, Node } from "@lectern/document/Document"
import makeBidi from "bidi-js"

const bidi = makeBidi()

const rightToLeftCharacters =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const lettersOrDigits = /\p{L}|\p{N}/u

export interface Directions {
  /** Embedding level of each code unit. Odd levels run from right to left. */
  readonly levels: Uint8Array
  /** True if the paragraph's base direction is right to left. */
  readonly fromRight: boolean
}

/** Returns the directions of a text. Undefined if all of the text runs from left to right. */
export const directionsOf = (text: string): Directions | undefined => {
  if (!rightToLeftCharacters.test(text)) return undefined
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto")
  return { levels, fromRight: ((paragraphs[0]?.level ?? 0) & 1) === 1 }
}

/**
 * Converts a right-to-left piece to the order in which the piece is drawn. Mirrors brackets. Reverses a piece without
 * letters and digits.
 */
export const reversed = (text: string): string => {
  const mirroredText = mirrored(text)
  return lettersOrDigits.test(text) ? mirroredText : Array.from(mirroredText).reverse().join("")
}

/** Replaces each bracket by its mirrored counterpart. */
export const mirrored = (text: string): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join("")

/** Sorts the pieces of a line in visual order, from left to right. */
export const visualOrder = <A extends { readonly level: number }>(pieces: ReadonlyArray<A>): ReadonlyArray<A> => {
  const ordered = [...pieces]
  const levels = pieces.map(({ level }) => level)
  const maxLevel = Math.max(0, ...levels)
  for (let level = maxLevel; level > 0; level--) {
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

/** Maximum number of code units, and of nodes per level, that determine the direction of a text. */
const maxLeadingText = 200

/** Returns the first text of the nodes, which determines their direction. */
export const leadingText = (nodes: ReadonlyArray<Node>): string => {
  let leading = ""
  const pendingNodes = nodes.slice(0, maxLeadingText).reverse()
  for (
    let node = pendingNodes.pop();
    node !== undefined && leading.length < maxLeadingText;
    node = pendingNodes.pop()
  ) {
    if (node.object === "text") leading += node.leaves.map(({ text }) => text).join("")
    else pendingNodes.push(...(node.nodes ?? []).slice(0, maxLeadingText).reverse())
  }
  return leading
}

/** True if the text is read from right to left. Its first strong character decides. */
export const isFromRight = (text: string): boolean => directionsOf(text.slice(0, maxLeadingText))?.fromRight === true

/** True if the block is read from right to left. */
export const startsFromRight = (block: Block): boolean => isFromRight(leadingText([block]))
