/**
 * Finds the pages of spaces that match a query. Indexed and computed pages are ranked together. A word without matches
 * is replaced by similar words. The best pages are ranked again by their titles and the titles of their ancestors (see
 * `TitleMatch`). Those with equal scores are in the order of their titles, so every index of the same pages has the same
 * results.
 *
 * Limits: the best 1,000 pages; 4 words of a query are replaced, by up to 16 similar words each.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, noEntries, type SearchIndex } from "../storage/SearchIndex.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import { BestPages } from "./BestPages.ts"
import { Ranking, wordRarity, scoreUnit, type Alternative } from "./Ranking.ts"
import * as SearchWords from "./SearchWords.ts"
import type { MatchedWord, Needle } from "./SectionMatch.ts"
import { firstUnindexed, isEmpty, type SearchedSpace } from "./SpaceLookups.ts"
import * as SpaceLookups from "./SpaceLookups.ts"
import * as TitleMatch from "./TitleMatch.ts"

/** Maximum number of results of a query. */
export const maxResults = 1_000

const maxReplacedWords = 4
const maxReplacements = 16

/** Number of words that are looked up before the fiber yields. */
const wordBatchSize = 4

/** The part of the index that a search reads. */
export type ReadableIndex = Pick<SearchIndex["Service"], "read" | "similar" | "pagesByNumber">

export interface PageMatch {
  /** Index of the page's space in the searched spaces. */
  readonly space: number
  /**
   * Number of the page in the index. For a page outside the index, `firstUnindexed` plus its index in
   * `UnindexedPages.pages`.
   */
  readonly number: number
  /** Higher is better. */
  readonly score: number
  /** Sort key of the page in the results: score, titles (if they are loaded), space and number. */
  readonly position: string
}

export interface QueryMatches {
  readonly pages: ReadonlyArray<PageMatch>
  /** Matched words of the query, by the language of the space. */
  readonly words: ReadonlyMap<Language | undefined, ReadonlyArray<MatchedWord>>
}

/** Returns the titles of pages, in the order of the pages. Undefined for a page that has left the space. */
export type LoadTitles = (
  pages: ReadonlyArray<PageMatch>
) => Effect.Effect<ReadonlyArray<TitleMatch.PageTitles | undefined>, StorageError>

export const find = Effect.fnUntraced(function* (
  index: ReadableIndex,
  query: string,
  spaces: ReadonlyArray<SearchedSpace>,
  loadTitles: LoadTitles
): Effect.fn.Return<QueryMatches, StorageError> {
  /** Words of the query by language. Only the stems differ between languages. */
  const queryWords = new Map<Language | undefined, ReadonlyArray<SearchWords.SearchWord>>()
  for (const { language } of spaces) {
    if (!queryWords.has(language)) queryWords.set(language, SearchWords.parseQuery(query, language))
  }
  const matchedWords = new Map<Language | undefined, Array<MatchedWord>>()
  for (const language of queryWords.keys()) matchedWords.set(language, [])
  const wordsByLanguage = [...queryWords.values()]
  const words = wordsByLanguage[0] ?? []
  const rankings = spaces.map(() => new Ranking())
  const slice = yield* Slice.start
  let replacedCount = 0

  for (let start = 0; start < words.length; start += wordBatchSize) {
    const end = Math.min(words.length, start + wordBatchSize)
    const lookupResults = yield* SpaceLookups.read(index, spaces, (space) =>
      SearchWords.lookupsOf(queryWords.get(spaces[space]!.language)!.slice(start, end))
    )
    const pages = lookupResults.reduce((sum, result) => sum + result.pages, 0)
    const entryIndexes = spaces.map(() => 0)
    for (let wordIndex = start; wordIndex < end; wordIndex++) {
      const { weight: wordWeight, similarTo } = words[wordIndex]!
      const weights = weightsOf(wordsByLanguage.map((list) => list[wordIndex]!))
      const alternativesBySpace = spaces.map(({ language }, space): Array<Alternative> => {
        const { alternatives } = queryWords.get(language)![wordIndex]!
        return weights.map((alternativeWeight) => ({
          weight: alternativeWeight,
          entries: alternatives.some((candidate) => candidate.weight === alternativeWeight)
            ? lookupResults[space]!.entries[entryIndexes[space]!++]!
            : noEntries
        }))
      })
      const needles: Array<Needle> = []
      if (
        similarTo.length > 0 &&
        replacedCount < maxReplacedWords &&
        alternativesBySpace.every((spaceAlternatives) => spaceAlternatives.every(hasNoMatches))
      ) {
        replacedCount++
        for (const [similarWord, entriesBySpace] of yield* findReplacements(index, spaces, queryWords, wordIndex)) {
          for (const [space, spaceAlternatives] of alternativesBySpace.entries()) {
            spaceAlternatives.push({ weight: SearchWords.typoWeight, entries: entriesBySpace.get(space) ?? noEntries })
          }
          needles.push({ word: similarWord, match: "whole" })
        }
      }
      const matches: Array<ReturnType<Ranking["match"]>> = []
      for (const [space, ranking] of rankings.entries()) {
        matches.push(ranking.match(alternativesBySpace[space]!))
        if (slice.isOver()) yield* slice.pause
      }
      const rarity = wordRarity(matches, pages)
      // A word without matches has no effect on the rankings and is not listed in `matchedWords`.
      if (rarity.highestRarity === 0) continue
      for (const [space, ranking] of rankings.entries()) {
        ranking.addWord(wordWeight, matches[space]!, rarity)
        if (slice.isOver()) yield* slice.pause
      }
      for (const [language, list] of queryWords) {
        const weight = rarity.highestRarity * wordWeight
        matchedWords.get(language)!.push({ needles: [...list[wordIndex]!.needles, ...needles], weight })
      }
    }
    if (end < words.length) yield* Effect.yieldNow
  }

  const best = new BestPages<PageMatch>(maxResults)
  for (const [space, ranking] of rankings.entries()) {
    best.add(bestPagesOf(spaces[space]!.id, space, ranking))
    if (slice.isOver()) yield* slice.pause
  }
  const rankedPages = best.all()
  const pageMatches: Array<PageMatch> = []
  const titles = yield* loadTitles(rankedPages.slice(0, TitleMatch.maxMatchedPages))
  for (const [i, pageTitles] of titles.entries()) {
    const page = rankedPages[i]!
    const { id, language } = spaces[page.space]!
    pageMatches.push(
      pageTitles === undefined
        ? page
        : toPageMatch(
            id,
            page.space,
            page.number,
            rankings[page.space]!.withTitles(page.number, TitleMatch.match(pageTitles, matchedWords.get(language)!)),
            [pageTitles.title, ...pageTitles.ancestors].join("\n")
          )
    )
    if (slice.isOver()) yield* slice.pause
  }
  const pages = [...pageMatches.sort(byPosition), ...rankedPages.slice(pageMatches.length)]
  return {
    words: matchedWords,
    pages: spaces.some(({ unindexed }) => unindexed !== undefined)
      ? yield* withoutDuplicates(index, spaces, pages)
      : pages
  }
})

