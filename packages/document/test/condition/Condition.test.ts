import { assert, describe, it } from "@effect/vitest"
import { Condition, evaluate, holds, parse } from "@lectern/document/condition/Condition"
import { maxDepth } from "@lectern/document/condition/ConditionParser"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const messageOf = (text: string) => {
  const result = parse(text)
  return Result.isFailure(result) ? result.failure.message : undefined
}

const claims = {
  plan: "pro",
  seats: 12,
  beta: true,
  off: false,
  nothing: null,
  groups: ["docs", "beta"],
  "a b": { "c-d": "deep" },
  company: { name: "Acme", address: { city: "Oslo" } },
  unsigned: { lang: "fr", age: "21" }
}

describe("what conditions mean", () => {
  const cases: ReadonlyArray<readonly [string, boolean]> = [
    ["true", true],
    ["false", false],
    ["null", false],
    ["undefined", false],
    ["0", false],
    ["-1", true],
    ["-0", false],
    ['""', false],
    ["'x'", true],
    ["`x`", true],
    ["``", false],
    ["[]", true],
    ["1e3 == 1000", true],
    ["0x10 == 16", true],
    ["visitor.claims", true],
    ["visitor.claims.beta", true],
    ["!visitor.claims.beta", false],
    ["!!visitor.claims.plan", true],
    ['visitor.claims.plan == "pro"', true],
    ["visitor.claims.plan == 'free'", false],
    ['visitor["claims"]["plan"] === `pro`', true],
    ['visitor.claims["a b"]["c-d"] == "deep"', true],
    ["visitor?.claims?.company?.address?.city == 'Oslo'", true],
    ["(visitor.claims.company).name == 'Acme'", true],
    ["visitor.claims.groups[0] == 'docs'", true],
    ['visitor.claims.groups["1"] == "beta"', true],
    ["visitor.claims.groups[2] == undefined", true],
    ["visitor.claims.seats >= 10 && visitor.claims.seats < 20", true],
    ["visitor.claims.unsigned.age >= 18", true],
    ["visitor.claims.unsigned.lang != 'en'", true],
    ["visitor.claims.seats == '12'", true],
    ["visitor.claims.seats === '12'", false],
    ["visitor.claims.nothing == undefined", true],
    ["visitor.claims.nothing === undefined", false],
    ["visitor.claims.unknown", false],
    ["visitor.claims.unknown.below.that", false],
    ["visitor.claims.unknown == undefined", true],
    ["visitor.claims.unknown < 1 || visitor.claims.unknown >= 1", false],
    ["visitor.claims.plan.below", false],
    ["visitor.claims.off || visitor.claims.beta && visitor.claims.plan == 'pro'", true],
    ["(visitor.claims.unknown || 'none') == 'none'", true],
    // Lists: an item, not an index.
    ["'docs' in visitor.claims.groups", true],
    ["0 in visitor.claims.groups", false],
    ["'pro' in ['free', 'pro']", true],
    ["visitor.claims.plan in ['free', visitor.claims.plan]", true],
    ["'name' in visitor.claims.company", true],
    ["'city' in visitor.claims.company", false],
    ["'toString' in visitor.claims.company", false],
    ["'x' in visitor.claims.plan", false],
    ["'x' in visitor.claims.unknown", false],
    ["visitor.claims.groups.includes('beta')", true],
    ["visitor.claims.groups.startsWith('docs')", true],
    ["visitor.claims.groups.startsWith('beta')", false],
    ["visitor.claims.groups.endsWith('beta')", true],
    ["[].startsWith(undefined) || [].endsWith(undefined)", false],
    ["['a', 'b'].includes(visitor.claims.plan) || ['pro'].includes(visitor.claims.plan)", true],
    ["visitor.claims.plan.startsWith('p') && visitor.claims.plan.endsWith('o')", true],
    ["visitor.claims.plan?.includes('r')", true],
    ["'undefined'.includes(visitor.claims.unknown)", false],
    ["visitor.claims.unknown.includes('x')", false],
    ["visitor.claims.seats.includes('1')", false],
    ["visitor.claims.company.includes('name')", false],
    // What is no text or number is never turned into it.
    ["visitor.claims.groups == 'docs,beta'", false],
    ["visitor.claims.groups == visitor.claims.groups", true],
    ["visitor.claims.groups != ['docs', 'beta']", true],
    ["visitor.claims.company < 1 || visitor.claims.company >= 1", false],
    ["[] == false", false],
    // Nothing is inherited.
    ["visitor.claims.constructor", false],
    ["visitor.claims.toString", false],
    ["visitor.claims.groups.length", false],
    ["visitor.claims.plan.length", false],
    ["visitor.claims.groups.includes", false],
    ["visitor.claims.groups['-0']", false],
    ["visitor.claims.company['constructor']['prototype']", false],
    // Escapes and white space are as in JavaScript.
    ["\\u0076isitor.claims.\\u{70}lan == '\\x70ro'", true],
    [" \t\n\u2028visitor\n.claims\u2029.plan\uFEFF == 'pro' ", true],
    ["'\u2028' == '\\u2028'", true]
  ]

  it.each(cases)("%s", (text, expected) => {
    assert.strictEqual(messageOf(text), undefined)
    assert.strictEqual(holds(text, claims), expected)
  })

  it("a claim may be called what it likes", () => {
    const odd = JSON.parse('{"constructor": 1, "hasOwnProperty": 2, "length": 3, "class": 4, "": 5}')
    assert.isTrue(
      holds('visitor.claims.constructor == 1 && visitor.claims.hasOwnProperty == 2 && visitor.claims[""] == 5', odd)
    )
    assert.isTrue(holds("visitor.claims.length == 3 && visitor.claims.class == 4 && 'length' in visitor.claims", odd))
  })

  it("claims that pose as something else don't break a comparison", () => {
    const bad = { x: { toString: 1, valueOf: null }, y: { valueOf: "z" }, list: [{ toString: {} }] }
    for (const operator of ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "in"]) {
      for (const other of ["'a'", "1", "null", "undefined", "visitor.claims.y", "visitor.claims.list", "[1]"]) {
        const expected = operator.startsWith("!")
        assert.strictEqual(holds(`visitor.claims.x ${operator} ${other}`, bad), expected)
        if (operator !== "in") assert.strictEqual(holds(`${other} ${operator} visitor.claims.x`, bad), expected)
      }
    }
    assert.isFalse(holds("'a'.includes(visitor.claims.x) || visitor.claims.list.includes('a')", bad))
  })

  it("no claim is read from a prototype that someone has changed", () => {
    const below = Object.create({ plan: "pro" }) as Record<string, unknown>
    assert.isFalse(holds("visitor.claims.plan == 'pro'", below))
    assert.isFalse(holds("'plan' in visitor.claims", below))
  })
})

