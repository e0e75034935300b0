/**
 * Removes objects and blobs that are unreferenced and were not written for 24 hours. Once a day, a job marks everything
 * that the roots refer to, then removes the rest. Both phases run in slices of a few milliseconds.
 *
 * Concurrent writes lose nothing. A commit refers to objects and blobs that it wrote or refreshed less than 24 hours
 * before, which are never removed. Or it refers to content of a revision that exists at the time of the commit: every
 * commit that is computed from a revision checks in its transaction that the space of the revision is still active.
 * Revisions are removed only with their space, 7 days after the deletion of the space. So they were marked, provided
 * that marking takes less than a day.
 *
 * A collection fails without removing anything if marking takes longer, or if a revision is missing that a space or
 * change request refers to. In the second case the content of the revision looks unreferenced, but may be needed for a
 * repair.
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

/** Minimum age of removed objects and blobs, counted from their last write. */
export const minAge = Duration.hours(24)

/** Number of rows and hashes between two pauses. */
export interface Slices {
  readonly rows: number
  readonly hashes: number
}

const defaultSlices: Slices = { rows: 100, hashes: 256 }

export interface RemovedCounts {
  readonly objects: number
  readonly blobs: number
}

/** Runs one collection. Returns the numbers of removed objects and blobs. */
export const collect = Effect.fnUntraced(function* (slices: Slices = defaultSlices) {
  const startedAt = yield* Clock.currentTimeMillis
  const marks = new Marks()
  yield* markAll(marks, { deadline: startedAt + Duration.toMillis(minAge), rows: slices.rows }).pipe(
    Effect.catchTag("MarkingGaveUp", ({ message }) => Effect.fail(new Job.JobNotRetryable({ message })))
  )
  const [danglingRow] = (yield* RowReferences.dangling(RowReferences.toRevisions)).found
  if (danglingRow !== undefined) {
    const message = `The ${danglingRow.to} ${danglingRow.id} of the ${danglingRow.from} ${danglingRow.key} is missing: nothing is removed`
    return yield* new Job.JobNotRetryable({ message })
  }
  const before = startedAt - Duration.toMillis(minAge)
  const objects = yield* sweep<ObjectHash>(yield* ObjectStore, marks.objects, before, slices.hashes)
  const blobs = yield* sweep<BlobHash>(yield* BlobStore, marks.blobs, before, slices.hashes)
  return { objects, blobs } satisfies RemovedCounts
})

export const CollectGarbage = Job.recurring("collect-garbage", { days: 1 })

export const collectGarbage = Effect.gen(function* () {
  const context = yield* Effect.context<Storage | ObjectStore | BlobStore | Hasher | Threads>()
  return Job.handler(CollectGarbage, () =>
    collect().pipe(
      Effect.flatMap((removedCounts) =>
        Effect.logDebug("Garbage was collected").pipe(Effect.annotateLogs({ ...removedCounts }))
      ),
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
      // Values that were written again in the meantime stay, since the store checks the time of their last write.
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
