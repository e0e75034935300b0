/**
 * Looks through what is stored: that every object and blob is what its hash says, that whatever rows
 * reach is there, how much nothing reaches, that rows which others name are there, and whether the search index has
 * the pages of each space, or is behind of it. It changes nothing, and others may go on writing meanwhile.
 *
 * Limits: 100 lost objects or blobs are named, all are counted; those of `Marking` and `RowReferences`.
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

/** How many hashes, and rows, are looked at before others have their turn. */
const slice = 256

const named = 100

/** How long it may take. */
const patience = Duration.days(1)

export interface Lost {
  readonly kind: "object" | "blob"
  readonly hash: string
  /** Absent: it isn't there at all. */
  readonly damaged?: true
}

export interface ContentReport {
  readonly objects: number
  readonly blobs: number
  /** The first hundred that rows reach and that can't be read. */
  readonly lost: ReadonlyArray<Lost>
  readonly lostCount: number
  /** Those that nothing reaches, which are removed a day after they were written. */
  readonly orphans: { readonly objects: number; readonly blobs: number }
  /** Spaces whose search index is behind: a job of a running server brings it up to date. */
  readonly unindexed: ReadonlyArray<string>
  /** The first hundred rows that name another which is missing. */
  readonly dangling: ReadonlyArray<RowReferences.Dangling>
  readonly danglingCount: number
  /** Spaces whose search index says that it is up to date, and is not. */
  readonly misindexed: ReadonlyArray<Misindexed>
}

export interface Misindexed {
  readonly space: string
  /** How many pages it should have and has not. */
  readonly lacking: number
  /** How many it has that it shouldn't. */
  readonly besides: number
}

interface Shelf<Hash extends string> {
  readonly list: (options: {
    readonly after?: Hash
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<{ readonly hash: Hash }>, StorageError>
  /** The hash of what is stored under each of them, undefined where it can't be read. */
  readonly hashes: (listed: ReadonlyArray<Hash>) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
}

/** Sorts a store by whether each value is what its hash says. */
const sound = Effect.fnUntraced(function* <Hash extends string>({ list, hashes }: Shelf<Hash>) {
  const found = new HashSet()
  const damaged = new HashSet()
  for (let after: Hash | undefined; ;) {
    const listed = yield* list({ limit: slice, ...(after !== undefined && { after }) })
    const all = listed.map(({ hash }) => hash)
    const actual = yield* hashes(all)
    for (const [i, hash] of all.entries()) (actual[i] === hash ? found : damaged).add(hash)
    if (listed.length < slice) return { found, damaged }
    after = all.at(-1)!
    yield* Effect.yieldNow
  }
})

/** Looks through everything. Whatever is large is read one at a time. */
export const check = Effect.gen(function* () {
  const { sha256 } = yield* Hasher
  const objects = yield* ObjectStore
  const blobs = yield* BlobStore
  const objectHashes = (hashes: ReadonlyArray<ObjectHash>) =>
    Effect.map(objects.get(hashes), (texts) => texts.map((text) => text && sha256(text)))
  const blobHashes = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>) {
    const found: Array<string | undefined> = []
    for (const hash of hashes) {
      // A file of the folder may be gone, or a disk may refuse: that is what is looked for.
      const bytes = yield* blobs.get(hash).pipe(Effect.catchTag("StorageError", () => Effect.undefined))
      found.push(bytes && sha256(bytes))
      yield* Effect.yieldNow
    }
    return found
  })
  const kept = {
    object: yield* sound<ObjectHash>({ list: objects.list, hashes: objectHashes }),
    blob: yield* sound<BlobHash>({ list: blobs.list, hashes: blobHashes })
  }

  const missed: Array<Lost> = []
  let reached = { object: 0, blob: 0 }
  const marks = new Marks((kind, hash) => {
    if (kept[kind].found.has(hash)) {
      reached = { ...reached, [kind]: reached[kind] + 1 }
      return false
    }
    missed.push({ kind, hash, ...(kept[kind].damaged.has(hash) && { damaged: true }) })
    return true
  })
  yield* markAll(marks, { deadline: (yield* Clock.currentTimeMillis) + Duration.toMillis(patience) })

  // What was written while this ran was not seen above.
  const lost = yield* Effect.filter(missed, ({ kind, hash }) =>
    Effect.map(
      kind === "object" ? objectHashes([hash as ObjectHash]) : blobHashes([hash as BlobHash]),
      ([actual]) => actual !== hash
    )
  )
  const { found: dangling, count: danglingCount } = yield* RowReferences.dangling(RowReferences.all)
  return {
    objects: kept.object.found.size,
    blobs: kept.blob.found.size,
    lost: lost.slice(0, named),
    lostCount: lost.length,
    orphans: {
      objects: kept.object.found.size - reached.object,
      blobs: kept.blob.found.size - reached.blob
    },
    dangling,
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
    const listed = yield* spaces.list({ where: {}, limit: slice, ...(after && { after }) })
    for (const space of listed) {
      if (!(yield* indexing.holds(space))) {
        unindexed.push(space.id)
        continue
      }
      // A space whose content can't be read is among what is lost.
      const { lacking, besides } = yield* Effect.catchCause(indexing.compare(space), () => Effect.succeed(alike))
      if (lacking === 0 && besides === 0) continue
      // Somebody may have changed it meanwhile.
      const now = yield* spaces.get({ id: space.id })
      if (now?.revision !== space.revision || !(yield* indexing.holds(now))) continue
      misindexed.push({ space: space.id, lacking, besides })
    }
    if (listed.length < slice) return { unindexed, misindexed }
    after = orderValues(SpaceTable, { where: {} }, listed.at(-1)!)
    yield* Effect.yieldNow
  }
})

const alike = { lacking: 0, besides: 0 }
