/**
 * Matches the words of a query with the title of a found page and the titles of the pages above it. The index holds
 * no titles of other pages, so that a group is renamed without an update of the pages below it.
 *
 * Limit: the best 50 pages of a search are matched.
 */
import * as Words from "./Words.ts"
import type { FoundWord } from "./SectionMatch.ts"

/** Number of pages whose titles are matched. */
export const maxMatched = 50

/** Titles of a page and of the pages above it. */
export interface PageTitles {
  readonly title: string
  readonly above: ReadonlyArray<string>
}

export interface TitleMatch {
  /** For each word of the query: true if the title of a page above has it. */
  readonly above: ReadonlyArray<boolean>
  /** Part of the query that all these titles have, of 1. It is 0 unless the query has every word of the page's title. */
  readonly named: number
}

/** `words` are those of the query, in the language of the space. */
export const match = (titles: PageTitles, words: ReadonlyArray<FoundWord>): TitleMatch => {
  const title = Words.fold(titles.title)
  const folded = Words.fold(titles.above.join("\n"))
  const above = words.map((word) => standsIn(folded, word))
  if (!isRequested(title, words)) return { above, named: 0 }
  let named = 0
  let total = 0
  for (const [i, word] of words.entries()) {
    total += word.weight
    if (above[i] === true || standsIn(title, word)) named += word.weight
  }
  return { above, named: named / total }
}

/** Returns true if a folded title has words, and the query has all of them. */
const isRequested = (title: string, words: ReadonlyArray<FoundWord>): boolean => {
  let count = 0
  let isMissing = false
  Words.cut(title, (part, kind) => {
    if (isMissing || (kind !== "word" && kind !== "pair")) return
    count++
    if (!words.some((word) => standsIn(part, word))) isMissing = true
  })
  return count > 0 && !isMissing
}

const standsIn = (folded: string, { needles }: FoundWord): boolean =>
  needles.some(({ word, match }) => Words.standsIn(folded, word, match))
