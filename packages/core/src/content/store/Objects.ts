/**
 * Content-addressed values over the object store, with what was read last kept in memory. Objects
 * never change, so nothing here is ever invalidated.
 *
 * What is large is kept as text: it is unfolded each time that it is read, and others have their turn
 * then. Documents need not be (`document`): what is computed of them is computed in threads.
 *
 * Default: what is kept takes at most 32 MiB of memory (`ObjectCacheBytes`).
 */
import { Context, Effect } from "effect"
import { Hasher } from "../../storage/Hasher.ts"
import { ObjectHash, ObjectStore, type StoredObject } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import { StorageError } from "../../storage/Storage.ts"
import { Threads } from "../../thread/Threads.ts"
import type { Answered } from "@lectern/document/answered/Answered"
import { LruCache } from "../../storage/LruCache.ts"
import { type Folded, isSmall, Large, smallJson, type StoredDocument } from "../documents/StoredDocument.ts"
import { wired } from "../../wiring/Wired.ts"

/** Reads objects as parsed JSON. What it gives is shared: never change it. */
export interface ObjectReader {
  readonly read: <A>(hash: ObjectHash) => Effect.Effect<A, StorageError>
  readonly readAll: <A>(hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<A>, StorageError>
  /** A document, unfolded only where it is small. */
  readonly document: (hash: ObjectHash) => Effect.Effect<StoredDocument, StorageError>
  readonly documents: (hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<StoredDocument>, StorageError>
  /** The same of anything else. */
  readonly folded: <A extends object>(hash: ObjectHash) => Effect.Effect<Folded<A>, StorageError>
  /** Threads that compute with large objects. */
  readonly threads: Threads["Service"]
  /** SHA-256 of a text, as `Hasher` gives it: places keys in a `Trie`. */
  readonly sha256: (text: string) => string
}

/** Reads and writes; what was written is read back before it is stored. */
export interface ObjectDraft extends ObjectReader {
  readonly write: (value: unknown) => ObjectHash
  /**
   * The same of what is JSON already. `value`: what it says, where that is at hand, which spares whoever reads it
   * soon to unfold it.
   */
  readonly writeJson: (json: string, value?: Folded<object>) => ObjectHash
  /** Objects that were written so far. */
  readonly staged: () => ReadonlyArray<StoredObject>
  /**
   * Before a transaction that flushes: stores what is more than it should take along, in groups that
   * hold up no other writer. What is stored so and never referred to is garbage, which a sweep
   * removes. In a transaction it does nothing, since that may still undo what it would rely on.
   */
  readonly flushAhead: Effect.Effect<void, StorageError>
  /** Stores what was written and is not stored ahead: part of the transaction where there is one. */
  readonly flush: Effect.Effect<void, StorageError>
}

/** How much is stored at once: objects, and characters. */
const groupObjects = 200
const groupLength = 2 * 1024 * 1024
/** How many characters a transaction takes along at most. */
const alongLength = 1024 * 1024

/** How much memory the objects that are kept may take, in bytes. Default: 32 MiB. */
export const ObjectCacheBytes = Context.Reference<number>("@lectern/core/content/store/ObjectCacheBytes", {
  defaultValue: () => 32 * 1024 * 1024
})

export class Objects extends Context.Service<Objects, ObjectReader & { readonly draft: () => ObjectDraft }>()(
  "@lectern/core/content/Objects"
) {
  static readonly layer = wired(
    Objects,
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const hasher = yield* Hasher
      const threads = yield* Threads
      const cache = new LruCache<ObjectHash, unknown>(yield* ObjectCacheBytes)

      const keep = (hash: ObjectHash, text: string, kept: unknown, beside = 0) =>
        cache.set(hash, kept, text.length * ((kept instanceof Large ? 1 : unfolding) + beside))

      /** Each as it is kept: large ones as their text. */
      const load = (
        hashes: ReadonlyArray<ObjectHash>,
        staged?: Map<ObjectHash, Staged>
      ): Effect.Effect<ReadonlyArray<unknown>, StorageError> => {
        const values: Array<unknown> = []
        const missing: Array<number> = []
        for (const [i, hash] of hashes.entries()) {
          values.push(cache.get(hash) ?? staged?.get(hash)?.kept)
          if (values[i] === undefined) missing.push(i)
        }
        if (missing.length === 0) return Effect.succeed(values)
        return Effect.flatMap(store.get(missing.map((i) => hashes[i]!)), (texts) => {
          for (const [n, i] of missing.entries()) {
            const text = texts[n]
            if (text === undefined) {
              return Effect.fail(new StorageError({ reason: "failed", message: `Object ${hashes[i]} is missing` }))
            }
            const kept = keptOf(text)
            values[i] = kept
            keep(hashes[i]!, text, kept)
          }
          return Effect.succeed(values)
        })
      }

      const unfolded = Effect.fnUntraced(function* (values: ReadonlyArray<unknown>) {
        const slice = yield* Slice.start
        const unfolded: Array<unknown> = []
        for (const value of values) {
          unfolded.push(value instanceof Large ? JSON.parse(value.json) : value)
          if (slice.isOver()) yield* slice.pause
        }
        return unfolded
      })

      const readAll = <A>(
        hashes: ReadonlyArray<ObjectHash>,
        staged: Map<ObjectHash, Staged> | undefined
      ): Effect.Effect<ReadonlyArray<A>, StorageError> =>
        Effect.flatMap(load(hashes, staged), (values) =>
          values.some((value) => value instanceof Large)
            ? (unfolded(values) as Effect.Effect<ReadonlyArray<A>>)
            : Effect.succeed(values as ReadonlyArray<A>)
        )

      const readerOver = (staged?: Map<ObjectHash, Staged>): ObjectReader => ({
        read: <A>(hash: ObjectHash) => {
          const known = cache.get(hash) ?? staged?.get(hash)?.kept
          return known !== undefined && !(known instanceof Large)
            ? Effect.succeed(known as A)
            : Effect.map(readAll<A>([hash], staged), ([value]) => value!)
        },
        readAll: (hashes) => readAll(hashes, staged),
        document: (hash) => Effect.map(load([hash], staged), ([kept]) => folded<Answered>(kept)),
        folded: <A extends object>(hash: ObjectHash) => Effect.map(load([hash], staged), ([kept]) => folded<A>(kept)),
        documents: (hashes) => Effect.map(load(hashes, staged), (all) => all.map(folded<Answered>)),
        threads,
        sha256: hasher.sha256
      })

      return Objects.of({
        ...readerOver(),
        draft: () => {
          const staged = new Map<ObjectHash, Staged>()
          /** Of those in `staged`, which keeps its order: how many are stored, and what the others amount to. */
          let stored = 0
          let waiting = 0
          const objects = (from = 0) => Array.from(staged.entries().drop(from), ([hash, { text }]) => ({ hash, text }))
          const writeJson = (text: string, value?: Folded<object>) => {
            const hash = hasher.sha256(text) as ObjectHash
            if (value !== undefined) keep(hash, text, isSmall(value) ? value : large(value), 1 + unfolding)
            if (!staged.has(hash)) {
              staged.set(hash, new Staged(text))
              waiting += text.length
            }
            return hash
          }
          const isLarge = () => staged.size - stored > groupObjects || waiting > alongLength
          return {
            ...readerOver(staged),
            write: (value) => writeJson(JSON.stringify(value)),
            writeJson,
            staged: () => objects(),
            flushAhead: Effect.gen(function* () {
              const slice = yield* Slice.start
              if (!slice.mayPause || !isLarge()) return
              // What is so large took a while to hash.
              yield* slice.pause
              const put = (group: ReadonlyArray<StoredObject>) =>
                Effect.flatMap(store.put(group), () => {
                  stored += group.length
                  for (const { text } of group) waiting -= text.length
                  return slice.isOver() ? slice.pause : Effect.void
                })
              // One is given to the store while the disk keeps the one before it.
              yield* Effect.forEach(groups(objects(stored)), put, { concurrency: 2, discard: true })
            }),
            flush: Effect.suspend(() => (staged.size === stored ? Effect.void : store.put(objects(stored))))
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

/** How many bytes of memory an object takes for each character of its text, unfolded. */
const unfolding = 2.2

const folded = <A extends object>(kept: unknown): Folded<A> => kept as Folded<A>

/** One that came out of a thread is a copy. */
const large = (value: Folded<object>): Large =>
  value instanceof Large ? value : new Large((value as { readonly json: string }).json)

const keptOf = (text: string): unknown => (text.length > smallJson ? new Large(text) : JSON.parse(text))

class Staged {
  readonly text: string
  #kept: unknown

  constructor(text: string) {
    this.text = text
  }

  /** Parsed when it is first read: most of what is written is not read back. */
  get kept(): unknown {
    return (this.#kept ??= keptOf(this.text))
  }
}
