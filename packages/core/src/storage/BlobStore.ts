/**
 * Port for the bytes of files, stored under their SHA-256. Blobs are immutable, like objects.
 *
 * Limits: a blob is at most 64 MiB.
 */
import { Context, type Effect, Schema } from "effect"
import type { StorageError } from "./Storage.ts"

/** Hash of a blob's bytes: SHA-256 as 43 characters of base64url. */
export const BlobHash = Schema.String.pipe(Schema.brand("BlobHash"))
export type BlobHash = typeof BlobHash.Type

export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Stores the bytes if they are missing, and sets the time of the last write to now. */
    readonly put: (hash: BlobHash, bytes: Uint8Array) => Effect.Effect<void, StorageError>
    readonly get: (hash: BlobHash) => Effect.Effect<Uint8Array | undefined, StorageError>
    /** Returns at most `limit` hashes greater than `after`, in order, with the time of their last write (epoch ms). */
    readonly list: (options: {
      readonly after?: BlobHash
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<{ readonly hash: BlobHash; readonly writtenAt: number }>, StorageError>
    /** Removes the given blobs if their last write is before `writtenBefore` (epoch ms). Returns the number removed. */
    readonly remove: (hashes: ReadonlyArray<BlobHash>, writtenBefore: number) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/storage/BlobStore") {}
