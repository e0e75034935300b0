/**
 * Stores bytes under their hash, outside a transaction. Hashing and writing a large blob takes long, so it yields
 * between the steps.
 */
import { Effect } from "effect"
import { BlobHash, BlobStore } from "./BlobStore.ts"
import { Hasher } from "./Hasher.ts"

export const make = Effect.gen(function* () {
  const hasher = yield* Hasher
  const blobs = yield* BlobStore

  return Effect.fnUntraced(function* (bytes: Uint8Array) {
    yield* Effect.yieldNow
    const hash = BlobHash.make(hasher.sha256(bytes))
    yield* Effect.yieldNow
    yield* blobs.put(hash, bytes)
    yield* Effect.yieldNow
    return hash
  })
})
