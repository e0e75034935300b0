/**
 * Finds the pages of a space by a query: those that the index holds and those that are computed,
 * ranked together. A word that no page has is looked for by those that look like it.
 *
 * Limits: the best 1,000 pages; of a query 4 words that no page has, 16 that look like each of them.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, type Lookup, noEntries, type SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"
import { Ranking, scoreUnit } from "./Ranking.ts"
import * as SearchWords from "./SearchWords.ts"
import type { FoundWord, Needle } from "./SectionMatch.ts"

/** The most pages that a query finds. */
export const maxResults = 1_000

const maxGuessed = 4
const maxGuesses = 16

/** How many words are looked up before others get their turn. */
const wordsAtOnce = 4

/** The number of the first page that is not in the index: behind every one that is. */
const firstOther = 1e12

export interface FoundPage {
  /** See `named`. */
  readonly number: number
  /** Higher is better. */
  readonly score: number
  /** Sorts as the pages do, and stays while others come and go. */
  readonly position: string
}

/** Pages beside those of the index; their numbers begin at 0. */
export interface OtherPages {
  readonly pages: ReadonlyArray<string>
  readonly read: (lookup: Lookup) => Entries
  readonly similar: (word: string) => ReadonlyArray<string>
}

export interface Finding {
  readonly pages: ReadonlyArray<FoundPage>
  /** Words that the pages were found by. */
  readonly words: ReadonlyArray<FoundWord>
}

interface Asked {
  readonly space: string
  readonly language: Language | undefined
  readonly query: string
  /** Pages of the index that count as if they were not there. */
  readonly hidden: ReadonlySet<string>
  readonly others: OtherPages | undefined
}

export const find = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  { space, language, query, hidden, others }: Asked
): Effect.fn.Return<Finding, StorageError> {
  const words = SearchWords.ofQuery(query, language)
  const ranking = new Ranking()
  const found: Array<FoundWord> = []
  let guessed = 0

  const read = (lookups: ReadonlyArray<Lookup>) =>
    Effect.map(index.read(space, lookups, hidden), ({ pages, entries }) => ({
      pages: pages + (others?.pages.length ?? 0),
      entries: others === undefined ? entries : entries.map((list, i) => together(list, others.read(lookups[i]!)))
    }))

  /** Looks for words that resemble one that no page has. */
  const guess = Effect.fnUntraced(function* ({ word, guessedBy }: SearchWords.SearchWord) {
    const similar = new Set<string>()
    for (const known of guessedBy) {
      for (const likely of yield* index.similar(space, known)) similar.add(likely)
      for (const likely of others?.similar(known) ?? []) similar.add(likely)
    }
    // People seldom miss the first character.
    const likely = [...similar].sort((a, b) => Number(b[0] === word[0]) - Number(a[0] === word[0]))
    const lookups = likely.map((word): Lookup => ({ word, match: "whole" }))
    const { entries } = yield* read(lookups)
    // Words of hidden pages alone are none.
    const known = lookups.flatMap(({ word }, i) => (isEmpty(entries[i]!) ? [] : [{ word, entries: entries[i]! }]))
    return known.slice(0, maxGuesses)
  })

  for (let start = 0; start < words.length; start += wordsAtOnce) {
    const some = words.slice(start, start + wordsAtOnce)
    const { pages, entries } = yield* read(SearchWords.lookupsOf(some))
    let at = 0
    for (const word of some) {
      const ways = word.alternatives.map(({ worth }) => ({ worth, entries: entries[at++]! }))
      const needles: Array<Needle> = [...word.needles]
      if (word.guessedBy.length > 0 && guessed < maxGuessed && ways.every((way) => isEmpty(way.entries))) {
        guessed++
        for (const { word: likely, entries } of yield* guess(word)) {
          ways.push({ worth: SearchWords.slipWorth, entries })
          needles.push({ word: likely, match: "whole" })
        }
      }
      const rarity = ranking.add(word.worth, ways, pages)
      if (rarity > 0) found.push({ needles, weight: rarity * word.worth })
    }
    if (start + wordsAtOnce < words.length) yield* Effect.yieldNow
  }

  const pages = ranking.best(maxResults).map(({ page: number, score }): FoundPage => ({
    number,
    score: score / scoreUnit,
    position: positionOf(number, score)
  }))
  return { words: found, pages: others === undefined ? pages : yield* distinct(index, space, others, pages) }
})

/** The pages of the index with these numbers, and those that are beside it. */
export const named = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  space: string,
  others: OtherPages | undefined,
  pages: ReadonlyArray<FoundPage>
): Effect.fn.Return<ReadonlyArray<string | undefined>, StorageError> {
  const numbers = pages.flatMap(({ number }) => (number < firstOther ? [number] : []))
  const names = new Map((yield* index.numbered(space, numbers)).map((page, i) => [numbers[i]!, page]))
  return pages.map(({ number }) => (number < firstOther ? names.get(number) : others?.pages[number - firstOther]))
})

/** A page that is in the index and beside it stands where it is better. */
const distinct = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  space: string,
  others: OtherPages,
  pages: ReadonlyArray<FoundPage>
): Effect.fn.Return<ReadonlyArray<FoundPage>, StorageError> {
  const names = yield* named(index, space, others, pages)
  const seen = new Set<string | undefined>()
  return pages.filter((_, i) => {
    const isFresh = !seen.has(names[i])
    seen.add(names[i])
    return isFresh
  })
})

const isEmpty = (entries: Entries): boolean => entries.every((list) => list.length === 0)

const together = (stored: Entries, others: Entries): Entries =>
  isEmpty(others)
    ? stored
    : noEntries.map((_, level) => [...(stored[level] ?? []), ...others[level]!.map((page) => firstOther + page)])

const positionOf = (number: number, score: number) =>
  `${String(1e12 - score).padStart(13, "0")}.${String(number).padStart(16, "0")}`
