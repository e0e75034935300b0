import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import * as TagLine from "@lectern/document/markdown/TagLine"
import { runs } from "../../../core/test/Runs.ts"

describe("a tag line", () => {
  it("is read in every spelling", () => {
    const tag = { name: "hint", attributes: [["style", "in fo"]] as const }
    for (const line of ['{% hint style="in fo" %}', "{%hint style='in fo'%}", '{%  hint  style = "in fo"  %}']) {
      assert.deepStrictEqual(TagLine.parse(line), tag)
    }
    assert.deepStrictEqual(TagLine.parse("{% a b=c-1 %}"), { name: "a", attributes: [["b", "c-1"]] })
  })

  it("is none where it is written otherwise", () => {
    for (const line of [
      "{% %}",
      "{% 1 %}",
      "{% a b %}",
      '{% a b="c %}',
      '{% a b="1" b="2" %}',
      "{%- a -%}",
      '{% a __proto__="x" %}'
    ]) {
      assert.isUndefined(TagLine.parse(line), line)
    }
  })

  it("comes back whatever its attributes say", () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,8}$/)
    // All that an `if` says is its condition.
    const named = name.filter((called) => called !== "if")
    const value = fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replace(/[\r\n]+/g, " "))
    const tag = fc.tuple(named, fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 }))
    fc.assert(
      fc.property(tag, ([called, attributes]) => {
        const line = { name: called, attributes }
        assert.deepStrictEqual(TagLine.parse(TagLine.print(line)), line)
      }),
      runs()
    )
  })
})
