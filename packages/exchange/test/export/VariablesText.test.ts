/** Variables as they are written into the file that they came from. */
import { assert, describe, it } from "@effect/vitest"
import * as VariablesText from "@lectern/exchange/export/VariablesText"

describe("variables as a file", () => {
  it("keep the remarks of the lines that change", () => {
    const lines = [
      ["a: x", 'a: "y"'],
      ["a: x \t # said", 'a: "y" \t # said'],
      ["a: x#1", 'a: "y"'],
      ['a: "x # 1" # said # twice', 'a: "y" # said # twice'],
      ["a: 'x # 1'", 'a: "y"']
    ]
    for (const [before, after] of lines)
      assert.strictEqual(VariablesText.print({ a: "y" }, `${before}\n`), `${after}\n`)
  })

  it("take a long line for no more than it is", () => {
    const long = `x${"\t".repeat(200_000)}y`
    assert.strictEqual(VariablesText.print({ a: "y", b: "z" }, `a: "${long}"\nb: z\n`), 'a: "y"\nb: z\n')
  })
})
