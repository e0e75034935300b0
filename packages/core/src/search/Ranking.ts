/**
 * Which pages are best, by how much they say of each word (their levels), how rare the word is in
 * the space, and how many of the words they have. A page need not have all of them.
 */
import type { Entries } from "../storage/SearchIndex.ts"
import { saidAt } from "./PageWords.ts"

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

/** Part of its score that a page keeps when it has next to none of the words that were asked for. */
const keptOfPart = 0.35

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

  /**
   * Adds a word with all that was found of it, in a space of so many pages. A page counts by the best
   * way that it was found in. Answers how rare the word is; 0: no page has it.
   */
  add(worth: number, ways: ReadonlyArray<Way>, pages: number): number {
    const best = new Map<number, number>()
    let rarest = 0
    for (const way of ways) {
      const found = way.entries.map((list) => list.map((page) => this.placeOf(page)))
      for (const list of found) for (const place of list) if (!best.has(place)) best.set(place, 0)
      const rarity = rarityOf(best.size, pages)
      for (const [level, list] of found.entries()) {
        const value = saidAt[level]! * way.worth * rarity
        for (const place of list) if (best.get(place)! < value) best.set(place, value)
        if (list.length > 0) rarest = Math.max(rarest, rarity)
      }
    }
    this.asked += worth * rarest
    for (const [place, value] of best) {
      this.scores[place]! += value * worth
      this.has[place]! += rarest * worth
    }
    return rarest
  }

  /** The best pages, at most `limit`; those of one score in the order of their numbers. */
  best(limit: number): ReadonlyArray<Hit> {
    const hits = this.pages.map((page, place): Hit => {
      const counts = keptOfPart + (1 - keptOfPart) * (this.has[place]! / this.asked)
      return { page, score: Math.max(1, Math.round(this.scores[place]! * counts * scoreUnit)) }
    })
    return hits.sort((a, b) => b.score - a.score || a.page - b.page).slice(0, limit)
  }

  private placeOf(page: number): number {
    const known = this.places.get(page)
    if (known !== undefined) return known
    const place = this.pages.push(page) - 1
    this.places.set(page, place)
    this.scores.push(0)
    this.has.push(0)
    return place
  }
}

const rarityOf = (having: number, pages: number): number =>
  Math.log(1 + (Math.max(pages, having) - having + 0.5) / (having + 0.5))
