/** Values that readers fill in, as a form sends them. */
import { assert, describe, it } from "@effect/vitest"
import * as BlockForm from "../src/contentkit/BlockForm.ts"
import { formState } from "../src/contentkit/FormState.ts"

describe("Values that are filled in", () => {
  it("are texts, yes or no, and lists of all that is chosen", () => {
    const sent = new URLSearchParams(
      "t.name=Zoe&t.empty=&b.off=&b.on=&b.on=1&l.none=&l.some=&l.some=a&l.some=&l.some=b&t.__proto__=x&other=1&action={}"
    )
    assert.deepStrictEqual(
      [...formState(sent)],
      [
        ["name", "Zoe"],
        ["empty", ""],
        ["off", false],
        ["on", true],
        ["none", []],
        ["some", ["a", "b"]],
        ["__proto__", "x"]
      ]
    )
  })

  it("go before those that a block was drawn with", () => {
    const sent = new URLSearchParams({
      page: "p",
      block: "b",
      props: "{}",
      state: JSON.stringify({ name: "Ann", some: ["a"], kept: 1 }),
      action: JSON.stringify({ action: "go", to: { $state: "name" } }),
      "t.name": "Zoe",
      "l.some": ""
    })
    const { state, action } = BlockForm.parseSubmission(sent)!
    assert.deepStrictEqual(state, { name: "Zoe", some: [], kept: 1 })
    assert.deepStrictEqual(action, { action: "go", to: "Zoe" })
  })
})
