/** Tests JSON of large objects, which is serialized in slices. */
import * as JsonText from "@lectern/core/schema/JsonText"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const encoded = (value: object) => decoded(Effect.runSync(JsonText.encode(value)))

describe("JSON in slices", () => {
  it("says what JSON says, whatever the value holds", () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3, withNullPrototype: true }), fc.nat(3_000), (value, count) => {
        const large = { value, many: Array.from({ length: count }, (_, n) => ({ n, text: `é ${n}`, none: undefined })) }
        assert.strictEqual(encoded(large), JSON.stringify(large))
      }),
      runs(20)
    )
  })

  it("holds for trees, empty lists and what is left out", () => {
    const page = (n: number, pages: ReadonlyArray<object> = []): object => ({ id: `p${n}`, pages, left: undefined })
    const group = (n: number) =>
      page(
        n,
        Array.from({ length: 700 }, (_, i) => page(i))
      )
    const tree = { pages: [page(0), group(1), page(2), group(3)], none: [], nothing: {} }
    assert.isTrue(JsonText.isLarge(tree))
    assert.strictEqual(encoded(tree), JSON.stringify(tree))
  })

  it("is for objects of many values alone, and never for a value that unfolds itself", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => n)
    assert.isFalse(JsonText.isLarge({ pages: [1, 2, 3] }))
    assert.isTrue(JsonText.isLarge({ many }))
    assert.isFalse(JsonText.isLarge(JsonText.withLazyField<{ many: unknown }>({}, "many", JSON.stringify(many))))
  })
})
