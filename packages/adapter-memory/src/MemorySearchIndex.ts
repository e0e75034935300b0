/** Search index in memory: an inverted index for each space. */
import * as Search from "@lectern/core/storage/SearchIndex"
import type { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { InvertedIndex } from "@lectern/core/storage/InvertedIndex"

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<Search.SearchChange>
}

interface IndexedPage {
  readonly number: number
  readonly words: Search.PageWords
}

class SpaceIndex {
  readonly pages = new Map<string, IndexedPage>()
  readonly names = new Map<number, string>()
  readonly words = new InvertedIndex()
  private next = 1

  change({ page, words }: Search.SearchChange) {
    const previousWords = this.pages.get(page)
    if (previousWords !== undefined) {
      this.words.remove(previousWords.number, previousWords.words)
      this.names.delete(previousWords.number)
      this.pages.delete(page)
    }
    if (words === undefined) return
    const number = previousWords?.number ?? this.next++
    this.pages.set(page, { number, words })
    this.names.set(number, page)
    this.words.add(number, words)
  }

  read(lookups: ReadonlyArray<Search.Lookup>, hidden: ReadonlySet<string>): Search.SpaceEntries {
    const numbers = new Set([...hidden].flatMap((page) => this.pages.get(page)?.number ?? []))
    return {
      pages: this.pages.size - numbers.size,
      entries: lookups.map((lookup) => this.words.read(lookup, (page) => numbers.has(page)))
    }
  }
}

/** Words at the time of the checkpoint, by space and page, for pages that were changed since. */
type Checkpoint = Map<string, Map<string, Search.PageWords | undefined>>

export class MemorySearch {
  private readonly spaces = new Map<string, SpaceIndex>()
  private readonly checkpoints: Array<Checkpoint> = []

  /** Creates a checkpoint of the committed state. */
  checkpoint(): Checkpoint {
    const checkpoint: Checkpoint = new Map()
    this.checkpoints.push(checkpoint)
    return checkpoint
  }

  /** Applies committed changes. */
  apply(committedChanges: ReadonlyArray<SpaceChanges>) {
    for (const { space, changes } of committedChanges) {
      const index = this.spaces.get(space) ?? new SpaceIndex()
      this.spaces.set(space, index)
      for (const change of changes) {
        for (const checkpoint of this.checkpoints)
          recordBefore(checkpoint, space, change.page, index.pages.get(change.page))
        index.change(change)
      }
      if (index.pages.size === 0) this.spaces.delete(space)
    }
  }

  service(queue: TransactionQueue, pendingChanges: PendingChanges<SpaceChanges>): Search.SearchIndex["Service"] {
    const emptyIndex = new SpaceIndex()
    const indexOf = (space: string) => this.spaces.get(space) ?? emptyIndex
    return Search.SearchIndex.of({
      change: (space, changes) =>
        queue.write(() => {
          Search.checkChanges(space, changes)
          pendingChanges.add({ space, changes })
        }),
      read: (lookups) =>
        queue.read(() => lookups.map(({ space, lookups, hidden }) => indexOf(space).read(lookups, hidden))),
      similar: (words) => queue.read(() => words.map(({ space, word }) => indexOf(space).words.similar(word))),
      pagesByNumber: (pages) => queue.read(() => pages.map(({ space, number }) => indexOf(space).names.get(number))),
      pages: (space, { after, limit }) =>
        queue.read(() =>
          [...indexOf(space).pages.keys()]
            .filter((page) => after === undefined || page > after)
            .sort()
            .slice(0, Math.max(0, limit))
        )
    })
  }
}

const recordBefore = (checkpoint: Checkpoint, space: string, page: string, pageBefore: IndexedPage | undefined) => {
  const pages = checkpoint.get(space) ?? new Map<string, Search.PageWords | undefined>()
  checkpoint.set(space, pages)
  if (!pages.has(page)) pages.set(page, pageBefore?.words)
}

/** Returns the changes that restore a checkpoint. */
export const since = (checkpoint: Checkpoint): ReadonlyArray<SpaceChanges> =>
  Array.from(checkpoint, ([space, pages]) => ({
    space,
    changes: Array.from(pages, ([page, words]) => ({ page, words }))
  }))
