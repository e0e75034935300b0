/**
 * Ranks the pages of a space by the relevance of each word, the rarity of the words, and the number of matched words.
 * The relevance follows from the word's level (see `SearchIndex`). A page need not contain all words.
 *
 * The titles of a page's ancestors count as well: the page has their words with a low relevance. A page gains if the
 * query contains all words of its title. The gain grows with the share of the query that these titles contain.
 *
 * Each space has its own ranking. The rarity of a word is computed over all searched spaces, so scores are comparable.
 * Each ranking first returns the matches of a word with `match`. Then `wordRarity` computes the rarity, and each
 * ranking adds the word with `addWord`.
 */
import type { Entries } from "../storage/SearchIndex.ts"
import { levelRelevance } from "./PageWords.ts"
import type { TitleMatch } from "./TitleMatch.ts"

export interface Hit {
  /** Number of the page in its space. */
  readonly page: number
  /** Score of the page, an integer. Higher is better. */
  readonly score: number
}

/** One alternative of a word: the pages that match it, and its weight (0 to 1). */
export interface Alternative {
  readonly weight: number
  readonly entries: Entries
}

/** Matches of a word in one space. */
interface WordMatches {
  readonly alternatives: ReadonlyArray<{
    readonly weight: number
    /** Indexes of the pages in the ranking, one list for each level. */
    readonly pageIndexes: ReadonlyArray<ReadonlyArray<number>>
    /** Number of pages that match this alternative and no earlier one. */
    readonly newPages: number
    readonly isEmpty: boolean
  }>
  readonly matchingPages: ReadonlyArray<number>
}

/** Rarity of a word in all searched spaces. */
export interface Rarity {
  /** Rarity for each alternative, counting the pages of this and all earlier alternatives. */
  readonly rarities: ReadonlyArray<number>
  /** Highest rarity among alternatives with matches. 0 if no page has the word. */
  readonly highestRarity: number
}

/**
 * Computes the rarity of a word in spaces with this total number of pages. All elements of `matches` have the same
 * alternatives.
 */
export const wordRarity = (matches: ReadonlyArray<WordMatches>, pages: number): Rarity => {
  let matchCount = 0
  let highestRarity = 0
  const rarities = (matches[0]?.alternatives ?? []).map((_, alternativeIndex) => {
    let isEmpty = true
    for (const { alternatives } of matches) {
      matchCount += alternatives[alternativeIndex]!.newPages
      if (!alternatives[alternativeIndex]!.isEmpty) isEmpty = false
    }
    const rarity = rarityOf(matchCount, pages)
    if (!isEmpty && rarity > highestRarity) highestRarity = rarity
    return rarity
  })
  return { rarities, highestRarity }
}

/** Minimum factor for the score of a page that lacks most words of the query. */
const minMatchFactor = 0.35

/** Relevance of a word that an ancestor's title contains (0 to 1). */
const ancestorTitleRelevance = 0.1

/** Maximum gain of a score, as a share, if the titles of a page and its ancestors contain the whole query. */
const maxTitleGain = 0.8

/** Integer that represents a score of 1. */
export const scoreUnit = 1_000

export class Ranking {
  /** Numbers of the matching pages, and the index of each page in `pages`, `scores`, `matchedWeight` and `words`. */
  private readonly pages: Array<number> = []
  private readonly indexes = new Map<number, number>()
  private readonly scores: Array<number> = []
  /** Weight of the query words that each page has. */
  private readonly matchedWeight: Array<number> = []
  private queryWeight = 0
  /** Weight of each word, in the order of the calls of `addWord`. */
  private readonly weights: Array<number> = []
  /** Words of each page as bits: one list for the first 32 words, one for the next 32. A query has at most 64 words. */
  private readonly words: readonly [Array<number>, Array<number>] = [[], []]

