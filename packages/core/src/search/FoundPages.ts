/**
 * Finds the pages of spaces that match a query. Indexed and computed pages are ranked together. A word without matches
 * is replaced by similar words. The best pages are ranked again by their titles and the titles of their ancestors (see
 * `TitleMatch`).
 *
 * Limits: the best 1,000 pages; 4 words of a query are replaced, by up to 16 similar words each.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, noEntries, type SearchIndex } from "../storage/SearchIndex.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import { BestPages } from "./BestPages.ts"
import { Ranking, rarityIn, scoreUnit, type Way } from "./Ranking.ts"
import * as SearchWords from "./SearchWords.ts"
import type { FoundWord, Needle } from "./SectionMatch.ts"
import { firstOther, isEmpty, type SearchedSpace } from "./SpaceLookups.ts"
import * as SpaceLookups from "./SpaceLookups.ts"
import * as TitleMatch from "./TitleMatch.ts"

/** Maximum number of results of a query. */
export const maxResults = 1_000

const maxGuessed = 4
const maxGuesses = 16

/** Number of words that are looked up before the fiber yields. */
const wordsAtOnce = 4

export interface FoundPage {
  /** Index of the page's space in the searched spaces. */
  readonly space: number
  /**
   * Number of the page in the index. For a page outside the index, `firstOther` plus its index in `OtherPages.pages`.
   */
  readonly number: number
  /** Higher is better. */
  readonly score: number
  /** Sort key of the page in the results: score, space and number. Does not depend on other pages. */
  readonly position: string
}

export interface Finding {
  readonly pages: ReadonlyArray<FoundPage>
  /** Matched words of the query, by the language of the space. */
  readonly words: ReadonlyMap<Language | undefined, ReadonlyArray<FoundWord>>
}

/** Returns the titles of pages, in the order of the pages. Undefined for a page that has left the space. */
export type TitlesOf = (
  pages: ReadonlyArray<FoundPage>
) => Effect.Effect<ReadonlyArray<TitleMatch.PageTitles | undefined>, StorageError>

export const find = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  query: string,
  spaces: ReadonlyArray<SearchedSpace>,
  titlesOf: TitlesOf
): Effect.fn.Return<Finding, StorageError> {
  /** Words of the query by language. All languages have equal words, in other forms. */
  const asked = new Map<Language | undefined, ReadonlyArray<SearchWords.SearchWord>>()
  for (const { language } of spaces) {
    if (!asked.has(language)) asked.set(language, SearchWords.ofQuery(query, language))
  }
  const found = new Map<Language | undefined, Array<FoundWord>>()
  for (const language of asked.keys()) found.set(language, [])
  const inEach = [...asked.values()]
  const words = inEach[0] ?? []
  const rankings = spaces.map(() => new Ranking())
  const slice = yield* Slice.start
  let guessed = 0

  for (let start = 0; start < words.length; start += wordsAtOnce) {
    const end = Math.min(words.length, start + wordsAtOnce)
    const readings = yield* SpaceLookups.read(index, spaces, (space) =>
      SearchWords.lookupsOf(asked.get(spaces[space]!.language)!.slice(start, end))
    )
    const pages = readings.reduce((sum, reading) => sum + reading.pages, 0)
    const at = spaces.map(() => 0)
    for (let place = start; place < end; place++) {
      const { worth, guessedBy } = words[place]!
      const worths = worthsOf(inEach.map((list) => list[place]!))
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
        for (const [likely, having] of yield* guess(index, spaces, asked, place)) {
          for (const [space, of] of ways.entries()) {
            of.push({ worth: SearchWords.slipWorth, entries: having.get(space) ?? noEntries })
          }
          needles.push({ word: likely, match: "whole" })
        }
      }
      const noted: Array<ReturnType<Ranking["note"]>> = []
      for (const [space, ranking] of rankings.entries()) {
        noted.push(ranking.note(ways[space]!))
        if (slice.isOver()) yield* slice.pause
      }
      const rarity = rarityIn(noted, pages)
      // A word without matches is added neither to the rankings nor to `found`.
      if (rarity.rarest === 0) continue
      for (const [space, ranking] of rankings.entries()) {
        ranking.weigh(worth, noted[space]!, rarity)
        if (slice.isOver()) yield* slice.pause
      }
      for (const [language, list] of asked) {
        const weight = rarity.rarest * worth
        found.get(language)!.push({ needles: [...list[place]!.needles, ...needles], weight })
      }
    }
    if (end < words.length) yield* Effect.yieldNow
  }

  const best = new BestPages<FoundPage>(maxResults)
  for (const [space, ranking] of rankings.entries()) {
    best.add(bestOf(spaces[space]!.id, space, ranking))
    if (slice.isOver()) yield* slice.pause
  }
  const ranked = best.all()
  const matched: Array<FoundPage> = []
  const titles = yield* titlesOf(ranked.slice(0, TitleMatch.maxMatched))
  for (const [i, of] of titles.entries()) {
    const page = ranked[i]!
    const { id, language } = spaces[page.space]!
    matched.push(
      of === undefined
        ? page
        : foundPage(
            id,
            page.space,
            page.number,
            rankings[page.space]!.withTitles(page.number, TitleMatch.match(of, found.get(language)!))
          )
    )
    if (slice.isOver()) yield* slice.pause
  }
  const pages = [...matched.sort(byPosition), ...ranked.slice(matched.length)]
  return {
    words: found,
    pages: spaces.some(({ others }) => others !== undefined) ? yield* distinct(index, spaces, pages) : pages
  }
})

