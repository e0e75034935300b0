/**
 * Matches the words of a query with the titles of a page and its ancestors. The index holds no titles of ancestors, so
 * renaming a group does not update the pages below the group.
 *
 * Limit: the best 50 pages of a search are matched.
 */
import * as Words from "./Words.ts"
import type { FoundWord } from "./SectionMatch.ts"

/** Number of pages whose titles are matched. */
export const maxMatched = 50

/** Title of a page, and titles of its ancestors. */
export interface PageTitles {
  readonly title: string
  readonly above: ReadonlyArray<string>
}

export interface TitleMatch {
  /** For each word of the query: true if the title of an ancestor contains the word. */
  readonly above: ReadonlyArray<boolean>
  /**
   * Share of the query that all these titles contain (0 to 1). 0 unless the query contains every word of the page's
   * title.
   */
  readonly named: number
}

/** Matches titles with the words of a query. `words` has the forms of the space's language. */
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

/** Returns true if a folded title has words, and the query contains all of them. */
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
