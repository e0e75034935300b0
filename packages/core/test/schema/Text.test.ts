import { assert, describe, it } from "@effect/vitest"
import * as Text from "@lectern/core/schema/Text"
import { Result, Schema } from "effect"

const accepts = (schema: Schema.Codec<string>, text: unknown) =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(text))

describe("Text", () => {
  it.each([
    { text: "", min: 0, max: 3, expected: true },
    { text: "", min: 1, max: 3, expected: false },
    { text: "abc", min: 1, max: 3, expected: true },
    { text: "abcd", min: 1, max: 3, expected: false },
    { text: "🎉🎉🎉", min: 3, max: 3, expected: true },
    { text: "🎉🎉🎉🎉", min: 3, max: 3, expected: false },
    { text: "🎉🎉", min: 3, max: 9, expected: false },
    { text: "e\u0301e\u0301", min: 1, max: 3, expected: false },
    { text: "a\u0000", min: 0, max: 9, expected: false },
    { text: "\ud800", min: 0, max: 9, expected: false },
    { text: "x".repeat(1_000_000), min: 0, max: 50, expected: false },
    { text: 7, min: 0, max: 9, expected: false }
  ])("$min to $max characters: is it accepted: $expected", ({ text, min, max, expected }) => {
    assert.strictEqual(accepts(Text.between(min, max), text), expected)
  })

  it("is described with its limits", () => {
    const described = (schema: Schema.Codec<string>) => Schema.toJsonSchemaDocument(schema).schema
    assert.deepStrictEqual(described(Text.between(2, 30)), { type: "string", minLength: 2, maxLength: 30 })
    assert.deepStrictEqual(described(Text.atMost(30)), { type: "string", maxLength: 30 })
    assert.containSubset(described(Text.line(1, 64)), { type: "string", minLength: 1, maxLength: 64 })
  })

  it.each([
    "",
    "a",
    "a  b",
    "Überblick – 订阅 🎉",
    "a\u00a0b",
    "a\u202eb",
    "\u202da",
    "a\u202e",
    "\u200fא",
    "א\u2067ab\u2069",
    "a\u200bb",
    "👩\u200d💻",
    "\u200b",
    "\u200b\u2060 \u3164\u200f",
    "\u202e\u200b",
    " a",
    "a\ufeff",
    "a\nb",
    "a\tb",
    "a\u001bb",
    "a\u0085b",
    "a\u2028b",
    "a\n",
    " ",
    `a${" ".repeat(10_000)}\n${" ".repeat(10_000)}b`
  ])("tells a line from %j, and makes one of it", (text) => {
    const line = Text.inOneLine(text)
    assert.strictEqual(accepts(Text.line(0, 1_000_000), text), line === text)
    assert.isTrue(accepts(Text.line(0, 1_000_000), line))
    assert.strictEqual(Text.inOneLine(line), line)
  })

  it("makes a line of what ends lines, and cuts it where it is too long", () => {
    assert.strictEqual(Text.inOneLine("\n a \r\n\t b\u0000c  d\ud800 "), "a b c  d\ufffd")
    assert.strictEqual(Text.inOneLine("🎉🎉 🎉", 3), "🎉🎉")
    assert.strictEqual(Text.inOneLine("photo\u202egnp.exe"), "photognp.exe")
    assert.strictEqual(Text.inOneLine("\u200b \u2060"), "")
  })
})