/** Yields the best pages of one space lazily, since `BestPages` stops at the first page that is not good enough. */
function* bestOf(id: string, space: number, ranking: Ranking): Iterable<FoundPage> {
  for (const { page, score } of ranking.best(maxResults)) yield foundPage(id, space, page, score)
}

const foundPage = (id: string, space: number, number: number, score: number): FoundPage => ({
  space,
  number,
  score: score / scoreUnit,
  position: positionOf(id, number, score)
})

const byPosition = (a: FoundPage, b: FoundPage): number => (a.position < b.position ? -1 : 1)

/** Finds words that are similar to a word without matches. Returns each with its index entries by space. */
const guess = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  spaces: ReadonlyArray<SearchedSpace>,
  asked: ReadonlyMap<Language | undefined, ReadonlyArray<SearchWords.SearchWord>>,
  place: number
) {
  const similar = yield* SpaceLookups.similar(index, spaces, (language) => asked.get(language)![place]!.guessedBy)
  const likely = similar.map((words) => [...words])
  const readings = yield* SpaceLookups.read(index, spaces, (space) =>
    likely[space]!.map((word) => ({ word, match: "whole" }))
  )
  const known = new Map<string, Map<number, Entries>>()
  for (const [space, words] of likely.entries()) {
    for (const [i, word] of words.entries()) {
      const entries = readings[space]!.entries[i]!
      // A word that only hidden pages have does not count.
      if (isEmpty(entries)) continue
      const having = known.get(word)
      if (having === undefined) known.set(word, new Map([[space, entries]]))
      else having.set(space, entries)
    }
  }
  const first = [...asked.values()][0]![place]!.word[0]
  // Words with the same first character come first, since typing errors in it are rare.
  return [...known].sort(([a], [b]) => Number(b[0] === first) - Number(a[0] === first)).slice(0, maxGuesses)
})

/**
 * Returns the ids of pages by their numbers, both of indexed pages and of other pages. Undefined for a page that has
 * left the index.
 */
export const named = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  spaces: ReadonlyArray<SearchedSpace>,
  pages: ReadonlyArray<FoundPage>
): Effect.fn.Return<ReadonlyArray<string | undefined>, StorageError> {
  const indexed = pages.filter(({ number }) => number < firstOther)
  const names = yield* index.pagesByNumber(indexed.map(({ space, number }) => ({ space: spaces[space]!.id, number })))
  let at = 0
  return pages.map(({ space, number }) =>
    number < firstOther ? names[at++] : spaces[space]!.others?.pages[number - firstOther]
  )
})

/** Removes duplicates. A page that is both in the index and in `others` remains at its better rank. */
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

/**
 * Returns the weights of a word's alternatives in all languages: distinct and descending. For a single language the
 * order is unchanged.
 */
const worthsOf = (word: ReadonlyArray<SearchWords.SearchWord>): ReadonlyArray<number> =>
  word.length === 1
    ? word[0]!.alternatives.map(({ worth }) => worth)
    : [...new Set(word.flatMap(({ alternatives }) => alternatives.map(({ worth }) => worth)))].sort((a, b) => b - a)

const isUnseen = ({ entries }: Way): boolean => isEmpty(entries)

const positionOf = (space: string, number: number, score: number) =>
  `${String(1e12 - score).padStart(13, "0")}.${space}.${String(number).padStart(16, "0")}`
