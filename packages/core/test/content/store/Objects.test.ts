import { assert, describe, it } from "@effect/vitest"
import { serializePrepared, jsonText, type StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import { Objects } from "@lectern/core/content/store/Objects"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../Instances.ts"
import { paragraph, tree } from "../Documents.ts"
import { emptyStore, layer } from "./MemoryObjects.ts"

const written = Effect.fnUntraced(function* (count: number) {
  const draft = (yield* Objects).draft()
  const hashes = Array.from({ length: count }, (_, n) => draft.write({ n, count }))
  return { draft, hashes }
})

const storedOf = (hashes: ReadonlyArray<ObjectHash>) =>
  Effect.map(
    Effect.flatMap(ObjectStore, (store) => store.get(hashes)),
    (texts) => texts.filter((text) => text !== undefined).length
  )

describe("a draft over a store that counts what is read of it", () => {
  const document = (length: number) => serializePrepared(tree(paragraph("p", "x".repeat(length))))

  it.effect("spares whoever reads a document next the way to the store, large ones too", () => {
    const store = emptyStore()
    return Effect.gen(function* () {
      const objects = yield* Objects
      for (const given of [document(10), document(200_000)]) {
        const draft = objects.draft()
        const hash = draft.writeJson(jsonText(given), given)
        yield* draft.flush
        assert.strictEqual(yield* draft.document(hash), given)
        assert.strictEqual(yield* objects.document(hash), given)
      }
      assert.strictEqual(store.reads.objects, 0)
    }).pipe(Effect.provide(layer(store)))
  })

  it.effect("keeps what a thread has folded as the text that it is, and no more than there is room for", () => {
    const store = emptyStore()
    return Effect.gen(function* () {
      const objects = yield* Objects
      const draft = objects.draft()
      const given = document(200_000)
      const hash = draft.writeJson(jsonText(given), structuredClone(given))
      assert.deepStrictEqual(yield* draft.read<StoredDocument>(hash), JSON.parse(jsonText(given)))
      const hashes = Array.from({ length: 20 }, (_, n) => {
        const one = document(10_000 + n)
        return draft.writeJson(jsonText(one), one)
      })
      yield* draft.flush
      yield* objects.documents(hashes)
      assert.isAbove(store.reads.objects, 10)
    }).pipe(Effect.provide(layer(store, { cacheBytes: 400_000 })))
  })
})

for (const [name, adapter] of onEach(adapters)) {
  describe(`a draft of objects (${name})`, () => {
    it.effect("stores a few with the transaction alone, and many ahead of it", () =>
      Effect.gen(function* () {
        const few = yield* written(200)
        yield* few.draft.flushAhead
        assert.strictEqual(yield* storedOf(few.hashes), 0)
        yield* few.draft.flush
        assert.strictEqual(yield* storedOf(few.hashes), 200)

        const many = yield* written(1_001)
        yield* many.draft.flushAhead
        assert.strictEqual(yield* storedOf(many.hashes), 1_001)
        const last = many.draft.write("after it was stored ahead")
        yield* many.draft.flush
        assert.strictEqual(yield* storedOf([...many.hashes, last]), 1_002)
        // What is long is much, too.
        const long = (yield* Objects).draft()
        const hash = long.write("x".repeat(2 * 1024 * 1024))
        yield* long.flushAhead
        assert.strictEqual(yield* storedOf([hash]), 1)
      }).pipe(Effect.provide(adapter))
    )

    it.effect("does not rely on what a transaction that is undone has stored", () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const { draft, hashes } = yield* written(500)
        const undone = storage.transaction(Effect.all([draft.flushAhead, draft.flush, Effect.fail("undone")]))
        assert.strictEqual(yield* Effect.flip(undone), "undone")
        assert.strictEqual(yield* storedOf(hashes), 0)
        yield* storage.transaction(draft.flush)
        assert.strictEqual(yield* storedOf(hashes), 500)
      }).pipe(Effect.provide(adapter))
    )
  })
}
