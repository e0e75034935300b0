/** Parts of a list: all of it in its order, as full as they may be. */
import { assert, describe, it } from "@effect/vitest"
import { splitIntoParts } from "@lectern/core/thread/SplitIntoParts"

describe("splitIntoParts", () => {
  const cut = (sizes: ReadonlyArray<number>, size: number, count: number) =>
    splitIntoParts(sizes, (own) => own, { size, count })

  it("fills each part up to its size and number", () => {
    assert.deepStrictEqual(cut([], 10, 3), [])
    assert.deepStrictEqual(cut([4, 6, 1, 9, 1], 10, 3), [[4, 6], [1, 9], [1]])
    assert.deepStrictEqual(cut([1, 1, 1, 1], 10, 3), [[1, 1, 1], [1]])
    assert.deepStrictEqual(cut([0, 0, 0], 0, 2), [[0, 0], [0]])
  })

  it("leaves what is too large alone", () => {
    assert.deepStrictEqual(cut([11, 1, 11, 1, 1], 10, 3), [[11], [1], [11], [1, 1]])
  })
})