describe("what conditions can't be", () => {
  const calls = "Nothing can be called but `includes`, `startsWith` and `endsWith` of a value"
  const cases: ReadonlyArray<readonly [string, string]> = [
    [" ", "The condition ends where more is expected (at character 2)"],
    ["visitor.claims.a ==", "The condition ends where more is expected (at character 20)"],
    ["visitor.claims.a = 1", "Expected a value, a claim or a comparison (at character 1)"],
    ["true == @", "The condition can't be read (at character 9)"],
    ["'😀' == §", "The condition can't be read (at character 8)"],
    ["true true", "Expected the end of the condition (at character 6)"],
    ["true;", "Expected the end of the condition (at character 5)"],
    ["true)", "Expected the end of the condition (at character 5)"],
    ["true) || (true", "Expected the end of the condition (at character 5)"],
    ["1, 2", "Expected a value, a claim or a comparison (at character 1)"],
    ["visitor", "Expected `visitor.claims` (at character 1)"],
    ["visitor.name", "Only `visitor.claims` can be read (at character 1)"],
    ["visitor.__proto__.claims", "No claim is called `__proto__` (at character 9)"],
    ["claims.plan", "Only `visitor.claims` can be read (at character 1)"],
    ["plan == 'pro'", "Expected `visitor.claims`, not `plan` (at character 1)"],
    ["globalThis", "Expected `visitor.claims`, not `globalThis` (at character 1)"],
    ["NaN", "Expected `visitor.claims`, not `NaN` (at character 1)"],
    ["this", "Expected a value, a claim or a comparison (at character 1)"],
    ["visitor.claims.__proto__", "No claim is called `__proto__` (at character 16)"],
    ["visitor.claims['__proto__']", "No claim is called `__proto__` (at character 16)"],
    ["visitor.claims.\\u005f_proto__", "No claim is called `__proto__` (at character 16)"],
    ["visitor.claims[visitor.claims.a]", 'Expected the name of a claim, as in `["a b"]` (at character 16)'],
    ["visitor.claims[`a`]", 'Expected the name of a claim, as in `["a b"]` (at character 16)'],
    ["visitor.claims[-1]", 'Expected the name of a claim, as in `["a b"]` (at character 16)'],
    ["visitor.claims[1.5]", 'Expected the name of a claim, as in `["a b"]` (at character 16)'],
    ["visitor.claims.#a", "The condition can't be read (at character 16)"],
    ["'a'.length", "Only `visitor.claims` can be read (at character 1)"],
    ["[1][0]", "Only `visitor.claims` can be read (at character 1)"],
    ["visitor.claims.constructor.constructor('return process')()", `${calls} (at character 1)`],
    ["''.constructor('x')", `${calls} (at character 1)`],
    ["visitor.claims.a()", `${calls} (at character 1)`],
    ["visitor.claims.a.toString()", `${calls} (at character 1)`],
    ["visitor.claims.a['includes']('x')", `${calls} (at character 1)`],
    ["visitor.claims.a.includes?.('x')", `${calls} (at character 1)`],
    ["includes('x')", `${calls} (at character 1)`],
    ["eval('1')", `${calls} (at character 1)`],
    ["visitor.claims.a.includes.call('x')", `${calls} (at character 1)`],
    ["visitor.claims.a.includes()", "Expected one value in `includes` (at character 18)"],
    ["visitor.claims.a.includes('x', 1)", "Expected one value in `includes` (at character 18)"],
    ["visitor.claims.a.includes(...['x'])", "Expected one value in `includes` (at character 18)"],
    ["[...visitor.claims.a]", "A list can't take in another (at character 2)"],
    ["[1,,2]", "A list can't have gaps (at character 1)"],
    ["/a+/.test('a')", `${calls} (at character 1)`],
    ["/(a+)+$/", "Expected text, a number, true, false or null (at character 1)"],
    ["10n", "Expected text, a number, true, false or null (at character 1)"],
    ["`a${visitor.claims.a}`", "A condition can't put text together (at character 1)"],
    ["visitor.claims.includes`x`", "Expected a value, a claim or a comparison (at character 1)"],
    ["-visitor.claims.a", "A condition can't use `-` here (at character 1)"],
    ["-'1'", "A condition can't use `-` here (at character 1)"],
    ["+1", "A condition can't use `+` here (at character 1)"],
    ["typeof visitor.claims.a", "A condition can't use `typeof` here (at character 1)"],
    ["delete visitor.claims.a", "A condition can't use `delete` here (at character 1)"],
    ["visitor.claims.a ?? 1", "A condition can't use `??` (at character 1)"],
    ["1 + 1", "A condition can't use `+` (at character 1)"],
    ["2 ** 1e9", "A condition can't use `**` (at character 1)"],
    ["visitor.claims.a instanceof visitor.claims.b", "A condition can't use `instanceof` (at character 1)"],
    ["visitor.claims.a++", "Expected a value, a claim or a comparison (at character 1)"],
    ["visitor.claims.a ||= 1", "Expected a value, a claim or a comparison (at character 1)"],
    ["true ? 1 : 2", "Expected a value, a claim or a comparison (at character 1)"],
    ["() => 1", "Expected a value, a claim or a comparison (at character 1)"],
    ["(function () { for (;;) {} })()", `${calls} (at character 1)`],
    ["({ a: 1 })", "Expected a value, a claim or a comparison (at character 2)"],
    ["class {}", "Expected a value, a claim or a comparison (at character 1)"],
    ["new visitor.claims.a", "Expected a value, a claim or a comparison (at character 1)"],
    ["import('x')", "Expected a value, a claim or a comparison (at character 1)"],
    ["import.meta", "Expected a value, a claim or a comparison (at character 1)"],
    ["'a\nb'", "The condition can't be read (at character 1)"],
    ["010", "The condition can't be read (at character 1)"],
    ["/* a */ true", "A condition can't hold comments (at character 1)"],
    ["true // a", "A condition can't hold comments (at character 6)"],
    ["true /* a", "The condition can't be read (at character 6)"],
    ["true <!-- a", "Expected a value, a claim or a comparison (at character 8)"],
    ["true\n--> a", "Expected the end of the condition (at character 6)"],
    ["#!true", "A condition can't hold comments (at character 1)"],
    ["#a in visitor.claims", "The condition can't be read (at character 1)"],
    ["\u0000", "Expected 1 to 1024 characters of well-formed text (at character 1)"],
    ["'\ud800'", "Expected 1 to 1024 characters of well-formed text (at character 1)"]
  ]

  it.each(cases)("%s", (text, message) => {
    assert.strictEqual(messageOf(text), message)
    assert.isFalse(holds(text, claims))
  })

  const nested = (count: number, open: string, close: string, inner: string) =>
    open.repeat(count) + inner + close.repeat(count)

  it.each([
    ["parentheses", "(", ")", "1"],
    ["lists", "[", "]", "1"],
    ["negations", "!", "", "1"],
    ["minus signs", "- ", "", "1"],
    ["comparisons", "", "==1", "1"],
    ["calls", "", ".includes(1)", "[]"],
    ["arguments", "[].includes(", ")", "1"]
  ])("%s that nest too deep", (_name, open, close, inner) => {
    const fitting = Math.floor(1022 / (open.length + close.length))
    for (const count of [maxDepth, Math.min(fitting, 200), fitting]) {
      assert.isString(messageOf(nested(count, open, close, inner)))
    }
    assert.strictEqual(messageOf(nested(maxDepth - 1, open, close, inner)), undefined)
  })

  it("what is read counts no nesting: many alternatives, long paths, long lists", () => {
    for (const text of [
      Array.from({ length: 200 }, () => "1").join("||"),
      Array.from({ length: 200 }, () => "0").join("&&"),
      Array.from({ length: 100 }, () => "0&&1").join("||"),
      `visitor.claims${".a".repeat(500)}`,
      `[${"1,".repeat(510)}1]`
    ]) {
      assert.strictEqual(messageOf(text), undefined, text)
    }
  })

  it("a condition is read once", () => {
    assert.strictEqual(parse("visitor.claims.once"), parse("visitor.claims.once"))
    assert.strictEqual(parse("visitor.claims.once ="), parse("visitor.claims.once ="))
  })

  it("the check counts characters, and says what is wrong once", () => {
    const check = (text: unknown) => {
      const result = Schema.decodeUnknownResult(Condition, { errors: "all" })(text)
      return Result.isFailure(result) ? result.failure.message : undefined
    }
    assert.strictEqual(check(`"${"😀".repeat(1022)}"`), undefined)
    assert.strictEqual(check(`"${"😀".repeat(1023)}"`), "Expected at most 1024 characters")
    assert.strictEqual(check("x".repeat(100_000)), "Expected at most 1024 characters")
    assert.strictEqual(check(""), "Expected at least 1 character")
    assert.strictEqual(check("1 +"), "The condition ends where more is expected (at character 4)")
    assert.isString(check(1))
  })
})

