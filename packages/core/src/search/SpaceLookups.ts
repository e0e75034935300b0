/**
 * Looks up words in spaces. Merges the entries of the index with those of pages outside the index.
 *
 * Limit: yields after each 50 spaces.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, type Lookup, noEntries, type SpaceEntries, type SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"

const spaceBatchSize = 50

/** Number of the first page outside the index. Greater than all page numbers in the index. */
export const firstUnindexed = 1e12

/** Pages outside the index, such as computed pages. `read` returns their indexes in `pages`. */
export interface UnindexedPages {
  readonly pages: ReadonlyArray<string>
  readonly read: (lookup: Lookup) => Entries
  readonly similar: (word: string) => ReadonlyArray<string>
}

export interface SearchedSpace {
  readonly id: string
  readonly language: Language | undefined
  /** Ids of indexed pages that are left out. */
  readonly hidden: ReadonlySet<string>
  readonly unindexed: UnindexedPages | undefined
}

type Index = Pick<SearchIndex["Service"], "read" | "similar">
type LookupsIn = (space: number) => ReadonlyArray<Lookup>

/** Runs the lookups of each space. `lookupsIn` returns the lookups of the space with an index in `spaces`. */
export const read = (
  index: Index,
  spaces: ReadonlyArray<SearchedSpace>,
  lookupsIn: LookupsIn
): Effect.Effect<ReadonlyArray<SpaceEntries>, StorageError> =>
  spaces.length <= spaceBatchSize ? readBatch(index, spaces, lookupsIn, 0) : readMany(index, spaces, lookupsIn)

const readBatch = (index: Index, spaces: ReadonlyArray<SearchedSpace>, lookupsIn: LookupsIn, start: number) => {
  const batch = spaces
    .slice(start, start + spaceBatchSize)
    .map(({ id, hidden }, i) => ({ space: id, lookups: lookupsIn(start + i), hidden }))
  return Effect.map(index.read(batch), (lookupResults) =>
    lookupResults.map((result, i) => withUnindexed(result, batch[i]!.lookups, spaces[start + i]!.unindexed))
  )
}

const readMany = Effect.fnUntraced(function* (
  index: Index,
  spaces: ReadonlyArray<SearchedSpace>,
  lookupsIn: LookupsIn
) {
  const lookupResults: Array<SpaceEntries> = []
  for (let start = 0; start < spaces.length; start += spaceBatchSize) {
    if (start > 0) yield* Effect.yieldNow
    for (const result of yield* readBatch(index, spaces, lookupsIn, start)) lookupResults.push(result)
  }
  return lookupResults
})

/** Returns, for each space, the words of its pages that are similar to any of the given words. */
export const similar = Effect.fnUntraced(function* (
  index: Index,
  spaces: ReadonlyArray<SearchedSpace>,
  wordsIn: (language: Language | undefined) => ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<ReadonlySet<string>>, StorageError> {
  const similarWords = spaces.map(() => new Set<string>())
  const pairs = spaces.flatMap(({ id, language, unindexed }, space) =>
    wordsIn(language).map((word) => ({ space, unindexed, request: { space: id, word } }))
  )
  for (let start = 0; start < pairs.length; start += spaceBatchSize) {
    if (start > 0) yield* Effect.yieldNow
    const batch = pairs.slice(start, start + spaceBatchSize)
    for (const [i, indexed] of (yield* index.similar(batch.map(({ request }) => request))).entries()) {
      const { space, unindexed, request } = batch[i]!
      for (const word of indexed) similarWords[space]!.add(word)
      for (const word of unindexed?.similar(request.word) ?? []) similarWords[space]!.add(word)
    }
  }
  return similarWords
})

export const isEmpty = (entries: Entries): boolean => entries.every((list) => list.length === 0)

const withUnindexed = (
  result: SpaceEntries,
  lookups: ReadonlyArray<Lookup>,
  unindexed: UnindexedPages | undefined
): SpaceEntries =>
  unindexed === undefined
    ? result
    : {
        pages: result.pages + unindexed.pages.length,
        entries: result.entries.map((list, i) => mergeEntries(list, unindexed.read(lookups[i]!)))
      }

const mergeEntries = (storedEntries: Entries, otherEntries: Entries): Entries =>
  isEmpty(otherEntries)
    ? storedEntries
    : noEntries.map((_, level) => [
        ...(storedEntries[level] ?? []),
        ...otherEntries[level]!.map((page) => firstUnindexed + page)
      ])