/** Yields the best pages of one space lazily, since `BestPages` stops at the first page that is not good enough. */
function* bestPagesOf(id: string, space: number, ranking: Ranking): Iterable<PageMatch> {
  for (const { page, score } of ranking.best(maxResults)) yield toPageMatch(id, space, page, score)
}

const toPageMatch = (id: string, space: number, number: number, score: number, titles = ""): PageMatch => ({
  space,
  number,
  score: score / scoreUnit,
  position: [String(1e12 - score).padStart(13, "0"), titles, id, String(number).padStart(16, "0")].join("\0")
})

const byPosition = (a: PageMatch, b: PageMatch): number => (a.position < b.position ? -1 : 1)

/** Finds words that are similar to a word without matches. Returns each with its index entries by space. */
const findReplacements = Effect.fnUntraced(function* (
  index: ReadableIndex,
  spaces: ReadonlyArray<SearchedSpace>,
  queryWords: ReadonlyMap<Language | undefined, ReadonlyArray<SearchWords.SearchWord>>,
  wordIndex: number
) {
  const similar = yield* SpaceLookups.similar(
    index,
    spaces,
    (language) => queryWords.get(language)![wordIndex]!.similarTo
  )
  const similarBySpace = similar.map((words) => [...words])
  const lookupResults = yield* SpaceLookups.read(index, spaces, (space) =>
    similarBySpace[space]!.map((word) => ({ word, match: "whole" }))
  )
  const entriesByWord = new Map<string, Map<number, Entries>>()
  for (const [space, words] of similarBySpace.entries()) {
    for (const [i, word] of words.entries()) {
      const entries = lookupResults[space]!.entries[i]!
      // A word that only hidden pages have does not count.
      if (isEmpty(entries)) continue
      const entriesBySpace = entriesByWord.get(word)
      if (entriesBySpace === undefined) entriesByWord.set(word, new Map([[space, entries]]))
      else entriesBySpace.set(space, entries)
    }
  }
  const first = [...queryWords.values()][0]![wordIndex]!.word[0]
  // Words with the same first character come first, since typing errors in it are rare.
  return [...entriesByWord]
    .sort(([a], [b]) => Number(b[0] === first) - Number(a[0] === first))
    .slice(0, maxReplacements)
})

/**
 * Returns the ids of pages by their numbers, both of indexed pages and of other pages. Undefined for a page that has
 * left the index.
 */
export const pageIds = Effect.fnUntraced(function* (
  index: ReadableIndex,
  spaces: ReadonlyArray<SearchedSpace>,
  pages: ReadonlyArray<PageMatch>
): Effect.fn.Return<ReadonlyArray<string | undefined>, StorageError> {
  const indexed = pages.filter(({ number }) => number < firstUnindexed)
  const ids = yield* index.pagesByNumber(indexed.map(({ space, number }) => ({ space: spaces[space]!.id, number })))
  let indexedCount = 0
  return pages.map(({ space, number }) =>
    number < firstUnindexed ? ids[indexedCount++] : spaces[space]!.unindexed?.pages[number - firstUnindexed]
  )
})

/** Removes duplicates. A page that is both in the index and in `unindexed` remains at its better rank. */
const withoutDuplicates = Effect.fnUntraced(function* (
  index: ReadableIndex,
  spaces: ReadonlyArray<SearchedSpace>,
  pages: ReadonlyArray<PageMatch>
): Effect.fn.Return<ReadonlyArray<PageMatch>, StorageError> {
  const ids = yield* pageIds(index, spaces, pages)
  const seenIds = spaces.map(() => new Set<string | undefined>())
  return pages.filter(({ space }, i) => {
    const isFirst = !seenIds[space]!.has(ids[i])
    seenIds[space]!.add(ids[i])
    return isFirst
  })
})

/**
 * Returns the weights of a word's alternatives in all languages: distinct and descending. For a single language the
 * order is unchanged.
 */
const weightsOf = (word: ReadonlyArray<SearchWords.SearchWord>): ReadonlyArray<number> =>
  word.length === 1
    ? word[0]!.alternatives.map(({ weight }) => weight)
    : [...new Set(word.flatMap(({ alternatives }) => alternatives.map(({ weight }) => weight)))].sort((a, b) => b - a)

const hasNoMatches = ({ entries }: Alternative): boolean => isEmpty(entries)
