/** Suite of the object store. */
import { assert } from "@effect/vitest"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { suite } from "./Harness.ts"

const hash = (name: string) => name as ObjectHash
const object = (name: string, text = `text of ${name}`) => ({ hash: hash(name), text })

export const objectStoreSuite = suite("ObjectStore", (scenario) => {
  scenario("gives what was put, in the order asked for, undefined where there is none", () =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      yield* objects.put([object("b", ""), object("a", "😀\u0000x")])
      yield* objects.put([])
      assert.deepStrictEqual(yield* objects.get([hash("a"), hash("none"), hash("b"), hash("a")]), [
        "😀\u0000x",
        undefined,
        "",
        "😀\u0000x"
      ])
      assert.deepStrictEqual(yield* objects.get([]), [])
    })
  )

  scenario("gives large text as it was put", () =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const storage = yield* Storage
      for (const [name, text] of [
        ["ascii", "a\u0000".repeat(50_000)],
        ["other", `\ufeff${"‹😀\u0000é".repeat(50_000)}`]
      ] as const) {
        const hashes = [hash(name), hash("small"), hash(`${name} inside`)]
        yield* objects.put([object(name, text), object("small", "one")])
        const put = Effect.andThen(objects.put([object(`${name} inside`, text)]), objects.get(hashes))
        assert.isTrue((yield* storage.transaction(put)).join() === `${text},one,${text}`, `${name}, in a transaction`)
        assert.isTrue((yield* objects.get(hashes)).join() === `${text},one,${text}`, name)
      }
    })
  )

  scenario("keeps what is there, and refreshes when it was last written", () =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      yield* TestClock.setTime(1_000)
      yield* objects.put([object("a", "first"), object("b")])
      yield* TestClock.setTime(2_000)
      yield* objects.put([object("a", "second")])
      assert.deepStrictEqual(yield* objects.get([hash("a")]), ["first"])
      assert.deepStrictEqual(yield* objects.list({ limit: 10 }), [
        { hash: hash("a"), writtenAt: 2_000 },
        { hash: hash("b"), writtenAt: 1_000 }
      ])
    })
  )

  scenario("refuses ill-formed text, with all of its call", () =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const error = yield* Effect.flip(objects.put([object("a"), object("b", "\ud800")]))
      assert.strictEqual(error.reason, "invalid-row")
      assert.deepStrictEqual(yield* objects.list({ limit: 10 }), [])
    })
  )

  scenario("is covered by transactions", (store) =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const storage = yield* Storage
      yield* TestClock.setTime(1_000)
      yield* objects.put([object("a")])
      yield* TestClock.setTime(2_000)
      const body = Effect.gen(function* () {
        yield* objects.put([object("a"), object("b")])
        assert.deepStrictEqual(yield* objects.get([hash("b")]), ["text of b"])
        assert.strictEqual((yield* objects.list({ limit: 10 })).length, 2)
        yield* objects.remove([hash("a")], 5_000)
        return yield* Effect.fail("no")
      })
      yield* Effect.flip(storage.transaction(body))
      assert.deepStrictEqual(yield* objects.list({ limit: 10 }), [{ hash: hash("a"), writtenAt: 1_000 }])
      store.failNextCommit()
      assert.instanceOf(yield* Effect.flip(objects.put([object("c")])), StorageError)
      assert.deepStrictEqual(yield* objects.get([hash("a"), hash("c")]), ["text of a", undefined])
      yield* storage.transaction(objects.put([object("d")]))
      assert.deepStrictEqual(yield* objects.get([hash("d")]), ["text of d"])
    })
  )

  scenario("lists in pages, and removes what was last written before", () =>
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      for (const [i, name] of ["c", "a", "d", "B", "e"].entries()) {
        yield* TestClock.setTime(i * 1_000)
        yield* objects.put([object(name)])
      }
      const first = yield* objects.list({ limit: 2 })
      assert.deepStrictEqual(
        first.map(({ hash }) => hash),
        ["B", "a"]
      )
      const second = yield* objects.list({ limit: 2, after: first[1]!.hash })
      assert.deepStrictEqual(
        second.map(({ hash }) => hash),
        ["c", "d"]
      )
      assert.deepStrictEqual(
        (yield* objects.list({ limit: 2, after: second[1]!.hash })).map(({ hash }) => hash),
        ["e"]
      )
      assert.deepStrictEqual(yield* objects.list({ limit: 0 }), [])
      assert.strictEqual(yield* objects.remove(["c", "a", "d", "B", "e", "none"].map(hash), 2_000), 2)
      assert.deepStrictEqual(
        (yield* objects.list({ limit: 9 })).map(({ hash }) => hash),
        ["B", "d", "e"]
      )
      assert.strictEqual(yield* objects.remove([hash("e"), hash("e")], 9_000), 1)
    })
  )
})
