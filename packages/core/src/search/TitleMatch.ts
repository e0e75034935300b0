/**
 * Matches the words of a query with the titles of a page and its ancestors. The index holds no titles of ancestors, so
 * renaming a group does not update the pages below the group.
 *
 * Limit: the best 50 pages of a search are matched.
 */
import * as Words from "./Words.ts"
import type { MatchedWord } from "./SectionMatch.ts"

/** Number of pages whose titles are matched. */
export const maxMatchedPages = 50

/** Title of a page, and titles of its ancestors. */
export interface PageTitles {
  readonly title: string
  readonly ancestors: ReadonlyArray<string>
}

export interface TitleMatch {
  /** For each word of the query: true if the title of an ancestor contains the word. */
  readonly ancestors: ReadonlyArray<boolean>
  /**
   * Share of the query that all these titles contain (0 to 1). 0 unless the query contains every word of the page's
   * title.
   */
  readonly queryShare: number
}

/** Matches titles with the words of a query. `words` has the forms of the space's language. */
export const match = (titles: PageTitles, words: ReadonlyArray<MatchedWord>): TitleMatch => {
  const title = Words.foldText(titles.title)
  const folded = Words.foldText(titles.ancestors.join("\n"))
  const ancestors = words.map((word) => containsWord(folded, word))
  if (!isWholeTitleInQuery(title, words)) return { ancestors, queryShare: 0 }
  let queryShare = 0
  let total = 0
  for (const [i, word] of words.entries()) {
    total += word.weight
    if (ancestors[i] === true || containsWord(title, word)) queryShare += word.weight
  }
  return { ancestors, queryShare: queryShare / total }
}

/** Returns true if a folded title has words, and the query contains all of them. */
const isWholeTitleInQuery = (title: string, words: ReadonlyArray<MatchedWord>): boolean => {
  let count = 0
  let isMissing = false
  Words.forEachWord(title, (part, kind) => {
    if (isMissing || (kind !== "word" && kind !== "pair")) return
    count++
    if (!words.some((word) => containsWord(part, word))) isMissing = true
  })
  return count > 0 && !isMissing
}

const containsWord = (folded: string, { needles }: MatchedWord): boolean =>
  needles.some(({ word, match }) => Words.containsWord(folded, word, match))