describe("laws", () => {
  const known = {
    text: "abc",
    empty: "",
    digits: "12",
    number: 3,
    zero: 0,
    yes: true,
    no: false,
    nil: null,
    words: ["a", "abc", ""],
    object: { a: 1, "b c": { text: "abc" } }
  }

  /** Expressions that mean in JavaScript what they mean here. */
  const expression = fc.letrec<{ scalar: string; truth: string; any: string }>((tie) => {
    const text = fc.constantFrom('"abc"', "'b'", '""', "`c`", '"12"', "visitor.claims.text", "visitor.claims.empty")
    const atom = fc.oneof(
      text,
      fc.constantFrom("true", "false", "null", "undefined", "0", "3", "-1", "12.5", "1e3"),
      fc
        .constantFrom("digits", "number", "zero", "yes", "no", "nil", "unknown", "unknown?.below")
        .map((name) => `visitor.claims.${name}`),
      fc.constantFrom('visitor.claims.object["b c"].text', "visitor?.claims?.object.a", "visitor.claims?.object?.x?.y")
    )
    const joined = (operand: fc.Arbitrary<string>, operators: ReadonlyArray<string>) =>
      fc
        .tuple(operand, fc.constantFrom(...operators), operand, fc.constantFrom("", " ", "\n"))
        .map(([left, operator, right, space]) => `(${left}${space}${operator}${space}${right})`)
    return {
      scalar: fc.oneof(
        { depthSize: "small" },
        atom,
        joined(tie("scalar"), ["==", "===", "!=", "!==", "<", "<=", ">", ">="]),
        joined(tie("scalar"), ["&&", "||"]),
        tie("truth")
      ),
      truth: fc.oneof(
        { depthSize: "small" },
        tie("scalar").map((of) => `!${of}`),
        fc
          .tuple(text, fc.constantFrom("includes", "startsWith", "endsWith"), text)
          .map(([of, name, what]) => `${of}.${name}(${what})`),
        tie("scalar").map((what) => `visitor.claims.words.includes(${what})`),
        fc
          .array(tie("scalar"), { maxLength: 3 })
          .chain((items) => tie("scalar").map((what) => `[${items.join(", ")}].includes(${what})`)),
        fc.constantFrom('"a"', '"b c"', '"x"', "3").map((key) => `(${key} in visitor.claims.object)`)
      ),
      any: fc
        .array(fc.tuple(tie("scalar"), fc.constantFrom(" && ", " || ")), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.map(([part, join], i) => (i === 0 ? part : join + part)).join(""))
    }
  }).any

  it("a condition holds where JavaScript says so", () => {
    fc.assert(
      fc.property(
        expression.filter((text) => text.length <= 1024),
        (text) => {
          assert.strictEqual(messageOf(text), undefined)
          // oxlint-disable-next-line typescript/no-implied-eval
          const reference = new Function("visitor", `"use strict"; return Boolean(${text})`)
          assert.strictEqual(holds(text, known), reference({ claims: known }))
        }
      ),
      runs(2000)
    )
  })

  const token = fc.constantFrom(
    ..."visitor claims .claims ?. [ ] ( ) [' '] ! - + == === < in && || ?? , 1 'a' ` ${ } { /a/ / // /* */ <!-- --> => = . ... \\u0061 # @ \u2028 \n 😀 __proto__ constructor includes( async await yield new class function import let of null undefined".split(
      " "
    ),
    " "
  )

  it("no text throws, nor do any claims", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join("")),
          fc.string({ unit: "binary", maxLength: 200 }),
          expression
        ),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (text, values) => {
          const tree = parse(text)
          if (Result.isSuccess(tree)) {
            for (const each of [values, claims, known, {}]) assert.isBoolean(evaluate(tree.success, each))
          } else {
            assert.isTrue(tree.failure.position >= 1)
            assert.match(tree.failure.message, /^[A-Z].* \(at character \d+\)$/)
          }
        }
      ),
      runs(2000)
    )
  })
})
