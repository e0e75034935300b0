import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@lectern/core/identity/Ids"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const many = (count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.flatMap(Ids, ({ next }) => next))

describe("Ids", () => {
  it.effect("are distinct, URL-safe, of one length and begin with a letter", () =>
    Effect.gen(function* () {
      const ids = yield* many(20_000)
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const id of ids) {
        assert.match(id, /^[A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{21}$/)
      }
    }).pipe(Effect.provide(Ids.layer))
  )

  it.effect("order by the time they were made at", () =>
    Effect.gen(function* () {
      const { next } = yield* Ids
      let last = yield* next
      for (const step of [1, 57, 58, 59, 3_363, 100_000, 31_536_000_000]) {
        yield* TestClock.adjust(step)
        const id = yield* next
        assert.isAbove(id < last ? -1 : 1, 0, `${id} came after ${last}`)
        last = id
      }
    }).pipe(Effect.provide(Ids.layer))
  )

  it.effect("are the same for the same seed", () =>
    Effect.gen(function* () {
      const ids = () => many(3).pipe(Effect.provide(Ids.layerSeeded(7)))
      assert.deepStrictEqual(yield* ids(), yield* ids())
    })
  )

  it.effect("secrets have 256 bits, keys ten characters", () =>
    Effect.gen(function* () {
      const { secret, key } = yield* Ids
      assert.match(yield* secret, /^[\w-]{43}$/)
      assert.match(key(), /^[1-9A-HJ-NP-Za-km-z]{10}$/)
    }).pipe(Effect.provide(Ids.layer))
  )
})
