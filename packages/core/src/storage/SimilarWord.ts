/** Similarity of words, to correct typing errors in a search. */
import { isWord, shortestSimilar } from "./SearchIndex.ts"

/** True if a word of the index is similar to a searched word (see `SearchIndex`). */
export const isSimilar = (known: string, word: string): boolean =>
  known.length >= shortestSimilar && word.length >= shortestSimilar && isOneEditAway(known, word) && isWord(word)

/** True if the words differ by one edit: a character added, removed or replaced, or two adjacent characters swapped. */
const isOneEditAway = (a: string, b: string): boolean => {
  if (a === b || Math.abs(a.length - b.length) > 2) return false
  // Converts to code points only when the first test passes: most pairs of words differ much in length.
  return areOneEditAway(Array.from(a), Array.from(b))
}

const areOneEditAway = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (a.length > b.length) return areOneEditAway(b, a)
  if (b.length - a.length > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [left, right] = [a.length - start - end, b.length - start - end]
  if (right <= 1) return true
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
