/** Values that were used last stay, within their size. */
import { assert, describe, it } from "@effect/vitest"
import { LruCache } from "@lectern/core/storage/LruCache"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const limit = 640

const Step = fc.record({ key: fc.nat(30), size: fc.integer({ min: 1, max: limit }), isGet: fc.boolean() })

describe("The values used last", () => {
  it("stay within their size, the newest among them", () => {
    fc.assert(
      fc.property(fc.array(Step, { maxLength: 100 }), (steps) => {
        const lru = new LruCache<number, number>(limit)
        const known = new Map<number, number>()
        for (const { key, size, isGet } of steps) {
          if (isGet) {
            assert.include([undefined, known.get(key)], lru.get(key))
            continue
          }
          lru.set(key, size, size)
          known.set(key, size)
          assert.strictEqual(lru.get(key), size)
          const kept = [...known.keys()].flatMap((key) => lru.get(key) ?? [])
          assert.isAtMost(
            kept.reduce((sum, size) => sum + size, 0),
            limit
          )
        }
      }),
      runs(100)
    )
  })

  it("go from the oldest on, few at once", () => {
    const lru = new LruCache<number, number>(limit)
    for (let key = 0; key <= limit; key++) lru.set(key, key, 1)
    const kept = Array.from({ length: limit + 1 }, (_, key) => key).filter((key) => lru.get(key) !== undefined)
    assert.deepStrictEqual(
      kept,
      Array.from({ length: limit - limit / 64 }, (_, i) => i + 1 + limit / 64)
    )
  })
})
