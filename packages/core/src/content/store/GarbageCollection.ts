/**
 * Removes the objects and blobs that nothing reaches and nobody wrote for 24 hours: once a day all
 * that the roots reach is marked, then what is not marked is swept, both in slices of a few
 * milliseconds.
 *
 * Why nothing is lost while others go on writing: what a commit refers to was either written (or
 * refreshed) by it less than 24 hours before, and is spared; or it is reached from a revision that
 * exists when it commits, since every commit that is computed from a revision asks in its
 * transaction whether that one's space is still active. Revisions are removed with their space
 * alone, 7 days after it left the hands of everyone, and so were marked as long as marking takes
 * less than a day. It gives up where it takes longer, and where a revision is missing that a space or a change
 * request names: what that reached looks like garbage, and may be all that is left to mend it with.
 */
import { Clock, Duration, Effect } from "effect"
import * as Job from "../../job/Job.ts"
import { type BlobHash, BlobStore } from "../../storage/BlobStore.ts"
import type { Hasher } from "../../storage/Hasher.ts"
import { type ObjectHash, ObjectStore } from "../../storage/ObjectStore.ts"
import type { Storage, StorageError } from "../../storage/Storage.ts"
import type { Threads } from "../../thread/Threads.ts"
import type { HashSet } from "./HashSet.ts"
import { markAll, Marks } from "./Marking.ts"
import * as RowReferences from "./RowReferences.ts"

/** How long what nothing reaches is spared after it was last written. */
export const spared = Duration.hours(24)

/** How much is looked at before others have their turn. */
export interface Slices {
  readonly rows: number
  readonly hashes: number
}

const defaultSlices: Slices = { rows: 100, hashes: 256 }

export interface Swept {
  readonly objects: number
  readonly blobs: number
}

/** One collection: marks, sweeps, and tells how much that was. */
export const collect = Effect.fnUntraced(function* (slices: Slices = defaultSlices) {
  const begun = yield* Clock.currentTimeMillis
  const marks = new Marks()
  yield* markAll(marks, { deadline: begun + Duration.toMillis(spared), rows: slices.rows }).pipe(
    Effect.catchTag("MarkingGaveUp", ({ message }) => Effect.fail(new Job.JobNotRetryable({ message })))
  )
  const [lost] = (yield* RowReferences.dangling(RowReferences.toRevisions)).found
  if (lost !== undefined) {
    const message = `The ${lost.to} ${lost.id} of the ${lost.from} ${lost.key} is missing: nothing is removed`
    return yield* new Job.JobNotRetryable({ message })
  }
  const before = begun - Duration.toMillis(spared)
  const objects = yield* sweep<ObjectHash>(yield* ObjectStore, marks.objects, before, slices.hashes)
  const blobs = yield* sweep<BlobHash>(yield* BlobStore, marks.blobs, before, slices.hashes)
  return { objects, blobs } satisfies Swept
})

export const CollectGarbage = Job.recurring("collect-garbage", Duration.days(1))

export const collectGarbage = Effect.gen(function* () {
  const context = yield* Effect.context<Storage | ObjectStore | BlobStore | Hasher | Threads>()
  return Job.handler(CollectGarbage, () =>
    collect().pipe(
      Effect.flatMap((swept) => Effect.logDebug("Garbage was collected").pipe(Effect.annotateLogs({ ...swept }))),
      Effect.provideContext(context)
    )
  )
})

interface HashedStore<Hash extends string> {
  readonly list: (options: {
    readonly after?: Hash
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<{ readonly hash: Hash; readonly writtenAt: number }>, StorageError>
  readonly remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) => Effect.Effect<number, StorageError>
}

const sweep = Effect.fnUntraced(function* <Hash extends string>(
  store: HashedStore<Hash>,
  marks: HashSet,
  before: number,
  hashSlice: number
): Effect.fn.Return<number, StorageError> {
  let removed = 0
  for (let after: Hash | undefined; ;) {
    const slice = yield* store.list({ limit: hashSlice, ...(after !== undefined && { after }) })
    const garbage = slice.filter(({ hash, writtenAt }) => writtenAt < before && !marks.has(hash))
    if (garbage.length > 0) {
      // What was written again meanwhile is spared by the store itself.
      removed += yield* store.remove(
        garbage.map(({ hash }) => hash),
        before
      )
    }
    if (slice.length < hashSlice) return removed
    after = slice.at(-1)!.hash
    yield* Effect.yieldNow
  }
})
