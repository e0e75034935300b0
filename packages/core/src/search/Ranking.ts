/**
 * Which pages of a space are best, by how much they say of each word (their levels), how rare the word
 * is, and how many of the words they have. A page need not have all of them.
 *
 * Titles of the pages above a page count as well: the page has their words, and says a little of each. A page gains if
 * the query has all words of its title, and the more the more of the query these titles have.
 *
 * Of several spaces each has a ranking of its own. A word is as rare as it is in all of them together,
 * so their scores compare: first every ranking notes what was found of a word, then all of them weigh it.
 */
import type { Entries } from "../storage/SearchIndex.ts"
import { saidAt } from "./PageWords.ts"
import type { TitleMatch } from "./TitleMatch.ts"

export interface Hit {
  /** The number of the page. */
  readonly page: number
  /** How good it is, a whole number: higher is better. */
  readonly score: number
}

/** Pages that were found for a word in one way, and the worth of this way for the word. */
export interface Way {
  readonly worth: number
  readonly entries: Entries
}

/** A word as the pages of a space have it. */
interface Noted {
  readonly found: ReadonlyArray<{
    readonly worth: number
    /** Places of the pages, a list for each level. */
    readonly places: ReadonlyArray<ReadonlyArray<number>>
    /** How many pages are found in this way, and in none before it. */
    readonly more: number
    readonly isEmpty: boolean
  }>
  readonly having: ReadonlyArray<number>
}

/** Rarity of a word in all that is searched. */
export interface Rarity {
  /** That of each way, with the pages of all ways before it. */
  readonly ways: ReadonlyArray<number>
  /** The highest of those in which any page was found; 0: no page has the word. */
  readonly rarest: number
}

/** How rare a word is in spaces that have so many pages together. Each was noted in the same ways. */
export const rarityIn = (noted: ReadonlyArray<Noted>, pages: number): Rarity => {
  let having = 0
  let rarest = 0
  const ways = (noted[0]?.found ?? []).map((_, way) => {
    let isEmpty = true
    for (const { found } of noted) {
      having += found[way]!.more
      if (!found[way]!.isEmpty) isEmpty = false
    }
    const rarity = rarityOf(having, pages)
    if (!isEmpty && rarity > rarest) rarest = rarity
    return rarity
  })
  return { ways, rarest }
}

/** Part of its score that a page keeps when it has next to none of the words that were asked for. */
const keptOfPart = 0.35

/** How much a page says of a word that stands in the title of a page above it, of 1. */
const saidAbove = 0.1

/** Part by which the score of a page rises if its title and those above it are the query. */
const namedCounts = 0.8

/** Whole number that stands for a score of 1. */
export const scoreUnit = 1_000

export class Ranking {
  /** The pages that were found, and for each its place in the lists below. */
  private readonly pages: Array<number> = []
  private readonly places = new Map<number, number>()
  private readonly scores: Array<number> = []
  /** How much of what was asked for a page has. */
  private readonly has: Array<number> = []
  private asked = 0
  /** The weight of each word, in the order in which they were added. */
  private readonly weights: Array<number> = []
  /** Words of each page, as bits: a list for the first 32 words, and one for the others (at most 64 in all). */
  private readonly words: readonly [Array<number>, Array<number>] = [[], []]

  /** Notes in which ways the pages of the space have a word. */
  note(ways: ReadonlyArray<Way>): Noted {
    const known: Array<boolean> = []
    const having: Array<number> = []
    const found = ways.map(({ worth, entries }) => {
      const before = having.length
      let isEmpty = true
      const places: Array<ReadonlyArray<number>> = []
      for (const list of entries) {
        if (list.length === 0) {
          places.push(nowhere)
          continue
        }
        isEmpty = false
        const here = list.map((page) => this.placeOf(page))
        places.push(here)
        for (const place of here) {
          if (known[place] === true) continue
          known[place] = true
          having.push(place)
        }
      }
      return { worth, places, more: having.length - before, isEmpty }
    })
    return { found, having }
  }

  /** Adds a word to the scores. A page counts by the best way that it was found in. */
  weigh(worth: number, { found, having }: Noted, { ways, rarest }: Rarity): void {
    /** For each page that has the word, the best of what it says; those that have it not are left out. */
    const best: Array<number> = []
    for (const place of having) best[place] = 0
    for (const [way, { worth, places }] of found.entries()) {
      for (let level = 0; level < places.length; level++) {
        const list = places[level]!
        if (list.length === 0) continue
        const value = saidAt[level]! * worth * ways[way]!
        for (const place of list) if (best[place]! < value) best[place] = value
      }
    }
    this.asked += worth * rarest
    const word = this.weights.push(worth * rarest) - 1
    const words = this.words[word < 32 ? 0 : 1]
    for (const place of having) {
      words[place]! |= 1 << (word % 32)
      this.scores[place]! += best[place]! * worth
      this.has[place]! += rarest * worth
    }
  }

  /** The best pages, at most `limit`; those of one score in the order of their numbers. */
  best(limit: number): ReadonlyArray<Hit> {
    const scores = new Float64Array(this.scores.length)
    for (let place = 0; place < scores.length; place++) {
      scores[place] = this.scoreOf(this.scores[place]!, this.has[place]!)
    }
    const least = scores.length > limit ? scores.toSorted()[scores.length - limit]! : 0
    const hits: Array<Hit> = []
    for (let place = 0; place < scores.length; place++) {
      const score = scores[place]!
      if (score >= least) hits.push({ page: this.pages[place]!, score })
    }
    return hits.sort((a, b) => b.score - a.score || a.page - b.page).slice(0, limit)
  }

  /** Returns the score of a found page with its titles. It is never lower than the score without them. */
  withTitles(page: number, { above, named }: TitleMatch): number {
    const place = this.places.get(page)!
    let score = this.scores[place]!
    let has = this.has[place]!
    for (const [word, weight] of this.weights.entries()) {
      if (above[word] !== true) continue
      score += saidAbove * weight
      const isOwn = (this.words[word < 32 ? 0 : 1][place]! & (1 << (word % 32))) !== 0
      if (!isOwn) has += weight
    }
    return this.scoreOf(score * (1 + namedCounts * named ** 3), has)
  }

  private scoreOf(score: number, has: number): number {
    const counts = keptOfPart + (1 - keptOfPart) * (has / this.asked)
    return Math.max(1, Math.round(score * counts * scoreUnit))
  }

  private placeOf(page: number): number {
    const known = this.places.get(page)
    if (known !== undefined) return known
    const place = this.pages.push(page) - 1
    this.places.set(page, place)
    this.scores.push(0)
    this.has.push(0)
    for (const words of this.words) words.push(0)
    return place
  }
}

const nowhere: ReadonlyArray<number> = []

const rarityOf = (having: number, pages: number): number =>
  Math.log(1 + (Math.max(pages, having) - having + 0.5) / (having + 0.5))
