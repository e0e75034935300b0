/**
 * The port for the bytes of files, stored under their SHA-256. Like objects, blobs never change.
 *
 * Limits: a blob is at most 64 MiB.
 */
import { Context, type Effect, Schema } from "effect"
import type { StorageError } from "./Storage.ts"

/** The hash of a blob's bytes, 43 characters of base64url (SHA-256). */
export const BlobHash = Schema.String.pipe(Schema.brand("BlobHash"))
export type BlobHash = typeof BlobHash.Type

export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Stores the bytes if they are missing, and refreshes when they were last written. */
    readonly put: (hash: BlobHash, bytes: Uint8Array) => Effect.Effect<void, StorageError>
    readonly get: (hash: BlobHash) => Effect.Effect<Uint8Array | undefined, StorageError>
    /** Hashes in order, behind `after`, at most `limit`, with the time of their last write (epoch ms). */
    readonly list: (options: {
      readonly after?: BlobHash
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<{ readonly hash: BlobHash; readonly writtenAt: number }>, StorageError>
    /** Removes those of the hashes that were last written before `writtenBefore` (epoch ms). */
    readonly remove: (hashes: ReadonlyArray<BlobHash>, writtenBefore: number) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/storage/BlobStore") {}
