import { assert, describe, it } from "@effect/vitest"
import { parse, parseExpression } from "@lectern/document/condition/Condition"
import { evaluate, mistakeOf, type Shapes } from "@lectern/document/condition/Rule"
import { Result } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const shapes: Shapes = {
  title: { type: "text" },
  size: { type: "number" },
  isReady: { type: "boolean" },
  body: { type: "presence" },
  author: { type: "object", fields: { id: { type: "text" } } },
  lists: {
    type: "list",
    item: {
      type: "object",
      fields: {
        status: { type: "text", values: ["good", "bad"] },
        by: { type: "object", fields: { id: { type: "text" } }, optional: true }
      }
    }
  }
}

const values = {
  title: "[minor] Text",
  size: 3,
  isReady: true,
  body: {},
  author: { id: "ada" },
  lists: [{ status: "good", by: { id: "ada" } }, { status: "bad" }, { status: "good", by: { id: "eve" } }]
}

describe("A rule", () => {
  const cases: ReadonlyArray<readonly [string, boolean]> = [
    ["true", true],
    ["isReady", true],
    ["!isReady", false],
    ["!!body", true],
    ["body == null", false],
    ["title.startsWith('[minor]')", true],
    ["title.includes('Text') && title.length > 100", false],
    ["size > 2 && size <= 3", true],
    ["author.id === 'ada' ? title.startsWith('[minor]') : true", true],
    ["author.id === 'eve' ? false : isReady", true],
    ["lists.filter(one => one.status === 'good').length >= 2", true],
    ["lists.filter((one) => (one.status === `good`)).length >= 3", false],
    ["lists.some(one => one.by.id === 'eve' && one.status === 'good')", true],
    ["lists.every(one => one.status === 'good')", false],
    ["lists.filter(a => a.by).every(a => lists.some(b => b.by && b.by.id === a.by.id))", true],
    ["lists[1].by", false],
    ["lists[7].by?.id == undefined", true],
    ["lists.length == 3", true],
    ["size in [1, 2, 3]", true],
    ["['ada', 'eve'].includes(author.id)", true],
    ["lists.some(title => title.status == 'bad') && title.length > 3", true],
    ["lists[0]['status'] == 'good'", true]
  ]

  it.each(cases)("%s is %s", (text, expected) => {
    assert.isUndefined(mistakeOf(text, shapes))
    assert.strictEqual(evaluate(text, values), expected)
  })

  const mistakes: ReadonlyArray<readonly [string, string]> = [
    ["", "Expected 1 to 1024 characters of well-formed text (at character 1)"],
    ["x".repeat(1025), "Expected 1 to 1024 characters of well-formed text (at character 1)"],
    ["title ==", "The condition ends where more is expected (at character 9)"],
    ["titel == 'x'", "Expected `title`, `size`, `isReady`, `body`, `author`, `lists`, not `titel` (at character 1)"],
    ["isReady && author.name", "Expected one of `id`, not `name` (at character 19)"],
    ["toString", "Expected `title`, `size`, `isReady`, `body`, `author`, `lists`, not `toString` (at character 1)"],
    ["author.constructor == 1", "Expected one of `id`, not `constructor` (at character 8)"],
    ["author.__proto__", "No claim is called `__proto__` (at character 8)"],
    ["lists.filter(a => a.status == 'good')", "A list is always true: use its `length` (at character 1)"],
    ["isReady && !lists", "A list is always true: use its `length` (at character 13)"],
    ["author", "An object is always true: use one of its fields, such as `id` (at character 1)"],
    ["lists.some(a => lists)", "A list is always true: use its `length` (at character 17)"],
    ["author === 'ada'", "An object equals only itself: use one of its fields, such as `id` (at character 1)"],
    ["'ada' === author", "An object equals only itself: use one of its fields, such as `id` (at character 11)"],
    ["lists == 2", "A list equals only itself: use its `length` (at character 1)"],
    ["body == 'x'", "This value is only present or missing: use `!!` (at character 1)"],
    ["body.nodes", "There is no field `nodes` here (at character 6)"],
    ["size.length == 1", "Only lists and texts have a length (at character 6)"],
    ["title.size == 1", "A text has only `length`, not `size` (at character 7)"],
    ["lists.first == 1", "A list has only `length` and items, not `first` (at character 7)"],
    ["lists.some(a => a.status == 'fine')", 'Expected "good" or "bad" (at character 17)'],
    ["size.includes('1')", "`includes` needs a text or a list, not a number (at character 1)"],
    ["title.some(a => true)", "`some` needs a list, not a text (at character 7)"],
    ["'a' in author", "`in` needs a list, not an object (at character 8)"],
    ["lists.map(a => a)", "Nothing can be called but"],
    ["fetch('x')", "Nothing can be called but"],
    ["lists.some(function (a) { return true })", "Expected a function of one item in `some`"],
    ["lists.some(a => { return true })", "Expected a function of one item in `some`"],
    ["lists.some((a, b) => true)", "Expected a function of one item in `some`"],
    ["lists.some(async a => true)", "Expected a function of one item in `some`"],
    ["lists.some(({ status }) => true)", "Expected a function of one item in `some`"],
    ["lists.some(isReady)", "Expected a function of one item in `some`"],
    ["(() => true)()", "Nothing can be called but"],
    ["title = 'x'", "Expected a value, a claim or a comparison"],
    ["new Date() > 1", "Expected a value, a claim or a comparison"],
    ["this", "Expected a value, a claim or a comparison"],
    ["/x/.test(title)", "Nothing can be called but"],
    ["visitor.claims.plan", "Expected `title`"]
  ]

  it.each(mistakes)("%s is a mistake", (text, message) => {
    assert.include(mistakeOf(text, shapes)?.message, message)
  })

  it("has a limit of steps, and does not hold beyond it", () => {
    const many = { lists: Array.from({ length: 1000 }, () => ({ status: "good" })) }
    assert.strictEqual(evaluate("lists.filter(a => a.status === 'good').length >= 1000", many), true)
    assert.strictEqual(evaluate("lists.every(a => lists.every(b => a.status == b.status))", many), "tooManySteps")
    assert.strictEqual(
      evaluate("lists.every(a => lists.every(b => lists.every(c => lists.every(d => true))))", many),
      "tooManySteps"
    )
  })

  it("is evaluated or refused for any text, without an exception", () => {
    const part = fc.constantFrom(
      "lists",
      "title",
      "size",
      "body",
      "author",
      "a",
      ".some(a => ",
      ".filter(a => ",
      ".length",
      ".status",
      " == ",
      " && ",
      " ? ",
      " : ",
      "!",
      "(",
      ")",
      "[0]",
      "'good'",
      "1",
      " in ",
      "undefined",
      ".by.id",
      ".includes("
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""))
        ),
        (text) => {
          const mistake = mistakeOf(text, shapes)
          const result = evaluate(text, values)
          assert.include([true, false, "tooManySteps"], result)
          if (mistake !== undefined) assert.match(mistake.message, / \(at character \d+\)$/)
        }
      ),
      runs(300)
    )
  })

  it("is no condition of visitors: names, functions and choices are refused there", () => {
    for (const text of ["lists", "visitor.claims.a.some(b => b)", "visitor.claims.a ? true : false"]) {
      assert.isTrue(Result.isFailure(parse(text)), text)
      assert.isTrue(Result.isFailure(parseExpression(text)), text)
    }
  })
})
