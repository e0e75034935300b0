/**
 * Content-addressed values over the object store, with what was read last kept in memory. Objects
 * never change, so nothing here is ever invalidated.
 *
 * Default: at most 64 MiB of object text is kept (`Objects.layer({ cacheBytes })`).
 */
import { Context, Effect, Layer } from "effect"
import { Hasher } from "../storage/Hasher.ts"
import { ObjectHash, ObjectStore, type StoredObject } from "../storage/ObjectStore.ts"
import { StorageError } from "../storage/Storage.ts"
import { Lru } from "./Lru.ts"

/** Reads objects as parsed JSON. What it gives is shared: never change it. */
export interface ObjectReader {
  readonly read: <A>(hash: ObjectHash) => Effect.Effect<A, StorageError>
  readonly readAll: <A>(hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<A>, StorageError>
  /** SHA-256 of a text, as `Hasher` gives it: places keys in a `Trie`. */
  readonly sha256: (text: string) => string
}

/** Reads and writes; what was written is read back before it is stored. */
export interface ObjectDraft extends ObjectReader {
  readonly write: (value: unknown) => ObjectHash
  /** What was written so far. */
  readonly staged: () => ReadonlyArray<StoredObject>
  /** Stores what was written: part of the transaction where there is one. */
  readonly flush: Effect.Effect<void, StorageError>
}

export class Objects extends Context.Service<Objects, ObjectReader & { readonly draft: () => ObjectDraft }>()(
  "@lectern/core/content/Objects"
) {
  static readonly layer = (options: { readonly cacheBytes?: number } = {}) =>
    Layer.effect(
      Objects,
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const hasher = yield* Hasher
        const cache = new Lru<ObjectHash, unknown>(options.cacheBytes ?? 64 * 1024 * 1024)

        const load = Effect.fnUntraced(function* (hashes: ReadonlyArray<ObjectHash>, staged?: Map<ObjectHash, Staged>) {
          const values: Array<unknown> = []
          const missing: Array<number> = []
          for (const [i, hash] of hashes.entries()) {
            values.push(staged?.get(hash)?.value ?? cache.get(hash))
            if (values[i] === undefined) missing.push(i)
          }
          if (missing.length === 0) return values
          const texts = yield* store.get(missing.map((i) => hashes[i]!))
          for (const [n, i] of missing.entries()) {
            const text = texts[n]
            if (text === undefined) {
              return yield* new StorageError({ reason: "failed", message: `Object ${hashes[i]} is missing` })
            }
            cache.set(hashes[i]!, (values[i] = JSON.parse(text)), text.length)
          }
          return values
        })

        const readerOver = (staged?: Map<ObjectHash, Staged>): ObjectReader => ({
          read: <A>(hash: ObjectHash) => {
            const known = staged?.get(hash)?.value ?? cache.get(hash)
            return known !== undefined
              ? Effect.succeed(known as A)
              : Effect.map(load([hash], staged), (values) => values[0] as A)
          },
          readAll: <A>(hashes: ReadonlyArray<ObjectHash>) =>
            load(hashes, staged) as Effect.Effect<ReadonlyArray<A>, StorageError>,
          sha256: hasher.sha256
        })

        return Objects.of({
          ...readerOver(),
          draft: () => {
            const staged = new Map<ObjectHash, Staged>()
            const objects = () => Array.from(staged, ([hash, { text }]) => ({ hash, text }))
            return {
              ...readerOver(staged),
              write: (value) => {
                const text = JSON.stringify(value)
                const hash = hasher.sha256(text) as ObjectHash
                if (!staged.has(hash)) staged.set(hash, new Staged(text))
                return hash
              },
              staged: objects,
              flush: Effect.suspend(() => (staged.size === 0 ? Effect.void : store.put(objects())))
            }
          }
        })
      })
    )
}

class Staged {
  readonly text: string
  #value: unknown

  constructor(text: string) {
    this.text = text
  }

  /** Parsed when it is first read: most of what is written is not read back. */
  get value(): unknown {
    return (this.#value ??= JSON.parse(this.text))
  }
}
