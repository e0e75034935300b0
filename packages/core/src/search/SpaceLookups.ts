/**
 * Looks up words in spaces. Merges the entries of the index with those of pages outside the index.
 *
 * Limit: yields after each 50 spaces.
 */
import { Effect } from "effect"
import type { Language } from "../schema/Language.ts"
import { type Entries, type Lookup, noEntries, type SpaceEntries, type SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"

const spacesAtOnce = 50

/** Number of the first page outside the index. Greater than all page numbers in the index. */
export const firstOther = 1e12

/** Pages outside the index, such as computed pages. `read` returns their indexes in `pages`. */
export interface OtherPages {
  readonly pages: ReadonlyArray<string>
  readonly read: (lookup: Lookup) => Entries
  readonly similar: (word: string) => ReadonlyArray<string>
}

export interface SearchedSpace {
  readonly id: string
  readonly language: Language | undefined
  /** Ids of indexed pages that are left out. */
  readonly hidden: ReadonlySet<string>
  readonly others: OtherPages | undefined
}

type Index = SearchIndex["Service"]
type LookupsIn = (space: number) => ReadonlyArray<Lookup>

/** Runs the lookups of each space. `lookupsIn` returns the lookups of the space with an index in `spaces`. */
export const read = (
  index: Index,
  spaces: ReadonlyArray<SearchedSpace>,
  lookupsIn: LookupsIn
): Effect.Effect<ReadonlyArray<SpaceEntries>, StorageError> =>
  spaces.length <= spacesAtOnce ? readSome(index, spaces, lookupsIn, 0) : readMany(index, spaces, lookupsIn)

const readSome = (index: Index, spaces: ReadonlyArray<SearchedSpace>, lookupsIn: LookupsIn, start: number) => {
  const some = spaces
    .slice(start, start + spacesAtOnce)
    .map(({ id, hidden }, i) => ({ space: id, lookups: lookupsIn(start + i), hidden }))
  return Effect.map(index.read(some), (lookupResults) =>
    lookupResults.map((result, i) => withOthers(result, some[i]!.lookups, spaces[start + i]!.others))
  )
}

const readMany = Effect.fnUntraced(function* (
  index: Index,
  spaces: ReadonlyArray<SearchedSpace>,
  lookupsIn: LookupsIn
) {
  const lookupResults: Array<SpaceEntries> = []
  for (let start = 0; start < spaces.length; start += spacesAtOnce) {
    if (start > 0) yield* Effect.yieldNow
    for (const result of yield* readSome(index, spaces, lookupsIn, start)) lookupResults.push(result)
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
  const pairs = spaces.flatMap(({ id, language, others }, space) =>
    wordsIn(language).map((word) => ({ space, others, asked: { space: id, word } }))
  )
  for (let start = 0; start < pairs.length; start += spacesAtOnce) {
    if (start > 0) yield* Effect.yieldNow
    const some = pairs.slice(start, start + spacesAtOnce)
    for (const [i, indexed] of (yield* index.similar(some.map(({ asked }) => asked))).entries()) {
      const { space, others, asked } = some[i]!
      for (const word of indexed) similarWords[space]!.add(word)
      for (const word of others?.similar(asked.word) ?? []) similarWords[space]!.add(word)
    }
  }
  return similarWords
})

export const isEmpty = (entries: Entries): boolean => entries.every((list) => list.length === 0)

const withOthers = (
  result: SpaceEntries,
  lookups: ReadonlyArray<Lookup>,
  others: OtherPages | undefined
): SpaceEntries =>
  others === undefined
    ? result
    : {
        pages: result.pages + others.pages.length,
        entries: result.entries.map((list, i) => together(list, others.read(lookups[i]!)))
      }

const together = (stored: Entries, otherEntries: Entries): Entries =>
  isEmpty(otherEntries)
    ? stored
    : noEntries.map((_, level) => [...(stored[level] ?? []), ...otherEntries[level]!.map((page) => firstOther + page)])
