/** Words that look alike: what people type instead of one another. */
import { isWord, shortestSimilar } from "./SearchIndex.ts"

/** Tells whether a word of the index resembles another one (see `SearchIndex`). */
export const isSimilar = (known: string, word: string): boolean =>
  known.length >= shortestSimilar && word.length >= shortestSimilar && isOneEditApart(known, word) && isWord(word)

/** Tells whether two words differ by one slip: a character more, less or another, or two neighbours exchanged. */
const isOneEditApart = (a: string, b: string): boolean => {
  if (a === b || Math.abs(a.length - b.length) > 2) return false
  // Most words differ early on, and have no characters of two units: no need to take them apart.
  return areOneEditApart(Array.from(a), Array.from(b))
}

const areOneEditApart = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (a.length > b.length) return areOneEditApart(b, a)
  if (b.length - a.length > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [left, right] = [a.length - start - end, b.length - start - end]
  if (right <= 1) return true
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
