/** Reads the three versions of every entry that main or ours changed, from one map of a content. */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import type { Root } from "../Content.ts"
import type { ObjectReader } from "../store/Objects.ts"
import * as TrieDifferences from "../store/TrieDifferences.ts"
import type { Versions } from "./EntryMerge.ts"

/** Returns the versions by key, in the order of the keys. */
export const changedVersions = Effect.fnUntraced(function* <A>(
  objects: ObjectReader,
  base: Root,
  main: Root,
  ours: Root
): Effect.fn.Return<ReadonlyMap<string, Versions<A>>, StorageError> {
  const all = new Map<string, Versions<A>>()
  for (const { key, before, after } of yield* TrieDifferences.all<A>(objects, base, main)) {
    all.set(key, { base: before, main: after, ours: before })
  }
  for (const { key, before, after } of yield* TrieDifferences.all<A>(objects, base, ours)) {
    const versions = all.get(key)
    all.set(key, versions === undefined ? { base: before, main: before, ours: after } : { ...versions, ours: after })
  }
  return new Map(Array.from(all).sort(([a], [b]) => (a < b ? -1 : 1)))
})
