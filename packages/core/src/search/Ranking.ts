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
    /** For each page that has the word, the best of what it says; those that have it not are left out. */
    const best: Array<number> = []
    const having: Array<number> = []
    let rarest = 0
    for (const { worth, entries } of ways) {
      const found = entries.map((list) => list.map((page) => this.placeOf(page)))
      for (const list of found) {
        for (const place of list) {
          if (best[place] !== undefined) continue
          best[place] = 0
          having.push(place)
        }
      }
      const rarity = rarityOf(having.length, pages)
      for (const [level, list] of found.entries()) {
        const value = saidAt[level]! * worth * rarity
        for (const place of list) if (best[place]! < value) best[place] = value
        if (list.length > 0) rarest = Math.max(rarest, rarity)
      }
    }
    this.asked += worth * rarest
    for (const place of having) {
      this.scores[place]! += best[place]! * worth
      this.has[place]! += rarest * worth
    }
    return rarest
  }

  /** The best pages, at most `limit`; those of one score in the order of their numbers. */
  best(limit: number): ReadonlyArray<Hit> {
    const scores = Float64Array.from(this.scores, (score, place) => {
      const counts = keptOfPart + (1 - keptOfPart) * (this.has[place]! / this.asked)
      return Math.max(1, Math.round(score * counts * scoreUnit))
    })
    const least = scores.length > limit ? scores.toSorted()[scores.length - limit]! : 0
    const hits: Array<Hit> = []
    for (const [place, score] of scores.entries()) if (score >= least) hits.push({ page: this.pages[place]!, score })
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
