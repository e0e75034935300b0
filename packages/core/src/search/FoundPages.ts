/**
 * Finds the pages of spaces by a query: those that the index holds and those that are computed,
 * ranked together. A word that no page has is looked for by those that look like it.
 *
 * Limits: the best 1,000 pages; of a query 4 words that no page has, 16 that look like each of them.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, type Lookup, noEntries, type Reading, type SearchIndex } from "../storage/SearchIndex.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import { BestPages } from "./BestPages.ts"
import { Ranking, rarityIn, scoreUnit, type Way } from "./Ranking.ts"
import * as SearchWords from "./SearchWords.ts"
import type { FoundWord, Needle } from "./SectionMatch.ts"

/** The most pages that a query finds. */
export const maxResults = 1_000

const maxGuessed = 4
const maxGuesses = 16

/** How many words, and in how many spaces, are looked up before others get their turn. */
const wordsAtOnce = 4
const spacesAtOnce = 50

/** The number of the first page that is not in the index: behind every one that is. */
const firstOther = 1e12

export interface FoundPage {
  /** The place of its space among those that were searched. */
  readonly space: number
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

export interface SearchedSpace {
  readonly id: string
  readonly language: Language | undefined
  /** Pages of the index that count as if they were not there. */
  readonly hidden: ReadonlySet<string>
  readonly others: OtherPages | undefined
}

export interface Finding {
  readonly pages: ReadonlyArray<FoundPage>
  /** Words that pages of a space in this language were found by. */
  readonly words: ReadonlyMap<Language | undefined, ReadonlyArray<FoundWord>>
}

export const find = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  query: string,
  spaces: ReadonlyArray<SearchedSpace>
): Effect.fn.Return<Finding, StorageError> {
  /** In each language the same words, of other forms. */
  const asked = new Map<Language | undefined, ReadonlyArray<SearchWords.SearchWord>>()
  for (const { language } of spaces) {
    if (!asked.has(language)) asked.set(language, SearchWords.ofQuery(query, language))
  }
  const found = new Map(Array.from(asked.keys(), (language) => [language, new Array<FoundWord>()]))
  const words = [...asked.values()][0] ?? []
  const rankings = spaces.map(() => new Ranking())
  const slice = yield* Slice.begin
  let guessed = 0

  const read = (lookupsIn: (space: number) => ReadonlyArray<Lookup>) =>
    Effect.gen(function* () {
      const readings: Array<Reading> = []
      for (let start = 0; start < spaces.length; start += spacesAtOnce) {
        if (start > 0) yield* Effect.yieldNow
        const some = spaces
          .slice(start, start + spacesAtOnce)
          .map(({ id, hidden }, i) => ({ space: id, lookups: lookupsIn(start + i), hidden }))
        for (const [i, reading] of (yield* index.read(some)).entries()) {
          readings.push(withOthers(reading, some[i]!.lookups, spaces[start + i]!.others))
        }
      }
      return readings
    })

  /** For each space the words that resemble one that no page has. */
  const similar = (place: number) =>
    Effect.gen(function* () {
      const likely = spaces.map(() => new Set<string>())
      const pairs = spaces.flatMap(({ id, language, others }, space) =>
        asked.get(language)![place]!.guessedBy.map((word) => ({ space, others, asked: { space: id, word } }))
      )
      for (let start = 0; start < pairs.length; start += spacesAtOnce) {
        if (start > 0) yield* Effect.yieldNow
        const some = pairs.slice(start, start + spacesAtOnce)
        for (const [i, known] of (yield* index.similar(some.map(({ asked }) => asked))).entries()) {
          const { space, others, asked } = some[i]!
          for (const word of known) likely[space]!.add(word)
          for (const word of others?.similar(asked.word) ?? []) likely[space]!.add(word)
        }
      }
      return likely
    })

  /** Looks for words that resemble one that no page has: what each space has of each of them. */
  const guess = (place: number) =>
    Effect.gen(function* () {
      const likely = Array.from(yield* similar(place), (words) => [...words])
      const readings = yield* read((space) => likely[space]!.map((word) => ({ word, match: "whole" })))
      const known = new Map<string, Map<number, Entries>>()
      for (const [space, words] of likely.entries()) {
        for (const [i, word] of words.entries()) {
          const entries = readings[space]!.entries[i]!
          // Words of hidden pages alone are none.
          if (isEmpty(entries)) continue
          const having = known.get(word)
          if (having === undefined) known.set(word, new Map([[space, entries]]))
          else having.set(space, entries)
        }
      }
      const first = words[place]!.word[0]
      // People seldom miss the first character.
      return [...known].sort(([a], [b]) => Number(b[0] === first) - Number(a[0] === first)).slice(0, maxGuesses)
    })

  for (let start = 0; start < words.length; start += wordsAtOnce) {
    const end = Math.min(words.length, start + wordsAtOnce)
    const readings = yield* read((space) =>
      SearchWords.lookupsOf(asked.get(spaces[space]!.language)!.slice(start, end))
    )
    const pages = readings.reduce((sum, reading) => sum + reading.pages, 0)
    const at = spaces.map(() => 0)
    for (let place = start; place < end; place++) {
      const { worth, guessedBy } = words[place]!
      const worths = worthsOf([...asked.values()].map((list) => list[place]!))
      const ways = spaces.map(({ language }, space): Array<Way> => {
        const { alternatives } = asked.get(language)![place]!
        return worths.map((worth) => ({
          worth,
          entries: alternatives.some((one) => one.worth === worth) ? readings[space]!.entries[at[space]!++]! : noEntries
        }))
      })
      const needles: Array<Needle> = []
      if (guessedBy.length > 0 && guessed < maxGuessed && ways.every((of) => of.every(isUnseen))) {
        guessed++
        for (const [likely, having] of yield* guess(place)) {
          for (const [space, of] of ways.entries()) {
            of.push({ worth: SearchWords.slipWorth, entries: having.get(space) ?? noEntries })
          }
          needles.push({ word: likely, match: "whole" })
        }
      }
      const noted: Array<ReturnType<Ranking["note"]>> = []
      for (const [space, ranking] of rankings.entries()) {
        noted.push(ranking.note(ways[space]!))
        if (slice.isOver()) yield* slice.rest
      }
      const rarity = rarityIn(noted, pages)
      for (const [space, ranking] of rankings.entries()) {
        ranking.weigh(worth, noted[space]!, rarity)
        if (slice.isOver()) yield* slice.rest
      }
      if (rarity.rarest === 0) continue
      for (const [language, list] of asked) {
        const weight = rarity.rarest * worth
        found.get(language)!.push({ needles: [...list[place]!.needles, ...needles], weight })
      }
    }
    if (end < words.length) yield* Effect.yieldNow
  }

  /** The best pages of one space, each made when it is asked for: most don't count beside those of others. */
  const bestOf = function* (space: number, ranking: Ranking): Iterable<FoundPage> {
    for (const { page: number, score } of ranking.best(maxResults)) {
      yield { space, number, score: score / scoreUnit, position: positionOf(spaces[space]!.id, number, score) }
    }
  }

  const best = new BestPages<FoundPage>(maxResults)
  for (const [space, ranking] of rankings.entries()) {
    best.add(bestOf(space, ranking))
    if (slice.isOver()) yield* slice.rest
  }
  const pages = best.all()
  return {
    words: found,
    pages: spaces.some(({ others }) => others !== undefined) ? yield* distinct(index, spaces, pages) : pages
  }
})

