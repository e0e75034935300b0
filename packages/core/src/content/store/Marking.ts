/**
 * Marks all objects and blobs that rows refer to, including everything in the referenced contents. Garbage collection
 * and the check of stored data use the marks.
 *
 * Limits: 20 million marked objects and blobs (about 640 MB of memory during the run). Fails with `MarkingGaveUp` above
 * this limit or after the caller's deadline.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import { Hasher } from "../../storage/Hasher.ts"
import type { BlobHash } from "../../storage/BlobStore.ts"
import { type ObjectHash, ObjectStore } from "../../storage/ObjectStore.ts"
import { orderValues, Storage, StorageError } from "../../storage/Storage.ts"
import { Threads } from "../../thread/Threads.ts"
import type { Content, ReusableContentEntry, Root, PassthroughFile } from "../Content.ts"
import type { FileEntry } from "../files/File.ts"
import * as Conflict from "../merge/Conflict.ts"
import type { PageEntry } from "../pages/Page.ts"
import * as LinkMap from "../pages/LinkMap.ts"
import type { GarbageRoot } from "./GarbageRoot.ts"
import { roots } from "./GarbageRoots.ts"
import { HashSet } from "./HashSet.ts"
import type { ObjectReader } from "./Objects.ts"
import * as Trie from "./Trie.ts"

const maxMarked = 20_000_000

/** Raised if too many objects and blobs are referenced, or if marking takes too long. */
export class MarkingGaveUp extends Schema.TaggedError<MarkingGaveUp>()("MarkingGaveUp", { message: Schema.String }) {}

export class Marks {
  readonly objects = new HashSet()
  readonly blobs = new HashSet()
  private readonly isLost: (kind: "object" | "blob", hash: string) => boolean

  /** Calls `isLost` once for each hash. A lost object is not read. */
  constructor(isLost: (kind: "object" | "blob", hash: string) => boolean = () => false) {
    this.isLost = isLost
  }

  /** Marks an object as referenced. Returns true if it was not marked before and exists. */
  object(hash: ObjectHash): boolean {
    return this.objects.add(hash) && !this.isLost("object", hash)
  }

  blob(hash: BlobHash) {
    if (this.blobs.add(hash)) this.isLost("blob", hash)
  }
}

export interface MarkingOptions {
  /** Time after which marking fails (epoch ms). */
  readonly deadline: number
  /** Number of rows between two pauses. Default: 100. */
  readonly rows?: number
}

/** Marks everything that the rows of all concepts refer to. */
export const markAll = Effect.fnUntraced(function* (marks: Marks, options: MarkingOptions) {
  for (const root of roots) yield* markRoot(root, marks, options)
})

const markRoot = Effect.fnUntraced(function* (
  { table, referencesOf: reached }: GarbageRoot,
  marks: Marks,
  { deadline, rows: rowSlice = 100 }: MarkingOptions
) {
  const rows = (yield* Storage).repository(table)
  const reader = yield* uncachedReader
  for (let after: ReturnType<typeof orderValues> | undefined; ;) {
    const slice = yield* rows.list({ where: {}, limit: rowSlice, ...(after && { after }) })
    for (const row of slice) {
      const { contents = [], conflicts, objects = [], blobs = [] } = reached(row as object)
      for (const hash of objects) if (hash !== undefined) marks.object(hash)
      for (const hash of blobs) if (hash !== undefined) marks.blob(hash)
      if (conflicts !== undefined) yield* markConflicts(reader, conflicts, marks)
      for (const content of contents) if (content !== undefined) yield* markContent(reader, content, marks)
    }
    yield* checkBounds(marks, deadline)
    if (slice.length < rowSlice) return
    after = orderValues(table, { where: {} }, slice.at(-1))
    yield* Effect.yieldNow
  }
})

const noReferences = (): ReadonlyArray<ObjectHash> => []
const textsOf = ({ document, source }: { readonly document?: ObjectHash; readonly source?: ObjectHash }) =>
  [document, source].filter((hash) => hash !== undefined)

/** Marks a trie. A marked node is not visited again, since its subtree has been visited or is pending. */
const markTrie = <V>(
  reader: ObjectReader,
  root: Root,
  marks: Marks,
  refs: (value: V) => ReadonlyArray<ObjectHash>
): Effect.Effect<void, StorageError> => {
  if (root === null) return Effect.void
  const skip = (hash: ObjectHash) => !marks.object(hash)
  return Trie.reachable<V>(reader, [root], { skip, refs }).pipe(
    Stream.chunks,
    Stream.runForEach((hashes) => {
      for (const hash of hashes) marks.object(hash)
      return Effect.yieldNow
    })
  )
}

const markContent = Effect.fnUntraced(function* (reader: ObjectReader, content: Content, marks: Marks) {
  yield* markTrie<PageEntry>(reader, content.pages, marks, textsOf)
  yield* markTrie(reader, content.children, marks, noReferences)
  yield* markTrie(reader, content.variables, marks, noReferences)
  yield* markTrie(reader, content.redirects ?? null, marks, noReferences)
  yield* markTrie<PassthroughFile>(reader, content.written ?? null, marks, textsOf)
  yield* markTrie(reader, content.links ?? null, marks, LinkMap.objectsOf)
  yield* markTrie<ReusableContentEntry>(reader, content.reusableContents, marks, textsOf)
  yield* markTrie<FileEntry>(reader, content.files, marks, ({ blob }) => {
    marks.blob(blob)
    return []
  })
})

const markConflicts = Effect.fnUntraced(function* (reader: ObjectReader, hash: ObjectHash, marks: Marks) {
  if (!marks.object(hash)) return
  for (const conflict of yield* reader.read<ReadonlyArray<Conflict.Conflict>>(hash)) {
    for (const object of Conflict.objectsOf(conflict)) marks.object(object)
    for (const blob of Conflict.blobsOf(conflict)) marks.blob(blob)
  }
})

const checkBounds = Effect.fnUntraced(function* (marks: Marks, deadline: number) {
  if (marks.objects.size + marks.blobs.size > maxMarked) {
    return yield* new MarkingGaveUp({ message: `There are more than ${maxMarked} objects and blobs to mark` })
  }
  if ((yield* Clock.currentTimeMillis) > deadline) {
    return yield* new MarkingGaveUp({ message: "Marking the objects in use took too long" })
  }
})

/** Reader that bypasses the cache, so that marking does not evict objects that other callers use. */
const uncachedReader = Effect.gen(function* () {
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
    readUnparsed: <A extends object>(hash: ObjectHash) => reader.read<A>(hash)
  }
  return reader
})
