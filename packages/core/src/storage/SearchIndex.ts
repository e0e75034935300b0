/**
 * The port for finding pages by their words. The core makes the words (see `search/Words`), says
 * how much a page says of each, and ranks what is found; an adapter keeps which page has which words
 * at which level, and reads that by whole words, by beginnings and by words that look alike.
 *
 * Changes wait for the commit of the transaction they were made in: nothing is found before, not
 * by the transaction itself either, and nothing remains of one that is rolled back.
 *
 * A page has a number in its space. The first page to come into the index has the lowest, a page
 * that is changed keeps its number, and one that comes back after it was removed may get another.
 *
 * Limits: a word is 1 to 64 characters (UTF-16) of small ASCII letters, ASCII digits, `-_./:@$#+` and
 * whatever is not ASCII, well-formed. To ask for other words finds nothing. A beginning stands for
 * its first 100,000 entries at least.
 */
import { Context, type Effect } from "effect"
import { isStorable } from "./Row.ts"
import { StorageError } from "./Storage.ts"

export const maxWordLength = 64

/** How many entries a beginning stands for at least. */
export const maxEntries = 100_000

/** How many steps there are from the words that a page says most of to those that it barely mentions. */
export const levelCount = 8

/**
 * The words of a page, a list for each level: the words in the first are those that it says most of.
 * There are at most `levelCount` lists, and no word stands in two.
 */
export type PageWords = ReadonlyArray<ReadonlyArray<string>>

export interface SearchChange {
  readonly page: string
  /** Undefined: the page is found no more. */
  readonly words: PageWords | undefined
}

export interface Lookup {
  readonly word: string
  /** Decides between the word as it is, and any word that begins with it. */
  readonly match: "whole" | "beginning"
}

/**
 * The numbers of the pages that were found, a list for each level, best first. By a beginning, a page
 * can stand in several lists and more than once in one: the first list that it stands in counts.
 */
export type Entries = ReadonlyArray<ReadonlyArray<number>>

/** Lookups in one space. Pages that are hidden count as if they were not there. */
export interface SpaceLookups {
  readonly space: string
  readonly lookups: ReadonlyArray<Lookup>
  readonly hidden: ReadonlySet<string>
}

/** A page by its number. */
export interface NumberedPage {
  readonly space: string
  readonly number: number
}

/** A word, to find those of the space that look like it. */
export interface SpaceWord {
  readonly space: string
  readonly word: string
}

export interface SpaceEntries {
  /** How many pages the space has in the index. */
  readonly pages: number
  /** Entries of each lookup, in the order of the lookups. */
  readonly entries: ReadonlyArray<Entries>
}

export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /** Replaces what is known of these pages, with the commit. */
    readonly change: (space: string, changes: ReadonlyArray<SearchChange>) => Effect.Effect<void, StorageError>
    /** The committed pages of each of these spaces by their words, in the order of what was asked. */
    readonly read: (asked: ReadonlyArray<SpaceLookups>) => Effect.Effect<ReadonlyArray<SpaceEntries>, StorageError>
    /**
     * For each of these words those of committed pages of its space that look like it: with one character
     * more, less or another, or two neighbours exchanged. In the order of their code points, at most 100.
     * Words of fewer than 4 characters (UTF-16) look like none. Which pages have them, `read` tells.
     */
    readonly similar: (
      words: ReadonlyArray<SpaceWord>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, StorageError>
    /** The committed pages with these numbers; undefined for a number that no page of the space has. */
    readonly pagesByNumber: (
      pages: ReadonlyArray<NumberedPage>
    ) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
    /** The committed pages of a space in the order of their ids, behind `after`, at most `limit`. */
    readonly pages: (
      space: string,
      options: { readonly after?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("@lectern/core/storage/SearchIndex") {}

const word = /^[-0-9a-z_./:@$#+\u0080-\uffff]+$/

export const isWord = (text: string): boolean => text.length <= maxWordLength && word.test(text) && text.isWellFormed()

/** Throws the `StorageError` that every adapter refuses such changes with. */
export const checkChanges = (space: string, changes: ReadonlyArray<SearchChange>): void => {
  const fits = changes.every(
    ({ page, words }) => isStorable(page) && (words === undefined || words.every((level) => level.every(isWord)))
  )
  const levels = changes.every(({ words }) => words === undefined || words.length <= levelCount)
  if (fits && levels && isStorable(space)) return
  throw new StorageError({ reason: "invalid-row", message: "A page can't be indexed: its words must be folded" })
}

/** Words shorter than this look like no other (UTF-16). */
export const shortestSimilar = 4

/** The most words that look like another. */
export const maxSimilarWords = 100

/** Entries of a lookup that found nothing, on every adapter. */
export const noEntries: Entries = Array.from({ length: levelCount }, () => [])
