import { assert, describe, it } from "@effect/vitest"
import * as YamlText from "@lectern/document/YamlText"
import { Result } from "effect"

const failure = (text: string) => Result.getOrThrow(Result.flip(YamlText.parseYaml(text)))

describe("YamlText", () => {
  it("reads what is written", () => {
    const text = "a: 1\nb: &b [x, 'y']\nc: *b\n? {d: e}\n: f\n"
    assert.deepStrictEqual(Result.getOrThrow(YamlText.parseYaml(text)), {
      a: 1,
      b: ["x", "y"],
      c: ["x", "y"],
      "{ d: e }": "f"
    })
    assert.isNull(Result.getOrThrow(YamlText.parseYaml("")))
  })

  it("tells where it is no YAML", () => {
    assert.match(failure("a: 1\nb: [\n"), /^Flow sequence.* at line 3, column 1$/)
    assert.match(failure("a: 1\n---\nb: 2\n"), /line 2, column 1$/)
  })

  it("refuses a key that stands twice in a mapping, wherever that is", () => {
    assert.strictEqual(failure("a: 1\nb: 2\na: 3\n"), "Map keys must be unique at line 3, column 1")
    assert.strictEqual(failure("a:\n  - { b: 1, b: 2 }\n"), "Map keys must be unique at line 2, column 13")
    assert.strictEqual(failure("a: 1\n'a': 2\n"), "Map keys must be unique at line 2, column 1")
    assert.isTrue(Result.isSuccess(YamlText.parseYaml("a: { b: 1 }\nc: { b: 2 }\n")))
  })

  it("gives a key that means something to JavaScript no meaning", () => {
    const value = Result.getOrThrow(YamlText.parseYaml("__proto__: { a: 1 }\nconstructor: 2\n")) as object
    assert.strictEqual(Object.getPrototypeOf(value), Object.prototype)
    assert.deepStrictEqual(Object.keys(value), ["__proto__", "constructor"])
  })

  it("refuses aliases that unfold without end", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for (const [name, before] of [..."bcdefgh"].map((name, i) => [name, "abcdefg"[i]])) {
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`)
    }
    assert.match(failure(bomb.join("\n")), /alias/)
  })

  // No clock: what takes quadratic time here takes minutes, beyond the time limit of any test.
  const long: Record<string, string> = {
    "a mapping of 100,000 keys": Array.from({ length: 100_000 }, (_, i) => `a${i}:`).join("\n"),
    "a mapping of 100,000 keys on one line": `{${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(", ")}}`,
    "100,000 mistakes": `a: ${"!a ".repeat(100_000)}`,
    "100,000 open brackets": `a: ${"[".repeat(100_000)}`
  }
  for (const [name, text] of Object.entries(long)) {
    it(`takes ${name}`, () => {
      YamlText.parseYaml(text)
    })
  }
})
