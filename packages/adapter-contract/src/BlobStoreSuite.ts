/** Suite of the blob store. */
import { assert } from "@effect/vitest"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { suite } from "./Harness.ts"

const hash = (name: string) => name as BlobHash

export const blobStoreSuite = suite("BlobStore", (scenario) => {
  scenario("gives the bytes that were put", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256)
      yield* blobs.put(hash("a"), bytes)
      yield* blobs.put(hash("empty"), new Uint8Array())
      yield* blobs.put(hash("part"), bytes.subarray(10, 13))
      assert.deepStrictEqual(yield* blobs.get(hash("a")), bytes)
      assert.deepStrictEqual(yield* blobs.get(hash("empty")), new Uint8Array())
      assert.deepStrictEqual(yield* blobs.get(hash("part")), bytes.slice(10, 13))
      assert.isUndefined(yield* blobs.get(hash("none")))
    })
  )

  scenario("bytes that were handed in or out can't change what is stored", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const bytes = Uint8Array.of(1, 2, 3)
      yield* blobs.put(hash("a"), bytes)
      bytes[0] = 9
      const storedBytes = yield* blobs.get(hash("a"))
      storedBytes![1] = 9
      assert.deepStrictEqual(yield* blobs.get(hash("a")), Uint8Array.of(1, 2, 3))
    })
  )

  scenario("keeps what is there, refreshes when it was written, lists in pages and removes what is old", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      yield* TestClock.setTime(1_000)
      for (const name of ["b", "a", "c"]) yield* blobs.put(hash(name), Uint8Array.of(1))
      yield* TestClock.setTime(2_000)
      yield* blobs.put(hash("a"), Uint8Array.of(2))
      assert.deepStrictEqual(yield* blobs.get(hash("a")), Uint8Array.of(1))
      assert.deepStrictEqual(yield* blobs.list({ limit: 2 }), [
        { hash: hash("a"), writtenAt: 2_000 },
        { hash: hash("b"), writtenAt: 1_000 }
      ])
      assert.deepStrictEqual(yield* blobs.list({ limit: 2, after: hash("b") }), [{ hash: hash("c"), writtenAt: 1_000 }])
      assert.strictEqual(yield* blobs.remove(["a", "b", "c", "none"].map(hash), 2_000), 2)
      assert.deepStrictEqual(yield* blobs.list({ limit: 9 }), [{ hash: hash("a"), writtenAt: 2_000 }])
    })
  )

  scenario("large ones too: put twice at once, read inside a transaction and outside, removed", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const storage = yield* Storage
      const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * 31) % 251)
      yield* TestClock.setTime(1_000)
      yield* Effect.all([blobs.put(hash("a"), bytes), blobs.put(hash("a"), bytes)], { concurrency: 2 })
      assert.deepStrictEqual(yield* blobs.get(hash("a")), bytes)
      const readInTransaction = storage.transaction(Effect.andThen(blobs.put(hash("b"), bytes), blobs.get(hash("a"))))
      assert.deepStrictEqual(yield* readInTransaction, bytes)
      assert.deepStrictEqual(yield* blobs.get(hash("b")), bytes)
      assert.strictEqual(yield* blobs.remove(["a", "b"].map(hash), 2_000), 2)
      assert.isUndefined(yield* blobs.get(hash("a")))
      yield* blobs.put(hash("a"), bytes)
      assert.deepStrictEqual(yield* blobs.get(hash("a")), bytes)
    })
  )

  scenario("is covered by transactions", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const storage = yield* Storage
      const body = Effect.gen(function* () {
        yield* blobs.put(hash("a"), Uint8Array.of(1))
        assert.deepStrictEqual(yield* blobs.get(hash("a")), Uint8Array.of(1))
        return yield* Effect.fail("no")
      })
      yield* Effect.flip(storage.transaction(body))
      assert.isUndefined(yield* blobs.get(hash("a")))
    })
  )
})
