/**
 * The port for finding pages by their words. The core makes the words (see `search/Words`) and says
 * what a hit is worth; an adapter keeps which page has which words, and finds the pages that have
 * all the words of a query.
 *
 * Changes wait for the commit of the transaction they were made in: nothing is found before, not
 * by the transaction itself either, and nothing remains of one that is rolled back.
 *
 * The best hits come first. A page that has all the words in its title is better than one that has
 * them in its title and headings, and that is better than one that has them anywhere. Among those,
 * the last word as it was typed is better than a longer one that begins with it. Hits that are
 * worth the same stand in the order in which their pages first came into the index.
 *
 * Limits: a word is 1 to 64 characters (UTF-16) of small ASCII letters, ASCII digits and whatever is
 * not ASCII, well-formed. A query that has other words finds nothing.
 */
import { Context, type Effect } from "effect"
import { isStorable } from "./Row.ts"
import { StorageError } from "./Storage.ts"

export const maxWordLength = 64

/** The words of a page by the best place they stand in. One that stands in several may be in each. */
export interface PageWords {
  readonly title: ReadonlyArray<string>
  readonly heading: ReadonlyArray<string>
  readonly body: ReadonlyArray<string>
}

export interface SearchChange {
  readonly page: string
  /** Undefined: the page is found no more. */
  readonly words: PageWords | undefined
}

export interface SearchQuery {
  readonly space: string
  /** Words that a page must have. */
  readonly words: ReadonlyArray<string>
  /** The beginning of a word that a page must have too. */
  readonly prefix?: string | undefined
  /** The most hits to find: the best ones. */
  readonly limit: number
}

export interface SearchHit {
  readonly page: string
  /** How good it is: 0 is best. Odd where the prefix is no word of its own. */
  readonly rank: number
  /** Position of the hit among those of its rank. It stays while the page is in the index. */
  readonly order: number
}

export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /** Replaces what is known of these pages, with the commit. */
    readonly change: (space: string, changes: ReadonlyArray<SearchChange>) => Effect.Effect<void, StorageError>
    /** The committed pages that have all the words of the query, best first. */
    readonly find: (query: SearchQuery) => Effect.Effect<ReadonlyArray<SearchHit>, StorageError>
    /** The committed pages of a space in the order of their ids, behind `after`, at most `limit`. */
    readonly pages: (
      space: string,
      options: { readonly after?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("@lectern/core/storage/SearchIndex") {}

const word = /^[0-9a-z\u0080-\uffff]+$/

export const isWord = (text: string): boolean => text.length <= maxWordLength && word.test(text) && text.isWellFormed()

/** Throws the `StorageError` that every adapter refuses such changes with. */
export const check = (space: string, changes: ReadonlyArray<SearchChange>): void => {
  const fits = changes.every(
    ({ page, words }) =>
      isStorable(page) &&
      (words === undefined || (words.title.every(isWord) && words.heading.every(isWord) && words.body.every(isWord)))
  )
  if (fits && isStorable(space)) return
  throw new StorageError({ reason: "invalid-row", message: "A page can't be indexed: its words must be folded" })
}

/** The places of a page, each with the words of those that are better. */
export const places = ({ title, heading, body }: PageWords): ReadonlyArray<ReadonlySet<string>> => {
  const headings = new Set([...title, ...heading])
  return [new Set(title), headings, new Set([...headings, ...body])]
}

/** Condition of a rank: a page has these words, and one with this beginning, in one of its `places`. */
export interface RankTest {
  readonly rank: number
  readonly place: number
  readonly words: ReadonlyArray<string>
  readonly prefix: string | undefined
}

/** The tests of a query, the best first: a hit has the rank of the first that it passes. None: it finds nothing. */
export const rankTests = ({ words, prefix }: Pick<SearchQuery, "words" | "prefix">): ReadonlyArray<RankTest> => {
  const all = prefix === undefined ? words : [...words, prefix]
  if (all.length === 0 || !all.every(isWord)) return []
  return [0, 1, 2].flatMap((place): ReadonlyArray<RankTest> => {
    const exact = { rank: 2 * place, place, words: all, prefix: undefined }
    return prefix === undefined ? [exact] : [exact, { rank: 2 * place + 1, place, words, prefix }]
  })
}
