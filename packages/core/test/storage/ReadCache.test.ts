/** Values kept of the store hold until something is written that they were read from, or their time is over. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as TimeDependency from "@lectern/core/time/TimeDependency"
import * as ReadCache from "@lectern/core/storage/ReadCache"
import * as Reads from "@lectern/core/storage/Reads"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"

const Row = Schema.Struct({ id: Schema.String, text: Schema.String })
const One = Table.make("keptOne", Row, { key: ["id"] })
const Other = Table.make("keptOther", Row, { key: ["id"] })

const made = Effect.fnUntraced(function* (options?: ReadCache.ReadCacheOptions<string>) {
  const storage = yield* Storage
  const [one, other] = [storage.repository(One), storage.repository(Other)]
  const kept = yield* ReadCache.make<string>(10, options)
  yield* one.remove({ id: "1" })
  yield* one.insert({ id: "1", text: "first" })
  let finds = 0
  const find = Effect.gen(function* () {
    finds++
    return (yield* one.get({ id: "1" }))!.text
  })
  return { storage, one, other, kept, find, finds: () => finds }
})

const onMemory = <A, E>(test: Effect.Effect<A, E, Storage>) => Effect.provide(test, MemoryStorage.testLayer)

it.effect("is found again once what it was read from is written, and not before", () =>
  onMemory(
    Effect.gen(function* () {
      const { storage, one, other, kept, find, finds } = yield* made()
      for (let i = 0; i < 3; i++) assert.strictEqual(yield* kept("a", find), "first")
      yield* other.insert({ id: "1", text: "elsewhere" })
      yield* one.insert({ id: "2", text: "beside it" })
      assert.strictEqual(yield* kept("a", find), "first")
      assert.strictEqual(finds(), 1)
      yield* one.update({ id: "1" }, { text: "second" })
      assert.strictEqual(yield* kept("a", find), "second")
      assert.strictEqual(finds(), 2)
      assert.strictEqual(yield* kept("b", find), "second")
      assert.strictEqual(finds(), 3)
      // A transaction sees its own writes, and what it sees may be undone.
      const inside = yield* storage.transaction(
        Effect.gen(function* () {
          yield* one.update({ id: "1" }, { text: "third" })
          return yield* kept("a", find)
        })
      )
      assert.strictEqual(inside, "third")
    })
  )
)

it.effect("is kept for the very values that it was found for", () =>
  onMemory(
    Effect.gen(function* () {
      const { kept, find, finds } = yield* made()
      const [these, those] = [{}, {}]
      for (const of of [[these], [these], [those]]) yield* kept("a", find, of)
      assert.strictEqual(finds(), 2)
    })
  )
)

it.effect("holds until a moment that was asked about, for as long as it is said to, and else not at all", () =>
  onMemory(
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const { kept, find, finds } = yield* made()
      const until = kept("a", Effect.andThen(TimeDependency.hasPassed(2_000), find))
      yield* until
      yield* TestClock.setTime(1_999)
      yield* until
      assert.strictEqual(finds(), 1)
      yield* TestClock.setTime(2_000)
      yield* until
      assert.strictEqual(finds(), 2)
      const looking = kept("b", Effect.andThen(Clock.currentTimeMillis, find))
      yield* looking
      yield* looking
      assert.strictEqual(finds(), 4)

      const brief = yield* made({ ttl: 500 })
      const asked = brief.kept("a", Effect.andThen(Clock.currentTimeMillis, brief.find))
      yield* asked
      yield* TestClock.adjust(499)
      yield* asked
      assert.strictEqual(brief.finds(), 1)
      yield* TestClock.adjust(1)
      yield* asked
      assert.strictEqual(brief.finds(), 2)
    })
  )
)

it.effect("a computation that uses another cache is cached, too, and not longer than that one", () =>
  onMemory(
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const outer = yield* made()
      const inner = yield* made()
      const brief = yield* made({ ttl: 500 })
      const nested = ({ kept, find }: typeof inner) =>
        outer.kept("a", Effect.andThen(outer.find, kept("a", find)), [find])
      for (let i = 0; i < 3; i++) yield* nested(inner)
      assert.deepStrictEqual([outer.finds(), inner.finds()], [1, 1])
      for (let i = 0; i < 3; i++) yield* nested(brief)
      assert.deepStrictEqual([outer.finds(), brief.finds()], [2, 1])
      yield* TestClock.adjust(500)
      yield* nested(brief)
      assert.deepStrictEqual([outer.finds(), brief.finds()], [3, 2])
    })
  )
)

it.effect("tells whoever asks what it was read from, kept or not", () =>
  onMemory(
    Effect.gen(function* () {
      const { kept, find } = yield* made()
      for (let i = 0; i < 2; i++) {
        const [, reads] = yield* Reads.tracked(kept("a", find))
        assert.deepStrictEqual([...reads.tables], ["keptOne"])
        assert.isFalse(reads.isEverything)
      }
    })
  )
)

it.effect("is used and filled inside a transaction, unless the transaction wrote one of the rows", () =>
  Effect.provide(
    Effect.gen(function* () {
      const { storage, one, other, kept, find, finds } = yield* made()
      yield* kept("a", find)
      yield* storage
        .transaction(
          Effect.gen(function* () {
            yield* other.insert({ id: "1", text: "elsewhere" })
            yield* kept("a", find)
            yield* kept("b", find)
            yield* kept("b", find)
            assert.strictEqual(finds(), 2)
            yield* one.update({ id: "1" }, { text: "second" })
            assert.strictEqual(yield* kept("a", find), "second")
            assert.strictEqual(yield* kept("c", find), "second")
            assert.strictEqual(finds(), 4)
            return yield* Effect.fail("rolled back")
          })
        )
        .pipe(Effect.ignore)
      for (const key of ["a", "b", "c"]) assert.strictEqual(yield* kept(key, find), "first", key)
      assert.strictEqual(finds(), 5)
    }),
    // Bodies run once, since the test counts computations.
    MemoryStorage.layer
  )
)