/** The pages of the index with these numbers, and those that are beside it. */
export const named = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  spaces: ReadonlyArray<SearchedSpace>,
  pages: ReadonlyArray<FoundPage>
): Effect.fn.Return<ReadonlyArray<string | undefined>, StorageError> {
  const indexed = pages.filter(({ number }) => number < firstOther)
  const names = yield* index.numbered(indexed.map(({ space, number }) => ({ space: spaces[space]!.id, number })))
  let at = 0
  return pages.map(({ space, number }) =>
    number < firstOther ? names[at++] : spaces[space]!.others?.pages[number - firstOther]
  )
})

/** A page that is in the index and beside it stands where it is better. */
const distinct = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  spaces: ReadonlyArray<SearchedSpace>,
  pages: ReadonlyArray<FoundPage>
): Effect.fn.Return<ReadonlyArray<FoundPage>, StorageError> {
  const names = yield* named(index, spaces, pages)
  const seen = spaces.map(() => new Set<string | undefined>())
  return pages.filter(({ space }, i) => {
    const isFresh = !seen[space]!.has(names[i])
    seen[space]!.add(names[i])
    return isFresh
  })
})

/** Of the alternatives of a word in several languages, the highest first. */
const worthsOf = (word: ReadonlyArray<SearchWords.SearchWord>): ReadonlyArray<number> =>
  [...new Set(word.flatMap(({ alternatives }) => alternatives.map(({ worth }) => worth)))].sort((a, b) => b - a)

const isEmpty = (entries: Entries): boolean => entries.every((list) => list.length === 0)

const isUnseen = ({ entries }: Way): boolean => isEmpty(entries)

const withOthers = (
  { pages, entries }: Reading,
  lookups: ReadonlyArray<Lookup>,
  others: OtherPages | undefined
): Reading => ({
  pages: pages + (others?.pages.length ?? 0),
  entries: others === undefined ? entries : entries.map((list, i) => together(list, others.read(lookups[i]!)))
})

const together = (stored: Entries, others: Entries): Entries =>
  isEmpty(others)
    ? stored
    : noEntries.map((_, level) => [...(stored[level] ?? []), ...others[level]!.map((page) => firstOther + page)])

const positionOf = (space: string, number: number, score: number) =>
  `${String(1e12 - score).padStart(13, "0")}.${space}.${String(number).padStart(16, "0")}`
