/** `Objects` over a map that counts reads, for tests of content. */
import { Effect, Layer } from "effect"
import { ObjectCacheBytes, Objects } from "@lectern/core/content/store/Objects"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Threads } from "@lectern/core/thread/Threads"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"

export interface Store {
  readonly texts: Map<ObjectHash, string>
  /** Number of read batches, and number of objects in them. */
  readonly reads: { batches: number; objects: number }
}

export const emptyStore = (): Store => ({ texts: new Map(), reads: { batches: 0, objects: 0 } })

/** Returns the ports that `Objects` needs, over this store. */
export const ports = (store: Store = emptyStore()) =>
  Layer.mergeAll(
    Layer.succeed(
      ObjectStore,
      ObjectStore.of({
        put: (objects) => Effect.sync(() => objects.forEach(({ hash, text }) => store.texts.set(hash, text))),
        get: (hashes) =>
          Effect.sync(() => {
            store.reads.batches++
            store.reads.objects += hashes.length
            return hashes.map((hash) => store.texts.get(hash))
          }),
        list: () => Effect.succeed([]),
        remove: () => Effect.succeed(0)
      })
    ),
    Hasher.layer,
    Threads.layer
  )

export const layer = (store?: Store, options?: { readonly cacheBytes: number }) =>
  Layer.fresh(Objects.layer).pipe(
    Layer.provide(ports(store)),
    Layer.provide(options === undefined ? Layer.empty : Layer.succeed(ObjectCacheBytes, options.cacheBytes))
  )
