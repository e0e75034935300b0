/**
 * The search index in memory: for each space and place, the pages that have a word there. A prefix
 * is looked for among all the words of the place.
 */
import * as Search from "@lectern/core/storage/SearchIndex"
import type { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<Search.SearchChange>
}

interface Indexed {
  readonly order: number
  readonly places: ReadonlyArray<ReadonlySet<string>>
}

/** By word, the pages that have it. */
type Place = Map<string, Set<string>>

class SpaceIndex {
  readonly pages = new Map<string, Indexed>()
  private readonly places: ReadonlyArray<Place> = [new Map(), new Map(), new Map()]
  private next = 1

  change({ page, words }: Search.SearchChange) {
    const before = this.pages.get(page)
    if (before !== undefined) this.forget(page, before)
    if (words === undefined) return
    const indexed = { order: before?.order ?? this.next++, places: Search.places(words) }
    this.pages.set(page, indexed)
    for (const [i, place] of indexed.places.entries()) {
      for (const word of place) {
        const found = this.places[i]!.get(word)
        if (found === undefined) this.places[i]!.set(word, new Set([page]))
        else found.add(page)
      }
    }
  }

  find(query: Search.SearchQuery): ReadonlyArray<Search.SearchHit> {
    const hits: Array<Search.SearchHit> = []
    const seen = new Set<string>()
    for (const test of Search.rankTests(query)) {
      if (hits.length >= query.limit) break
      const found = this.passing(test).filter((page) => !seen.has(page))
      const ranked = found.map((page) => ({ page, rank: test.rank, order: this.pages.get(page)!.order }))
      for (const hit of ranked.sort((a, b) => a.order - b.order)) {
        seen.add(hit.page)
        hits.push(hit)
      }
    }
    return hits.slice(0, Math.max(0, query.limit))
  }

  private passing({ place, words, prefix }: Search.RankTest): ReadonlyArray<string> {
    const found = words.map((word): ReadonlySet<string> => this.places[place]!.get(word) ?? new Set())
    if (prefix !== undefined) found.push(this.beginning(place, prefix))
    const [rarest, ...others] = found.sort((a, b) => a.size - b.size)
    return [...rarest!].filter((page) => others.every((pages) => pages.has(page)))
  }

  private beginning(place: number, prefix: string): ReadonlySet<string> {
    const found = new Set<string>()
    for (const [word, pages] of this.places[place]!)
      if (word.startsWith(prefix)) for (const page of pages) found.add(page)
    return found
  }

  private forget(page: string, { places }: Indexed) {
    this.pages.delete(page)
    for (const [i, place] of places.entries()) {
      for (const word of place) {
        const found = this.places[i]!.get(word)!
        found.delete(page)
        if (found.size === 0) this.places[i]!.delete(word)
      }
    }
  }
}

export class MemorySearch {
  private readonly spaces = new Map<string, SpaceIndex>()

  /** Makes changes that have been committed. */
  apply(committed: ReadonlyArray<SpaceChanges>) {
    for (const { space, changes } of committed) {
      const index = this.spaces.get(space) ?? new SpaceIndex()
      this.spaces.set(space, index)
      for (const change of changes) index.change(change)
      if (index.pages.size === 0) this.spaces.delete(space)
    }
  }

  service(queue: TransactionQueue, pending: PendingChanges<SpaceChanges>): Search.SearchIndex["Service"] {
    return Search.SearchIndex.of({
      change: (space, changes) =>
        queue.write(() => {
          Search.check(space, changes)
          pending.add({ space, changes })
        }),
      find: (query) => queue.read(() => this.spaces.get(query.space)?.find(query) ?? []),
      pages: (space, { after, limit }) =>
        queue.read(() =>
          [...(this.spaces.get(space)?.pages.keys() ?? [])]
            .filter((page) => after === undefined || page > after)
            .sort()
            .slice(0, Math.max(0, limit))
        )
    })
  }
}
