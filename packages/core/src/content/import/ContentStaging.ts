/**
 * Stores what an import makes before anything refers to it, in groups that hold up no other writer.
 * What is stored here and never committed is garbage, which a sweep removes.
 */
import { Effect } from "effect"
import { type BlobHash, BlobStore } from "../../storage/BlobStore.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import type { ObjectDraft } from "../store/Objects.ts"

/** How much is stored at once: more would hold up other writers. */
const groupBytes = 2 * 1024 * 1024
/** Size from which a file is stored by itself: a store may keep it apart, which it can't in a transaction. */
const aloneBytes = 1024 * 1024

/** The bytes of files on their way into the store. */
export interface StagedBlobs {
  readonly put: (hash: BlobHash, bytes: Uint8Array) => Effect.Effect<void, StorageError>
  /** Stores those that wait. */
  readonly settle: Effect.Effect<void, StorageError>
}

export interface ContentStaging {
  readonly blobs: () => StagedBlobs
  readonly putObjects: (draft: ObjectDraft) => Effect.Effect<void, StorageError>
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const blobStore = yield* BlobStore

  const putBlobs = (blobs: ReadonlyMap<BlobHash, Uint8Array>) =>
    storage.transaction(Effect.forEach(blobs, ([hash, bytes]) => blobStore.put(hash, bytes), { discard: true }))

  return {
    blobs: () => {
      let pending = new Map<BlobHash, Uint8Array>()
      let pendingBytes = 0
      const settle = Effect.suspend(() => {
        const blobs = pending
        pending = new Map()
        pendingBytes = 0
        return blobs.size === 0 ? Effect.void : putBlobs(blobs)
      })
      return {
        settle,
        put: (hash, bytes) =>
          Effect.suspend(() => {
            if (bytes.length >= aloneBytes) return blobStore.put(hash, bytes)
            pending.set(hash, bytes)
            pendingBytes += bytes.length
            return pendingBytes >= groupBytes ? settle : Effect.void
          })
      }
    },
    putObjects: (draft) => Effect.andThen(draft.flushAhead, draft.flush)
  } satisfies ContentStaging
})
