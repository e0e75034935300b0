import { assert, describe, it } from "@effect/vitest"
import * as LinkPosition from "@lectern/exchange/import/LinkPosition"

describe("LinkPosition", () => {
  it("finds links of every form, and no other text", () => {
    const text =
      'b.md is text\n\n[a](a.md)\n\n<img src="a.png">\n\n[b]\n\n[b]: b.md\n\n[c](<c d.md>)\n\n[d](d.mdx) [d](d.md)\n'
    assert.deepStrictEqual(
      ["a.md", "a.png", "b.md", "c d.md", "d.md", "e.md"].map((url) => LinkPosition.find(text, url)),
      [
        { line: 3, column: 5 },
        { line: 5, column: 11 },
        { line: 9, column: 6 },
        { line: 11, column: 6 },
        { line: 13, column: 16 },
        undefined
      ]
    )
  })
})
