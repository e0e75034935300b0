/**
 * Port for content-addressed objects: immutable texts, stored under their hash. A cache by hash needs no invalidation.
 *
 * Callers write an object before any reference to it, inside a transaction (the object is discarded on rollback) or
 * outside one. `put` of an existing object sets the time of its last write. Garbage collection spares recent writes, so
 * it does not remove an object that is about to be referenced.
 *
 * Limits: an object is at most 64 MiB of well-formed text.
 */
import { Context, type Effect, Schema } from "effect"
import { StorageError } from "./Storage.ts"

/** Hash of an object's text: SHA-256 as 43 characters of base64url. */
export const ObjectHash = Schema.String.pipe(Schema.brand("ObjectHash"))
export type ObjectHash = typeof ObjectHash.Type

export interface StoredObject {
  readonly hash: ObjectHash
  readonly text: string
}

/** Throws a `StorageError` (`invalid-row`) if the text is not well-formed Unicode. */
export const rejectIllFormed = (text: string): void => {
  if (text.isWellFormed()) return
  throw new StorageError({ reason: "invalid-row", message: "An object must be well-formed text" })
}

export class ObjectStore extends Context.Service<
  ObjectStore,
  {
    /** Stores missing objects, and sets the time of the last write of existing ones to now. */
    readonly put: (objects: ReadonlyArray<StoredObject>) => Effect.Effect<void, StorageError>
    /** Returns the texts in the order of the hashes. A missing object is undefined. */
    readonly get: (hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
    /** Returns at most `limit` hashes greater than `after`, in order, with the time of their last write (epoch ms). */
    readonly list: (options: {
      readonly after?: ObjectHash
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<{ readonly hash: ObjectHash; readonly writtenAt: number }>, StorageError>
    /**
     * Removes the given objects if their last write is before `writtenBefore` (epoch ms). Returns the number removed.
     */
    readonly remove: (hashes: ReadonlyArray<ObjectHash>, writtenBefore: number) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/storage/ObjectStore") {}
