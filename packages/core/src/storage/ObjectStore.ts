/**
 * The port for content-addressed values: immutable texts, stored under a hash of themselves. What
 * is stored never changes, so whatever is cached by hash needs no invalidation.
 *
 * Objects are written before anything refers to them, inside a transaction (then they are kept
 * only if it commits) or outside one. `put` of an object that is there refreshes when it was last
 * written, so that a sweep of what nothing refers to spares what is about to be referred to.
 *
 * Limits: an object is at most 64 MiB of well-formed text.
 */
import { Context, type Effect, Schema } from "effect"
import { StorageError } from "./Storage.ts"

/** The hash of an object's text, 43 characters of base64url (SHA-256). */
export const ObjectHash = Schema.String.pipe(Schema.brand("ObjectHash"))
export type ObjectHash = typeof ObjectHash.Type

export interface StoredObject {
  readonly hash: ObjectHash
  readonly text: string
}

/** Throws the `StorageError` that an adapter refuses a text with that is not well-formed. */
export const rejectIllFormed = (text: string): void => {
  if (text.isWellFormed()) return
  throw new StorageError({ reason: "invalid-row", message: "An object must be well-formed text" })
}

export class ObjectStore extends Context.Service<
  ObjectStore,
  {
    /** Stores those that are missing; the others are refreshed. */
    readonly put: (objects: ReadonlyArray<StoredObject>) => Effect.Effect<void, StorageError>
    /** The texts of these hashes, undefined where there is none. */
    readonly get: (hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<ReadonlyArray<string | undefined>, StorageError>
    /** Hashes in order, behind `after`, at most `limit`, with the time of their last write (epoch ms). */
    readonly list: (options: {
      readonly after?: ObjectHash
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<{ readonly hash: ObjectHash; readonly writtenAt: number }>, StorageError>
    /** Removes those of the hashes that were last written before `writtenBefore` (epoch ms). */
    readonly remove: (hashes: ReadonlyArray<ObjectHash>, writtenBefore: number) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/storage/ObjectStore") {}
