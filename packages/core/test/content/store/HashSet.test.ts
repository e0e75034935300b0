import { assert, describe, it } from "@effect/vitest"
import { HashSet } from "@lectern/core/content/store/HashSet"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"

const hash = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/)

describe("HashSet", () => {
  it("is a set", () => {
    fc.assert(
      fc.property(fc.array(hash), fc.array(hash), (added, others) => {
        const set = new HashSet()
        const model = new Set<string>()
        for (const each of [...added, ...added.slice(0, 3)]) {
          assert.strictEqual(set.add(each), !model.has(each))
          model.add(each)
        }
        assert.strictEqual(set.size, model.size)
        for (const each of [...added, ...others]) assert.strictEqual(set.has(each), model.has(each))
      }),
      runs()
    )
  })

  it("tells apart hashes that agree in any part but one of its lanes", () => {
    const zero = "A".repeat(43)
    const set = new HashSet()
    assert.isFalse(set.has(zero))
    assert.isTrue(set.add(zero))
    for (const i of [0, 4, 5, 9, 10, 14, 15, 19]) {
      const other = `${zero.slice(0, i)}B${zero.slice(i + 1)}`
      assert.isFalse(set.has(other))
      assert.isTrue(set.add(other))
    }
    assert.isFalse(set.add(zero))
    assert.strictEqual(set.size, 9)
  })

  it.effect("grows", () =>
    Effect.gen(function* () {
      const { sha256 } = yield* Hasher
      const set = new HashSet()
      const hashes = Array.from({ length: 50_000 }, (_, i) => sha256(String(i)))
      for (const each of hashes) assert.isTrue(set.add(each))
      assert.strictEqual(set.size, hashes.length)
      assert.isTrue(hashes.every((each) => set.has(each)))
      assert.isFalse(set.has(sha256("50000")))
    }).pipe(Effect.provide(Hasher.layer))
  )
})
