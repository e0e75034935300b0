/** Tests emphasis next to any character: parsing and printing. */
import { assert, describe, it } from "@effect/vitest"
import type { Leaf } from "@lectern/document/Document"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { brokenLaw, parse, print } from "./laws.ts"

const leavesIn = (value: unknown): ReadonlyArray<Leaf> => {
  if (Array.isArray(value)) return value.flatMap(leavesIn)
  if (typeof value !== "object" || value === null) return []
  if ("object" in value && value.object === "leaf") return [value as Leaf]
  return Object.values(value).flatMap(leavesIn)
}

const marked = (text: string): ReadonlyArray<string> =>
  leavesIn(parse(text).document.nodes).flatMap((leaf) => (leaf.marks.length > 0 ? [leaf.text] : []))

describe("emphasis in Chinese, Japanese and Korean text", () => {
  const strong: ReadonlyArray<readonly [text: string, bold: string]> = [
    ["これは**並行処理（A）**として", "並行処理（A）"],
    ["彼は**「はい」**と答えた", "「はい」"],
    ["本当に**終わり。**次へ", "終わり。"],
    ["他说**“好。”**然后走了", "“好。”"],
    ["价格**￥100**起", "￥100"],
    ["使用**`make`**命令", "make"],
    ["语言**C++**和**C#**都行", "C++"],
    ["한국어는**'이렇게'**씁니다", "'이렇게'"],
    ["이것은**(괄호)**입니다", "(괄호)"],
    ["字𠮷**（上）**字", "（上）"],
    ["字𠮷**(上)**字", "(上)"],
    ["塚︀**(異体)**字", "(異体)"],
    ["葛\u{e0100}**(異体)**字", "(異体)"],
    ["漢~~（字）~~字", "（字）"],
    ["漢*（字）*字", "（字）"],
    ["__注意__：読む", "注意"],
    ["注意：__読む__", "読む"]
  ]
  for (const [text, bold] of strong) {
    it(text, () => {
      assert.include(marked(text), bold)
      const printed = print(parse(text)).trimEnd()
      assert.notInclude(printed, "&#")
      assert.deepStrictEqual(marked(printed), marked(text))
    })
  }

  const none = [
    "a**(b)**c",
    "a** b**c",
    "これ_は_字",
    "字__中__字",
    "a**“b”**c",
    "字** （字）**字",
    "a**\u{1f600}(b)**c"
  ]
  for (const text of none) it(`is none: ${text}`, () => assert.deepStrictEqual(marked(text), []))
})

describe("emphasis within a word", () => {
  const texts = [
    "con*sti*tution",
    "*con*stitution",
    "consti*tution*",
    "字*中*字",
    "a*b*c _d_ e*f*",
    "**a**b*c*d",
    "(*a*)b"
  ]
  for (const text of texts) {
    it(text, () => {
      const printed = print(parse(text)).trimEnd()
      assert.notInclude(printed, "&#")
      assert.deepStrictEqual(marked(printed), marked(text))
    })
  }

  it("has the mark that the page prefers elsewhere", () => {
    assert.strictEqual(print(parse("a *b* c*d*e")).trimEnd(), "a _b_ c*d*e")
  })
})

const piece = fc.constantFrom(
  ..."*_~a1 。「（,(あ字한“é",
  "**",
  "__",
  "~~",
  "\u{20bb7}",
  "\u{1f600}",
  "\ufe00",
  "\ufe01",
  "\ufe0f",
  "\u{e0100}",
  "\u3000",
  "`x`",
  "\n"
)

it("is read as it was printed, whatever stands beside it", () =>
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      assert.isUndefined(brokenLaw(pieces.join("")))
    }),
    runs(500, 20_000)
  ))
