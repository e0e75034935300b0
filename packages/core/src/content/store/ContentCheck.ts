/**
 * Verifies the stored data: every object and blob matches its hash, every referenced object and blob exists, and
 * referenced rows exist. Also counts unreferenced objects and blobs, and compares the search index with the pages of
 * each space. It changes nothing, and other programs may write at the same time.
 *
 * Limits: the report lists 100 lost objects or blobs and counts all; the limits of `Marking` and `RowReferences` apply.
 */
import { Clock, Duration, Effect } from "effect"
import { SearchIndexing } from "../../search/indexing/SearchIndexing.ts"
import { SpaceTable } from "../../space/Space.ts"
import { type BlobHash, BlobStore } from "../../storage/BlobStore.ts"
import { Hasher } from "../../storage/Hasher.ts"
import { type ObjectHash, ObjectStore } from "../../storage/ObjectStore.ts"
import { orderValues, Storage, type StorageError } from "../../storage/Storage.ts"
import { HashSet } from "./HashSet.ts"
import { markAll, Marks } from "./Marking.ts"
import * as RowReferences from "./RowReferences.ts"

/** Number of hashes or rows between two pauses. */
const slice = 256

const maxListed = 100

/** Maximum duration of the marking. */
const markingTimeout = Duration.days(1)

export interface LostObject {
  readonly kind: "object" | "blob"
  readonly hash: string
  /** Absent if the object or blob does not exist. */
  readonly damaged?: true
}

export interface ContentReport {
  readonly objects: number
  readonly blobs: number
  /** The first 100 referenced objects and blobs that cannot be read. */
  readonly lost: ReadonlyArray<LostObject>
  readonly lostCount: number
  /** Numbers of unreferenced objects and blobs. Garbage collection removes them a day after their last write. */
  readonly orphans: { readonly objects: number; readonly blobs: number }
  /** Ids of spaces whose search index is out of date. A job of a running server updates it. */
  readonly unindexed: ReadonlyArray<string>
  /** The first 100 rows that refer to a missing row. */
  readonly dangling: ReadonlyArray<RowReferences.Dangling>
  readonly danglingCount: number
  /** Spaces whose search index is marked as up to date, but differs from the content. */
  readonly misindexed: ReadonlyArray<Misindexed>
}

export interface Misindexed {
  readonly space: string
  /** Number of pages that are missing in the index. */
  readonly lacking: number
  /** Number of indexed pages that should not be in the index. */
  readonly surplus: number
}

interface HashedStore<Hash extends string> {
  readonly list: (options: {
    readonly after?: Hash
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<{ readonly hash: Hash }>, StorageError>
  /** Returns the hash of the value stored under each key. Undefined if the value cannot be read. */
  readonly hashes: (listed: ReadonlyArray<Hash>) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
}

/** Divides the values of a store into those that match their hash and damaged ones. */
const partitionHashes = Effect.fnUntraced(function* <Hash extends string>({ list, hashes }: HashedStore<Hash>) {
  const intactHashes = new HashSet()
  const damagedHashes = new HashSet()
  for (let after: Hash | undefined; ;) {
    const hashSlice = yield* list({ limit: slice, ...(after !== undefined && { after }) })
    const all = hashSlice.map(({ hash }) => hash)
    const actualHashes = yield* hashes(all)
    for (const [i, hash] of all.entries()) (actualHashes[i] === hash ? intactHashes : damagedHashes).add(hash)
    if (hashSlice.length < slice) return { found: intactHashes, damaged: damagedHashes }
    after = all.at(-1)!
    yield* Effect.yieldNow
  }
})

/** Runs the check. Blobs are read one at a time, since they can be large. */
export const check = Effect.gen(function* () {
  const { sha256 } = yield* Hasher
  const objects = yield* ObjectStore
  const blobs = yield* BlobStore
  const objectHashes = (hashes: ReadonlyArray<ObjectHash>) =>
    Effect.map(objects.get(hashes), (texts) => texts.map((text) => text && sha256(text)))
  const blobHashes = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>) {
    const actualHashes: Array<string | undefined> = []
    for (const hash of hashes) {
      // A read error, such as a missing file or a disk error, counts as damage.
      const bytes = yield* blobs.get(hash).pipe(Effect.catchTag("StorageError", () => Effect.undefined))
      actualHashes.push(bytes && sha256(bytes))
      yield* Effect.yieldNow
    }
    return actualHashes
  })
  const storedHashes = {
    object: yield* partitionHashes<ObjectHash>({ list: objects.list, hashes: objectHashes }),
    blob: yield* partitionHashes<BlobHash>({ list: blobs.list, hashes: blobHashes })
  }

  const missingObjects: Array<LostObject> = []
  let reachedCounts = { object: 0, blob: 0 }
  const marks = new Marks((kind, hash) => {
    if (storedHashes[kind].found.has(hash)) {
      reachedCounts = { ...reachedCounts, [kind]: reachedCounts[kind] + 1 }
      return false
    }
    missingObjects.push({ kind, hash, ...(storedHashes[kind].damaged.has(hash) && { damaged: true }) })
    return true
  })
  yield* markAll(marks, { deadline: (yield* Clock.currentTimeMillis) + Duration.toMillis(markingTimeout) })

  // Objects and blobs that were written during the check are missing in the list above, so each missing one is read
  // again.
  const lostObjects = yield* Effect.filter(missingObjects, ({ kind, hash }) =>
    Effect.map(
      kind === "object" ? objectHashes([hash as ObjectHash]) : blobHashes([hash as BlobHash]),
      ([actual]) => actual !== hash
    )
  )
  const { found: danglingRows, count: danglingCount } = yield* RowReferences.dangling(RowReferences.all)
  return {
    objects: storedHashes.object.found.size,
    blobs: storedHashes.blob.found.size,
    lost: lostObjects.slice(0, maxListed),
    lostCount: lostObjects.length,
    orphans: {
      objects: storedHashes.object.found.size - reachedCounts.object,
      blobs: storedHashes.blob.found.size - reachedCounts.blob
    },
    dangling: danglingRows,
    danglingCount,
    ...(yield* indexed)
  } satisfies ContentReport
})

const indexed = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)
  const indexing = yield* SearchIndexing
  const unindexed: Array<string> = []
  const misindexed: Array<Misindexed> = []
  for (let after: ReturnType<typeof orderValues> | undefined; ;) {
    const spaceSlice = yield* spaces.list({ where: {}, limit: slice, ...(after && { after }) })
    for (const space of spaceSlice) {
      if (!(yield* indexing.isCurrent(space))) {
        unindexed.push(space.id)
        continue
      }
      // If the content of a space cannot be read, the lost objects are already reported.
      const { lacking: lackingCount, surplus: surplusCount } = yield* Effect.catchCause(indexing.compare(space), () =>
        Effect.succeed(noDifferences)
      )
      if (lackingCount === 0 && surplusCount === 0) continue
      // The space is read again, since it may have changed since it was listed.
      const now = yield* spaces.get({ id: space.id })
      if (now?.revision !== space.revision || !(yield* indexing.isCurrent(now))) continue
      misindexed.push({ space: space.id, lacking: lackingCount, surplus: surplusCount })
    }
    if (spaceSlice.length < slice) return { unindexed, misindexed }
    after = orderValues(SpaceTable, { where: {} }, spaceSlice.at(-1)!)
    yield* Effect.yieldNow
  }
})

const noDifferences = { lacking: 0, surplus: 0 }