  /** Returns the pages of the space that match the alternatives of a word. */
  match(alternatives: ReadonlyArray<Alternative>): WordMatches {
    const isMatched: Array<boolean> = []
    const matchingPages: Array<number> = []
    const matchedAlternatives = alternatives.map(({ weight, entries }) => {
      const before = matchingPages.length
      let isEmpty = true
      const pageIndexes: Array<ReadonlyArray<number>> = []
      for (const list of entries) {
        if (list.length === 0) {
          pageIndexes.push(noIndexes)
          continue
        }
        isEmpty = false
        const levelIndexes = list.map((page) => this.indexOf(page))
        pageIndexes.push(levelIndexes)
        for (const index of levelIndexes) {
          if (isMatched[index] === true) continue
          isMatched[index] = true
          matchingPages.push(index)
        }
      }
      return { weight, pageIndexes, newPages: matchingPages.length - before, isEmpty }
    })
    return { alternatives: matchedAlternatives, matchingPages }
  }

  /** Adds a word to the scores. The best alternative of a page counts. */
  addWord(wordWeight: number, { alternatives, matchingPages }: WordMatches, { rarities, highestRarity }: Rarity): void {
    /** Best value for each page that has the word, by index. Sparse: pages without the word have no entry. */
    const best: Array<number> = []
    for (const index of matchingPages) best[index] = 0
    for (const [alternativeIndex, { weight, pageIndexes }] of alternatives.entries()) {
      for (let level = 0; level < pageIndexes.length; level++) {
        const list = pageIndexes[level]!
        if (list.length === 0) continue
        const value = levelRelevance[level]! * weight * rarities[alternativeIndex]!
        for (const index of list) if (best[index]! < value) best[index] = value
      }
    }
    this.queryWeight += wordWeight * highestRarity
    const word = this.weights.push(wordWeight * highestRarity) - 1
    const words = this.words[word < 32 ? 0 : 1]
    for (const index of matchingPages) {
      words[index]! |= 1 << (word % 32)
      this.scores[index]! += best[index]! * wordWeight
      this.matchedWeight[index]! += highestRarity * wordWeight
    }
  }

  /** Returns the best pages, best first, at most `limit`. Pages with equal scores are sorted by number. */
  best(limit: number): ReadonlyArray<Hit> {
    const scores = new Float64Array(this.scores.length)
    for (let index = 0; index < scores.length; index++) {
      scores[index] = this.scoreOf(this.scores[index]!, this.matchedWeight[index]!)
    }
    const minimum = scores.length > limit ? scores.toSorted()[scores.length - limit]! : 0
    const hits: Array<Hit> = []
    for (let index = 0; index < scores.length; index++) {
      const score = scores[index]!
      if (score >= minimum) hits.push({ page: this.pages[index]!, score })
    }
    return hits.sort((a, b) => b.score - a.score || a.page - b.page).slice(0, limit)
  }

  /** Returns the score of a found page with its titles. It is never lower than the score without them. */
  withTitles(page: number, { ancestors, queryShare }: TitleMatch): number {
    const index = this.indexes.get(page)!
    let score = this.scores[index]!
    let matchedWeight = this.matchedWeight[index]!
    for (const [word, weight] of this.weights.entries()) {
      if (ancestors[word] !== true) continue
      score += ancestorTitleRelevance * weight
      const isOwn = (this.words[word < 32 ? 0 : 1][index]! & (1 << (word % 32))) !== 0
      if (!isOwn) matchedWeight += weight
    }
    return this.scoreOf(score * (1 + maxTitleGain * queryShare ** 3), matchedWeight)
  }

  private scoreOf(score: number, matchedWeight: number): number {
    const matchFactor = minMatchFactor + (1 - minMatchFactor) * (matchedWeight / this.queryWeight)
    return Math.max(1, Math.round(score * matchFactor * scoreUnit))
  }

  private indexOf(page: number): number {
    const existing = this.indexes.get(page)
    if (existing !== undefined) return existing
    const index = this.pages.push(page) - 1
    this.indexes.set(page, index)
    this.scores.push(0)
    this.matchedWeight.push(0)
    for (const words of this.words) words.push(0)
    return index
  }
}

const noIndexes: ReadonlyArray<number> = []

const rarityOf = (matchCount: number, pages: number): number =>
  Math.log(1 + (Math.max(pages, matchCount) - matchCount + 0.5) / (matchCount + 0.5))
