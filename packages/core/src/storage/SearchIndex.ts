/**
 * Port of the search index: pages by their words. The core extracts the words (see `search/Words`), weights them, and
 * ranks results. An adapter stores the words of each page with their level, and looks them up whole, by prefix, and by
 * similarity.
 *
 * Changes take effect at commit. Lookups see committed changes only, even inside the transaction that made them.
 *
 * A page has a number in its space. Numbers grow in the order in which pages are first indexed. A changed page keeps
 * its number; a page that was removed and added again may get another.
 *
 * Limits: a word has 1 to 64 characters (UTF-16): lowercase ASCII letters, ASCII digits, `-_./:@$#+` and non-ASCII
 * characters, well-formed. A lookup of any other word finds nothing. A prefix matches at least its first 100,000
 * entries.
 */
import { Context, type Effect } from "effect"
import { isStorable } from "./Row.ts"
import { StorageError } from "./Storage.ts"

export const maxWordLength = 64

/** Minimum number of entries that a prefix lookup returns before it may cut off. */
export const maxEntries = 100_000

/** Number of levels. Level 0 holds the words that matter most in a page, the last level those that occur in passing. */
export const levelCount = 8

/** Words of a page by level, best first: at most `levelCount` lists. A word occurs in one list only. */
export type PageWords = ReadonlyArray<ReadonlyArray<string>>

export interface SearchChange {
  readonly page: string
  /** New words of the page. Undefined: the page is removed from the index. */
  readonly words: PageWords | undefined
}

export interface Lookup {
  readonly word: string
  /** `whole`: the word itself; `beginning`: all words with this prefix. */
  readonly match: "whole" | "beginning"
}

/**
 * Numbers of matching pages by level, best first. A prefix lookup can return a page in several lists, and several times
 * in one list. The first list counts.
 */
export type Entries = ReadonlyArray<ReadonlyArray<number>>

/** Lookups in one space. Hidden pages are left out of results and counts. */
export interface SpaceLookups {
  readonly space: string
  readonly lookups: ReadonlyArray<Lookup>
  readonly hidden: ReadonlySet<string>
}

/** Number of a page in its space. */
export interface NumberedPage {
  readonly space: string
  readonly number: number
}

/** Word whose similar words are looked up in a space. */
export interface SpaceWord {
  readonly space: string
  readonly word: string
}

export interface SpaceEntries {
  /** Number of indexed pages of the space, without hidden ones. */
  readonly pages: number
  /** Entries of each lookup, in the order of the lookups. */
  readonly entries: ReadonlyArray<Entries>
}

export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /** Replaces the words of pages at commit. */
    readonly change: (space: string, changes: ReadonlyArray<SearchChange>) => Effect.Effect<void, StorageError>
    /** Runs lookups on committed pages. Returns one result for each element of `lookups`, in order. */
    readonly read: (lookups: ReadonlyArray<SpaceLookups>) => Effect.Effect<ReadonlyArray<SpaceEntries>, StorageError>
    /**
     * Returns, for each word, the similar words of committed pages of its space: one character added, removed or
     * replaced, or two adjacent characters swapped. At most 100, by code point. Words of fewer than 4 characters
     * (UTF-16) have none.
     */
    readonly similar: (
      words: ReadonlyArray<SpaceWord>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, StorageError>
    /** Returns the committed pages with these numbers. Undefined if the space has no page with a number. */
    readonly pagesByNumber: (
      pages: ReadonlyArray<NumberedPage>
    ) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
    /** Returns at most `limit` committed pages of a space with ids greater than `after`, in the order of ids. */
    readonly pages: (
      space: string,
      options: { readonly after?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("@lectern/core/storage/SearchIndex") {}

const word = /^[-0-9a-z_./:@$#+\u0080-\uffff]+$/

export const isWord = (text: string): boolean => text.length <= maxWordLength && word.test(text) && text.isWellFormed()

/** Throws a `StorageError` (`invalid-row`) if an adapter must reject the changes. */
export const checkChanges = (space: string, changes: ReadonlyArray<SearchChange>): void => {
  const isValid = changes.every(
    ({ page, words }) => isStorable(page) && (words === undefined || words.every((level) => level.every(isWord)))
  )
  const levels = changes.every(({ words }) => words === undefined || words.length <= levelCount)
  if (isValid && levels && isStorable(space)) return
  throw new StorageError({ reason: "invalid-row", message: "A page can't be indexed: its words must be folded" })
}

/** Minimum length of words that have similar words (UTF-16). */
export const shortestSimilar = 4

/** Maximum number of similar words in a result. */
export const maxSimilarWords = 100

/** Entries of a lookup without matches. */
export const noEntries: Entries = Array.from({ length: levelCount }, () => [])
