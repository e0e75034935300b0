/**
 * Stores the objects and blobs of an import before the revision refers to them, in groups that do not block other
 * writers for long. Stored values that are never committed are garbage, which garbage collection removes.
 */
import { Effect } from "effect"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"

/** Size of a group (bytes). Larger groups would block other writers. */
const groupBytes = 2 * 1024 * 1024
/**
 * Minimum size of a file that is stored individually (bytes). The store may put it into a separate file, which is
 * impossible in a transaction.
 */
const individualBytes = 1024 * 1024

/** Blobs that wait for being stored in a group. */
export interface StagedBlobs {
  readonly put: (hash: BlobHash, bytes: Uint8Array) => Effect.Effect<void, StorageError>
  /** Stores the waiting blobs. */
  readonly flush: Effect.Effect<void, StorageError>
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
      const flush = Effect.suspend(() => {
        const blobs = pending
        pending = new Map()
        pendingBytes = 0
        return blobs.size === 0 ? Effect.void : putBlobs(blobs)
      })
      return {
        flush,
        put: (hash, bytes) =>
          Effect.suspend(() => {
            if (bytes.length >= individualBytes) return blobStore.put(hash, bytes)
            pending.set(hash, bytes)
            pendingBytes += bytes.length
            return pendingBytes >= groupBytes ? flush : Effect.void
          })
      }
    },
    putObjects: (draft) => Effect.andThen(draft.flushAhead, draft.flush)
  } satisfies ContentStaging
})
