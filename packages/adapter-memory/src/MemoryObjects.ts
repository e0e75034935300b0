/** Objects and blobs in memory: values by hash, with the time of their last write. */
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { type ObjectHash, ObjectStore, rejectIllFormed } from "@lectern/core/storage/ObjectStore"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import { type Journal, JournaledMap } from "./JournaledMap.ts"

interface StoredValue<V> {
  readonly value: V
  readonly writtenAt: number
}

/** Creates the operations that objects and blobs share. */
const storeByHash = <Hash extends string, V>(queue: TransactionQueue, journal: Journal) => {
  const storedValues = new JournaledMap<StoredValue<V>>(journal)
  return {
    put: (values: ReadonlyArray<readonly [Hash, V]>) =>
      Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
        queue.write(() => {
          for (const [, value] of values) if (typeof value === "string") rejectIllFormed(value)
          for (const [hash, value] of values) {
            storedValues.set(hash, { value: storedValues.view(true).get(hash)?.value ?? value, writtenAt })
          }
        })
      ),
    get: (hash: Hash, isInTransaction: boolean) => storedValues.view(isInTransaction).get(hash)?.value,
    list: (options: { readonly after?: Hash; readonly limit: number }) =>
      queue.read((isInTransaction) =>
        [...storedValues.view(isInTransaction)]
          .filter(([hash]) => options.after === undefined || hash > options.after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, Math.max(0, options.limit))
          .map(([hash, { writtenAt }]) => ({ hash: hash as Hash, writtenAt }))
      ),
    remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) =>
      queue.write(() => {
        const oldHashes = new Set(
          hashes.filter((hash) => (storedValues.view(true).get(hash)?.writtenAt ?? Infinity) < writtenBefore)
        )
        for (const hash of oldHashes) storedValues.delete(hash)
        return oldHashes.size
      })
  }
}

/** Records no reads, since objects and blobs never change. */
const immutable = () => {}

export const memoryObjects = (queue: TransactionQueue, journal: Journal): ObjectStore["Service"] => {
  const objects = storeByHash<ObjectHash, string>(queue, journal)
  return ObjectStore.of({
    put: (values) => objects.put(values.map(({ hash, text }) => [hash, text])),
    get: (hashes) =>
      queue.read((isInTransaction) => hashes.map((hash) => objects.get(hash, isInTransaction)), immutable),
    list: objects.list,
    remove: objects.remove
  })
}

export const memoryBlobs = (queue: TransactionQueue, journal: Journal): BlobStore["Service"] => {
  const blobs = storeByHash<BlobHash, Uint8Array>(queue, journal)
  return BlobStore.of({
    // Byte arrays are mutable, so they are copied on the way in and out.
    put: (hash, bytes) => Effect.suspend(() => blobs.put([[hash, bytes.slice()]])),
    get: (hash) => queue.read((isInTransaction) => blobs.get(hash, isInTransaction)?.slice(), immutable),
    list: blobs.list,
    remove: blobs.remove
  })
}
