import { assert, describe, it } from "@effect/vitest"
import * as Words from "@lectern/core/search/Words"
import { isWord } from "@lectern/core/storage/SearchIndex"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const wordsOf = (text: string, limit = 1_000) => {
  const words = new Set<string>()
  Words.addTo(words, text, limit)
  return words
}

const finds = (query: string, text: string) => {
  const words = wordsOf(text)
  const { words: wanted, prefix } = Words.ofQuery(query)
  if (wanted.length === 0 && prefix === undefined) return false
  return (
    wanted.every((word) => words.has(word)) &&
    (prefix === undefined || [...words].some((word) => word.startsWith(prefix)))
  )
}

describe("Words", () => {
  it.each([
    ["STRASSE", "straße"],
    ["strasse", "ｓｔｒａｓｓｅ"],
    ["creme brulee", "Crème brûlée"],
    ["smorrebrod", "Smørrebrød"],
    ["aeon", "Æon"],
    ["istanbul", "İstanbul"],
    ["σισυφοσ", "ΣΊΣΥΦΟΣ"],
    ["σίσυφ", "Σίσυφος"],
    ["елка", "Ёлка"],
    ["العربية", "اَلْعَرَبِيَّةُ"],
    ["ガッコウ", "ｶﾞｯｺｳ"],
    ["file", "ﬁle"],
    ["tutor", "A tutorial"],
    ["bar foo", "foo_bar.baz"],
    ["node 24", "Node.js 24.1"]
  ])("%s finds %s", (query, text) => {
    assert.isTrue(finds(query, text))
  })

  it.each(["東", "京", "都", "東京", "京都", "東京都", "都の天", "の", "天気", "東京都の天気"])(
    "finds %s in Japanese, wherever it begins",
    (query) => {
      assert.isTrue(finds(query, "明日、東京都の天気は？"))
    }
  )

  it.each(["한국", "국어", "한국어", "어", "검색"])("finds %s in Korean", (query) => {
    assert.isTrue(finds(query, "한국어검색은"))
  })

  it.each([
    ["が", "か"],
    ["京東", "東京都"],
    ["rail", "trail"],
    ["foot", "foo"]
  ])("%s does not find %s", (query, text) => {
    assert.isFalse(finds(query, text))
  })

  it.each([
    '"',
    "*",
    "-",
    ":",
    "( )",
    "^",
    "NEAR",
    "a:b",
    '"a b"',
    "a AND b",
    "title:x",
    "a* b*",
    "{a b}: c",
    "+",
    "\ud800",
    "\u0000"
  ])("takes %j as text", (query) => {
    const { words, prefix } = Words.ofQuery(query)
    for (const word of prefix === undefined ? words : [...words, prefix]) assert.isTrue(isWord(word), word)
    if (!/[a-z]/i.test(query)) assert.deepStrictEqual([words, prefix], [[], undefined])
  })

  it("makes nothing but words that the index takes, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const { words, prefix } = Words.ofQuery(text)
        for (const word of [...wordsOf(text), ...words, ...(prefix === undefined ? [] : [prefix])]) {
          assert.isTrue(isWord(word), JSON.stringify(word))
        }
        assert.strictEqual(Words.fold(Words.fold(text)), Words.fold(text))
      }),
      runs()
    )
  })

  it("finds every text by itself, and by the beginning of its last word", () => {
    const piece = fc.constantFrom(
      "web",
      "Höhe",
      "東京都",
      "の",
      "검색",
      "x",
      "Straße",
      " ",
      "-",
      "…",
      "🙂",
      "٣",
      "हिन्दी"
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.join("")
        const { words, prefix } = Words.ofQuery(text)
        if (words.length === 0 && prefix === undefined) return
        assert.isTrue(finds(text, text), text)
        const folded = Words.fold(text)
        for (const word of words) assert.isTrue(Words.standsIn(folded, word, "whole"), `${word} in ${text}`)
        if (prefix !== undefined) assert.isTrue(Words.standsIn(folded, prefix, "beginning"), `${prefix} in ${text}`)
      }),
      runs()
    )
  })

  it("tells a word from a part of one", () => {
    assert.isFalse(Words.standsIn("trail", "rail", "beginning"))
    assert.isFalse(Words.standsIn("rails", "rail", "whole"))
    assert.isTrue(Words.standsIn("rails", "rail", "beginning"))
    assert.isTrue(Words.standsIn("trail rail", "rail", "whole"))
    assert.isTrue(Words.standsIn("東京rail都", "rail", "whole"))
    assert.isFalse(Words.standsIn("𝒳rail", "rail", "whole") && !Words.standsIn("rail", "rail", "whole"))
    assert.strictEqual(Words.placeOf("x ab ab", "ab", "whole"), 2)
  })

  it("bounds words and their number", () => {
    const long = "ж".repeat(1_000)
    assert.deepStrictEqual([...wordsOf(long)], ["ж".repeat(64)])
    assert.isTrue(finds(long, long))
    assert.isTrue(finds(`𝒳${"🄰".repeat(500)}`, `𝒳${"🄰".repeat(500)}`))
    assert.strictEqual(wordsOf(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "), 10).size, 10)
    const { words } = Words.ofQuery("東京".repeat(256))
    assert.isAtMost(words.length, Words.maxQueryWords)
  })
})
