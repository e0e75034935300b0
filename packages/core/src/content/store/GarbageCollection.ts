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
 * less than a day. It gives up where it takes longer.
 *
 * Limits: 20 million marked objects and blobs (about 640 MB of memory while it runs); it gives up
 * where there are more.
 */
import { Clock, Duration, Effect, Stream } from "effect"
import * as Job from "../../job/Job.ts"
import { type BlobHash, BlobStore } from "../../storage/BlobStore.ts"
import { Hasher } from "../../storage/Hasher.ts"
import { type ObjectHash, ObjectStore } from "../../storage/ObjectStore.ts"
import { position, Storage, StorageError } from "../../storage/Storage.ts"
import { Threads } from "../../thread/Threads.ts"
import type { Content, ReusableContentEntry, Root, WrittenFile } from "../Content.ts"
import type { FileEntry } from "../files/File.ts"
import type { GarbageRoot } from "./GarbageRoot.ts"
import { roots } from "./GarbageRoots.ts"
import { HashSet } from "./HashSet.ts"
import * as Conflict from "../merge/Conflict.ts"
import type { ObjectReader } from "./Objects.ts"
import type { PageEntry } from "../pages/Page.ts"
import * as PlaceLinks from "../pages/PlaceLinks.ts"
import * as Trie from "./Trie.ts"

/** How long what nothing reaches is spared after it was last written. */
export const spared = Duration.hours(24)

const maxMarked = 20_000_000

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

interface Marks {
  readonly objects: HashSet
  readonly blobs: HashSet
}

/** One collection: marks, sweeps, and tells how much that was. */
export const collect = Effect.fnUntraced(function* (slices: Slices = defaultSlices) {
  const begun = yield* Clock.currentTimeMillis
  const marks: Marks = { objects: new HashSet(), blobs: new HashSet() }
  for (const root of roots) yield* mark(root, marks, begun + Duration.toMillis(spared), slices.rows)
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

const mark = Effect.fnUntraced(function* (
  { table, reached }: GarbageRoot,
  marks: Marks,
  deadline: number,
  rowSlice: number
) {
  const rows = (yield* Storage).repository(table)
  const reader = yield* uncached
  for (let after: ReturnType<typeof position> | undefined; ;) {
    const slice = yield* rows.list({ where: {}, limit: rowSlice, ...(after && { after }) })
    for (const row of slice) {
      const { contents = [], conflicts, objects = [], blobs = [] } = reached(row as object)
      for (const hash of objects) if (hash !== undefined) marks.objects.add(hash)
      for (const hash of blobs) if (hash !== undefined) marks.blobs.add(hash)
      if (conflicts !== undefined) yield* markConflicts(reader, conflicts, marks)
      for (const content of contents) if (content !== undefined) yield* markContent(reader, content, marks)
    }
    yield* checkBounds(marks, deadline)
    if (slice.length < rowSlice) return
    after = position(table, { where: {} }, slice.at(-1))
    yield* Effect.yieldNow
  }
})

const nothing = (): ReadonlyArray<ObjectHash> => []
const textsOf = ({ document, source }: { readonly document?: ObjectHash; readonly source?: ObjectHash }) =>
  [document, source].filter((hash) => hash !== undefined)

/** Marks a trie. A node that is marked already is not entered again: its subtree has been walked, or is about to be. */
const markTrie = <V>(
  reader: ObjectReader,
  root: Root,
  marks: Marks,
  refs: (value: V) => ReadonlyArray<ObjectHash>
): Effect.Effect<void, StorageError> => {
  if (root === null || marks.objects.has(root)) return Effect.void
  const skip = (hash: ObjectHash) => marks.objects.has(hash)
  return Trie.reachable<V>(reader, [root], { skip, refs }).pipe(
    Stream.chunks,
    Stream.runForEach((hashes) => {
      for (const hash of hashes) marks.objects.add(hash)
      return Effect.yieldNow
    })
  )
}

const markContent = Effect.fnUntraced(function* (reader: ObjectReader, content: Content, marks: Marks) {
  yield* markTrie<PageEntry>(reader, content.pages, marks, textsOf)
  yield* markTrie(reader, content.children, marks, nothing)
  yield* markTrie(reader, content.variables, marks, nothing)
  yield* markTrie<WrittenFile>(reader, content.written ?? null, marks, textsOf)
  yield* markTrie(reader, content.links ?? null, marks, PlaceLinks.objectsOf)
  yield* markTrie<ReusableContentEntry>(reader, content.reusableContents, marks, textsOf)
  yield* markTrie<FileEntry>(reader, content.files, marks, ({ blob }) => {
    marks.blobs.add(blob)
    return []
  })
})

const markConflicts = Effect.fnUntraced(function* (reader: ObjectReader, hash: ObjectHash, marks: Marks) {
  if (!marks.objects.add(hash)) return
  for (const conflict of yield* reader.read<ReadonlyArray<Conflict.Conflict>>(hash)) {
    for (const object of Conflict.objectsOf(conflict)) marks.objects.add(object)
    for (const blob of Conflict.blobsOf(conflict)) marks.blobs.add(blob)
  }
})

const checkBounds = Effect.fnUntraced(function* (marks: Marks, deadline: number) {
  if (marks.objects.size + marks.blobs.size > maxMarked) {
    return yield* new Job.JobHopeless({ message: `There are more than ${maxMarked} objects and blobs to mark` })
  }
  if ((yield* Clock.currentTimeMillis) > deadline) {
    return yield* new Job.JobHopeless({ message: "To mark what is in use took longer than a day" })
  }
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
) {
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
}) as <Hash extends string>(
  store: HashedStore<Hash>,
  marks: HashSet,
  before: number,
  hashSlice: number
) => Effect.Effect<number, StorageError>

/** Reads past the cache, which is for what callers read. */
const uncached = Effect.gen(function* () {
  const store = yield* ObjectStore
  const { sha256 } = yield* Hasher
  const readAll = Effect.fnUntraced(function* <A>(
    hashes: ReadonlyArray<ObjectHash>
  ): Effect.fn.Return<ReadonlyArray<A>, StorageError> {
    const texts = yield* store.get(hashes)
    const values: Array<A> = []
    for (const [i, text] of texts.entries()) {
      if (text === undefined) {
        return yield* new StorageError({ reason: "failed", message: `Object ${hashes[i]} is missing` })
      }
      values.push(JSON.parse(text))
    }
    return values
  })
  const reader: ObjectReader = {
    sha256,
    threads: yield* Threads,
    readAll,
    read: <A>(hash: ObjectHash) => Effect.map(readAll<A>([hash]), ([value]) => value!),
    document: (hash) => reader.read(hash),
    documents: readAll,
    folded: <A extends object>(hash: ObjectHash) => reader.read<A>(hash)
  }
  return reader
})
