/**
 * Content-addressed values in the object store, with a cache of recently read values. Objects never change, so cached
 * values are never invalidated.
 *
 * Large objects are cached as text. They are parsed on every read, with pauses in between. Documents can stay unparsed
 * (`document`), since threads run the computations on documents.
 *
 * Default: the cache takes up to 32 MiB of memory (`ObjectCacheBytes`).
 */
import { Context, Effect, Layer } from "effect"
import { Hasher } from "../../storage/Hasher.ts"
import { ObjectHash, ObjectStore, type StoredObject } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import { StorageError } from "../../storage/Storage.ts"
import { Threads } from "../../thread/Threads.ts"
import type { WireDocument } from "@lectern/document/wire/WireDocument"
import { LruCache } from "../../storage/LruCache.ts"
import { type ParsedOrJson, isSmall, LargeJson, smallJson, type StoredDocument } from "../documents/StoredDocument.ts"

/** Reads objects as parsed JSON. Returned values are shared: never change them. */
export interface ObjectReader {
  readonly read: <A>(hash: ObjectHash) => Effect.Effect<A, StorageError>
  readonly readAll: <A>(hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<A>, StorageError>
  /** Returns a document. A large document stays unparsed. */
  readonly document: (hash: ObjectHash) => Effect.Effect<StoredDocument, StorageError>
  readonly documents: (hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<StoredDocument>, StorageError>
  /** Returns an object that is not a document. A large object is returned as JSON text. */
  readonly readUnparsed: <A extends object>(hash: ObjectHash) => Effect.Effect<ParsedOrJson<A>, StorageError>
  /** Threads for computations on large objects. */
  readonly threads: Threads["Service"]
  /** SHA-256 of a text in the form of `Hasher`. Determines the positions of keys in a `Trie`. */
  readonly sha256: (text: string) => string
}

/** Reads and writes objects. Written objects can be read before they are stored. */
export interface ObjectDraft extends ObjectReader {
  readonly write: (value: unknown) => ObjectHash
  /** Writes a JSON text. `value`: the parsed form, if the caller has it, which saves later readers from parsing. */
  readonly writeJson: (json: string, value?: ParsedOrJson<object>) => ObjectHash
  /** Returns the written objects of this draft. */
  readonly staged: () => ReadonlyArray<StoredObject>
  /**
   * Stores large amounts of written objects before a transaction, in groups that do not block other writers for long.
   * Objects that are stored in advance and never referenced are garbage, which garbage collection removes. Does nothing
   * inside a transaction, since a rollback could remove the stored objects.
   */
  readonly flushAhead: Effect.Effect<void, StorageError>
  /** Stores the written objects that were not stored in advance. Part of the current transaction, if there is one. */
  readonly flush: Effect.Effect<void, StorageError>
}

/** Maximum sizes of a group that is stored at once: number of objects, and characters. */
const groupObjects = 200
const groupLength = 2 * 1024 * 1024
/**
 * Maximum total length of the objects of a draft that are stored in the transaction, in characters. If the total is
 * larger, or the number of objects exceeds `groupObjects`, `flushAhead` stores them before the transaction.
 */
const maxInlineLength = 1024 * 1024

/** Memory limit of the cache of objects (bytes). Default: 32 MiB. */
export const ObjectCacheBytes = Context.Reference<number>("@lectern/core/content/store/ObjectCacheBytes", {
  defaultValue: () => 32 * 1024 * 1024
})

export class Objects extends Context.Service<Objects, ObjectReader & { readonly draft: () => ObjectDraft }>()(
  "@lectern/core/content/store/Objects"
) {
  static readonly layer = Layer.effect(
    Objects,
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const hasher = yield* Hasher
      const threads = yield* Threads
      const cache = new LruCache<ObjectHash, unknown>(yield* ObjectCacheBytes)

      const cacheValue = (hash: ObjectHash, text: string, value: unknown, extraFactor = 0) =>
        cache.set(hash, value, text.length * ((value instanceof LargeJson ? 1 : bytesPerCharacter) + extraFactor))

      /** Returns the cached form of each object. Large objects stay text. */
      const load = (
        hashes: ReadonlyArray<ObjectHash>,
        staged?: Map<ObjectHash, StagedObject>
      ): Effect.Effect<ReadonlyArray<unknown>, StorageError> => {
        const values: Array<unknown> = []
        const missingIndexes: Array<number> = []
        for (const [i, hash] of hashes.entries()) {
          values.push(cache.get(hash) ?? staged?.get(hash)?.value)
          if (values[i] === undefined) missingIndexes.push(i)
        }
        if (missingIndexes.length === 0) return Effect.succeed(values)
        return Effect.flatMap(store.get(missingIndexes.map((i) => hashes[i]!)), (texts) => {
          for (const [n, i] of missingIndexes.entries()) {
            const text = texts[n]
            if (text === undefined) {
              return Effect.fail(new StorageError({ reason: "failed", message: `Object ${hashes[i]} is missing` }))
            }
            const value = cachedForm(text)
            values[i] = value
            cacheValue(hashes[i]!, text, value)
          }
          return Effect.succeed(values)
        })
      }

      const parseAll = Effect.fnUntraced(function* (values: ReadonlyArray<unknown>) {
        const slice = yield* Slice.start
        const parsed: Array<unknown> = []
        for (const value of values) {
          parsed.push(value instanceof LargeJson ? JSON.parse(value.json) : value)
          if (slice.isOver()) yield* slice.pause
        }
        return parsed
      })

      const readAll = <A>(
        hashes: ReadonlyArray<ObjectHash>,
        staged: Map<ObjectHash, StagedObject> | undefined
      ): Effect.Effect<ReadonlyArray<A>, StorageError> =>
        Effect.flatMap(load(hashes, staged), (values) =>
          values.some((value) => value instanceof LargeJson)
            ? (parseAll(values) as Effect.Effect<ReadonlyArray<A>>)
            : Effect.succeed(values as ReadonlyArray<A>)
        )

      const readerOver = (staged?: Map<ObjectHash, StagedObject>): ObjectReader => ({
        read: <A>(hash: ObjectHash) => {
          const cachedObject = cache.get(hash) ?? staged?.get(hash)?.value
          return cachedObject !== undefined && !(cachedObject instanceof LargeJson)
            ? Effect.succeed(cachedObject as A)
            : Effect.map(readAll<A>([hash], staged), ([value]) => value!)
        },
        readAll: (hashes) => readAll(hashes, staged),
        document: (hash) => Effect.map(load([hash], staged), ([value]) => asParsedOrJson<WireDocument>(value)),
        readUnparsed: <A extends object>(hash: ObjectHash) =>
          Effect.map(load([hash], staged), ([value]) => asParsedOrJson<A>(value)),
        documents: (hashes) => Effect.map(load(hashes, staged), (all) => all.map(asParsedOrJson<WireDocument>)),
        threads,
        sha256: hasher.sha256
      })

      return Objects.of({
        ...readerOver(),
        draft: () => {
          const staged = new Map<ObjectHash, StagedObject>()
          /**
           * Number of stored objects, counted from the start of `staged`, and total length of the others (characters).
           */
          let storedCount = 0
          let pendingLength = 0
          const objects = (from = 0) => Array.from(staged.entries().drop(from), ([hash, { text }]) => ({ hash, text }))
          const writeJson = (text: string, value?: ParsedOrJson<object>) => {
            const hash = hasher.sha256(text) as ObjectHash
            if (value !== undefined)
              cacheValue(hash, text, isSmall(value) ? value : large(value), 1 + bytesPerCharacter)
            if (!staged.has(hash)) {
              staged.set(hash, new StagedObject(text))
              pendingLength += text.length
            }
            return hash
          }
          const isLarge = () => staged.size - storedCount > groupObjects || pendingLength > maxInlineLength
          return {
            ...readerOver(staged),
            write: (value) => writeJson(JSON.stringify(value)),
            writeJson,
            staged: () => objects(),
            flushAhead: Effect.gen(function* () {
              const slice = yield* Slice.start
              if (!slice.mayPause || !isLarge()) return
              // Pauses first, since hashing this many objects took a while.
              yield* slice.pause
              const put = (group: ReadonlyArray<StoredObject>) =>
                Effect.flatMap(store.put(group), () => {
                  storedCount += group.length
                  for (const { text } of group) pendingLength -= text.length
                  return slice.isOver() ? slice.pause : Effect.void
                })
              // The next group is sent to the store while the store writes the previous one.
              yield* Effect.forEach(groups(objects(storedCount)), put, { concurrency: 2, discard: true })
            }),
            flush: Effect.suspend(() => (staged.size === storedCount ? Effect.void : store.put(objects(storedCount))))
          }
        }
      })
    })
  )
}

function* groups(objects: ReadonlyArray<StoredObject>): Generator<ReadonlyArray<StoredObject>> {
  let group: Array<StoredObject> = []
  let length = 0
  for (const object of objects) {
    group.push(object)
    length += object.text.length
    if (group.length < groupObjects && length < groupLength) continue
    yield group
    group = []
    length = 0
  }
  if (group.length > 0) yield group
}

/** Memory of a parsed object for each character of its text (bytes). */
const bytesPerCharacter = 2.2

const asParsedOrJson = <A extends object>(value: unknown): ParsedOrJson<A> => value as ParsedOrJson<A>

/** Returns the text form of a large value. A value that came from a thread is copied. */
const large = (value: ParsedOrJson<object>): LargeJson =>
  value instanceof LargeJson ? value : new LargeJson((value as { readonly json: string }).json)

const cachedForm = (text: string): unknown => (text.length > smallJson ? new LargeJson(text) : JSON.parse(text))

class StagedObject {
  readonly text: string
  #value: unknown

  constructor(text: string) {
    this.text = text
  }

  /** The object in its cached form, parsed on the first read, since most written objects are not read back. */
  get value(): unknown {
    return (this.#value ??= cachedForm(this.text))
  }
}
