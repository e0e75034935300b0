import { assert, describe, it } from "@effect/vitest"
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

describe("OneLine", () => {
  it("has single spaces between words, whatever stands there, and none around them", () => {
    assert.strictEqual(collapseWhiteSpace("\ta b\u00a0c  \r\n d e \n"), "a b c d e")
    const parts = fc.constantFrom("a", "b", " ", "  ", "\t", "\n", "\u00a0", "\u2028", "\ufeff")
    fc.assert(
      fc.property(fc.array(parts), (texts) => {
        const text = texts.join("")
        assert.strictEqual(collapseWhiteSpace(text), text.split(/\s+/).filter(Boolean).join(" "))
      }),
      runs()
    )
  })
})
