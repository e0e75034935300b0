import { assert, describe, it } from "@effect/vitest"
import { stretchesAfter, type Stretch } from "@lectern/core/collection/TreeOrder"

describe("What lies behind a place", () => {
  const stretch: Stretch = { parent: null, key: "", after: "a2", before: "a3" }

  it("is all that stands behind a collection, for a place within it", () => {
    assert.deepStrictEqual(stretchesAfter([stretch], "\na2\na1"), [stretch])
  })

  it("goes on from a place that begins as the collection in front of it does", () => {
    assert.deepStrictEqual(stretchesAfter([stretch], "\na2V"), [{ ...stretch, after: "a2V" }])
  })

  it("is nothing where the stretch is over", () => {
    assert.deepStrictEqual(stretchesAfter([stretch], "\na3"), [])
  })
})
