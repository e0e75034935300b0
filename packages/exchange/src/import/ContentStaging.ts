/**
 * Stores the objects and blobs of an import before the revision refers to them, in groups that do not block other
 * writers for long, and runs the hook `upload` of the host for its files. Stored values that are never committed are
 * garbage, which garbage collection removes.
 */
import { Effect } from "effect"
import { CurrentActor } from "@lectern/core/access/Actor"
import { makeRunHook } from "@lectern/core/hook/BeforeHooks"
import type { SpaceId } from "@lectern/core/space/Space"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import type { ImportOptions } from "./ImportRun.ts"

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
  /** Returns a function that runs the hook `upload` for files of a space, as the current actor. */
  readonly allowFile: (space: SpaceId) => Effect.Effect<ImportOptions["allowFile"], never, CurrentActor>
  readonly blobs: () => StagedBlobs
  readonly putObjects: (draft: ObjectDraft) => Effect.Effect<void, StorageError>
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const blobStore = yield* BlobStore
  const runHook = yield* makeRunHook

  const putBlobs = (blobs: ReadonlyMap<BlobHash, Uint8Array>) =>
    storage.transaction(Effect.forEach(blobs, ([hash, bytes]) => blobStore.put(hash, bytes), { discard: true }))

  return {
    allowFile: (space) =>
      Effect.map(
        CurrentActor,
        (actor) =>
          ({ name, contentType, size }) =>
            runHook(
              "upload",
              Effect.succeed({ kind: "content_file", organization: undefined, space, name, contentType, size })
            ).pipe(
              Effect.map((changes) => changes.name ?? name),
              Effect.provideService(CurrentActor, actor)
            )
      ),

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
