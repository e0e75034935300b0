import { assert, describe, it } from "@effect/vitest"
import { Slice } from "@lectern/core/storage/Slice"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { hastily } from "./HastyClock.ts"

/** Goes over ten things and tells how often it rested. */
const work = Effect.gen(function* () {
  const slice = yield* Slice.start
  let rests = 0
  for (let i = 0; i < 10; i++) {
    if (!slice.isOver()) continue
    rests++
    yield* slice.pause
  }
  return rests
})

describe("Slice", () => {
  it.effect("is over after 4 ms, and begins anew after a rest", () =>
    Effect.gen(function* () {
      const slice = yield* Slice.start
      assert.isFalse(slice.isOver())
      yield* TestClock.adjust("3 millis")
      assert.isFalse(slice.isOver())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(slice.isOver())
      yield* slice.pause
      assert.isFalse(slice.isOver())
    })
  )

  it.effect("lets others have their turn while it rests, and not before", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const one = Effect.gen(function* () {
        const slice = yield* Slice.start
        for (let i = 0; i < 3; i++) {
          told.push(`one ${i}`)
          if (slice.isOver()) yield* slice.pause
        }
      })
      const other = Effect.sync(() => told.push("other"))
      yield* Effect.all([one, other], { concurrency: 2 })
      assert.deepStrictEqual(told, ["one 0", "one 1", "one 2", "other"])
      told.length = 0
      yield* Effect.all([hastily(one), other], { concurrency: 2 })
      assert.deepStrictEqual(told, ["one 0", "other", "one 1", "one 2"])
    })
  )

  for (const [name, adapter] of onEach(adapters)) {
    it.effect(`never rests in a transaction (${name})`, () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        assert.strictEqual(yield* hastily(work), 10)
        assert.strictEqual(yield* hastily(storage.transaction(work)), 0)
      }).pipe(Effect.provide(adapter))
    )
  }
})
