import { assert, describe, it } from "@effect/vitest"
import * as LinkLine from "@lectern/exchange/import/LinkLine"

describe("LinkLine", () => {
  it("finds links of every form, and no other text", () => {
    const text = 'b.md is text\n\n[a](a.md)\n\n<img src="a.png">\n\n[b]\n\n[b]: b.md\n\n[c](<c d.md>)\n'
    assert.deepStrictEqual(
      ["a.md", "a.png", "b.md", "c d.md", "e.md"].map((url) => LinkLine.find(text, url)),
      [3, 5, 9, 11, undefined]
    )
  })
})
