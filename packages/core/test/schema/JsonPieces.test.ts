/** JSON that a thread has cut into pieces says what it said whole. */
import { assert, describe, it } from "@effect/vitest"
import * as JsonPieces from "@lectern/core/schema/JsonPieces"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const unfolded = (json: string) => Effect.runPromise(JsonPieces.join(JsonPieces.splitValue(JSON.parse(json))))

const name = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom("__proto__", "constructor", "0", "10", "length"))
const text = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 10_000 }))
  .map(([part, times]) => part.repeat(times))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 8 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 8 }).map((entries) => Object.fromEntries(entries))
  )
}))

describe("JsonPieces", () => {
  it("unfold to the value, whatever its size and its names", () =>
    fc.assert(
      fc.asyncProperty(value, async (value) => {
        const json = JSON.stringify(value)
        const whole: unknown = JSON.parse(json)
        const pieces = await unfolded(json)
        assert.deepStrictEqual(pieces, whole)
        // The order of names counts too.
        assert.strictEqual(JSON.stringify(pieces), JSON.stringify(whole))
      }),
      runs(15)
    ))

  it("are as many as it takes for each to be short, and written once however deep they lie", () => {
    const long = "a long text ".repeat(50_000)
    let deep: unknown = { long, short: Array.from({ length: 30_000 }, (_, n) => `Item ${n}`) }
    for (let n = 0; n < 150; n++) deep = n % 2 === 0 ? [n, deep] : { deep }
    const cut = JsonPieces.splitValue(deep)
    const pieces = JSON.stringify(cut)
      .match(/"(?:[^"\\]|\\.)*"/g)!
      .map((piece) => JSON.parse(piece).length)
    assert.deepStrictEqual(
      pieces.filter((length) => length > 64 * 1024),
      [long.length + 2]
    )
    assert.isBelow(JSON.stringify(cut).length, JSON.stringify(deep).length * 1.3)
  })
})
