import { assert, describe, it } from "@effect/vitest"
import * as Words from "@lectern/core/search/Words"
import { lookupsOf, maxQueryWords, parseQuery } from "@lectern/core/search/SearchWords"
import { isWord } from "@lectern/core/storage/SearchIndex"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const wordsOf = (text: string) => {
  const words = new Set<string>()
  Words.forEachWord(text, (word) => words.add(word))
  return words
}

/** Tells whether a text has all the words of a query as they are typed, the last one maybe in part. */
const finds = (query: string, text: string) => {
  const words = wordsOf(text)
  const wanted = parseQuery(query, "vi")
  return (
    wanted.length > 0 &&
    wanted.every(({ alternatives }) =>
      alternatives.some(({ word, match }) =>
        match === "whole" ? words.has(word) : [...words].some((known) => known.startsWith(word))
      )
    )
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
    ["node 24", "Node.js 24.1"],
    ["--privileged", "Run it with `--privileged`."],
    ["privileged", "Run it with `--privileged`."],
    [".git/config", "(see .git/config)"],
    ["config git", "(see .git/config)"],
    ["/v1/spaces", "GET /v1/spaces/"],
    ["useState", "Call useState() first"],
    ["state use", "Call useState() first"],
    ["LLM节点", "添加 LLM节点。"],
    ["节点 llm", "添加 LLM节点。"],
    ["🙂", "🙂🙃"],
    ["🙃🙂", "Smile:🙂🙃!"],
    ["🇩🇪", "auf 🇬🇧🇩🇪"],
    ["👩‍👩‍👧‍👦", "A family👩‍👩‍👧‍👦"],
    ["👍🏽", "👍🏽"],
    ["❤", "❤️"],
    ["❤️", "I ❤ docs"],
    ["❤️‍🔥", "❤‍🔥"],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴"],
    ["1️⃣", "1 thing"],
    ["thing", "1️⃣ thing"],
    ["🙂", "東京🙂"]
  ])("%s finds %s", (query, text) => {
    assert.isTrue(finds(query, text))
  })

  it("keeps an emoji together, whatever it is made of, and takes none for another", () => {
    const together = ["👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳‍🌈", "🙂"]
    assert.deepStrictEqual([...wordsOf(together.join(""))], together)
    for (const [query, text] of [
      ["👩", "👩‍👩‍👧‍👦"],
      ["👍", "👍🏽"],
      ["🇪🇬", "🇩🇪🇬🇧"],
      ["🙂", "🙃"],
      ["\ufe0f", "❤️"]
    ] as const) {
      assert.isFalse(finds(query, text), `${query} ${text}`)
    }
    const endless = "👩‍".repeat(50_000)
    for (const word of wordsOf(`${endless}👩 🏴${"\u{e0061}".repeat(100)}`)) assert.isTrue(isWord(word), word)
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
    ["`--privileged`, or not", ["--privileged"]],
    ["in .git/config.", [".git/config"]],
    ["C++ and C#; F#!", ["c++", "c#", "f#"]],
    ["node.js/express", ["node.js/express"]],
    ["It ends. And/or: it doesn't...", ["and/or"]],
    ["a -- b --- c + d # e", []],
    ["@scope/name $PATH _private", ["@scope/name", "$path", "_private"]],
    ["LECTERN_DATA=/var/lib", ["lectern_data", "var/lib"]],
    ["-v, --verbose", ["-v", "--verbose"]],
    ["x".repeat(40) + "." + "y".repeat(40), []]
  ])("knows the names in %s", (text, expected) => {
    const names: Array<string> = []
    Words.forEachWord(text, (word, kind) => {
      if (kind === "name") names.push(word)
    })
    assert.deepStrictEqual(names, expected)
  })

  it.each([
    ["getHTTPResponse", ["get", "http", "response"]],
    ["useState", ["use", "state"]],
    ["XMLHttpRequest2", ["xml", "http", "request"]],
    ["Plain", []],
    ["UPPER", []],
    ["iOS", ["os"]]
  ])("knows the parts of %s", (text, expected) => {
    const parts: Array<string> = []
    Words.forEachWord(text, (word, kind) => {
      if (kind === "part") parts.push(word)
    })
    assert.deepStrictEqual(parts, expected)
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
    const words = parseQuery(query, undefined)
    for (const { word } of lookupsOf(words)) assert.isTrue(isWord(word), word)
    if (!/[a-z]/i.test(query)) assert.deepStrictEqual(words, [])
  })

  it("makes nothing but words that the index takes, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const word of [...wordsOf(text), ...lookupsOf(parseQuery(text, "fr")).map(({ word }) => word)]) {
          assert.isTrue(isWord(word), JSON.stringify(word))
        }
        assert.strictEqual(Words.foldText(Words.foldText(text)), Words.foldText(text))
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
        const words = parseQuery(text, "en")
        if (words.length === 0) return
        assert.isTrue(finds(text, text), text)
        const folded = Words.foldText(text)
        for (const { word, needles } of words) {
          const stands = needles.some(({ word, match }) => Words.containsWord(folded, word, match))
          assert.isTrue(stands, `${word} in ${text}`)
        }
      }),
      runs()
    )
  })

  it("tells a word from a part of one", () => {
    assert.isFalse(Words.containsWord("trail", "rail", "beginning"))
    assert.isFalse(Words.containsWord("rails", "rail", "whole"))
    assert.isTrue(Words.containsWord("rails", "rail", "beginning"))
    assert.isTrue(Words.containsWord("trail rail", "rail", "whole"))
    assert.isTrue(Words.containsWord("東京rail都", "rail", "whole"))
    assert.isFalse(Words.containsWord("𝒳rail", "rail", "whole") && !Words.containsWord("rail", "rail", "whole"))
    assert.strictEqual(Words.offsetOf("x ab ab", "ab", "whole"), 2)
  })

  it("cuts plain text as it cuts any other", () => {
    const told = (text: string) => {
      const all: Array<ReadonlyArray<unknown>> = []
      Words.forEachWord(text, (...one) => all.push(one))
      return all
    }
    const piece = fc.constantFrom(
      "a",
      "B",
      "useState",
      "HTTPServer",
      "9",
      "-",
      "--",
      ".",
      "_",
      "@",
      "#",
      "+",
      " ",
      "\n",
      "x".repeat(70)
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme-ascii" }),
          fc.array(piece).map((all) => all.join(""))
        ),
        (text) => {
          // A letter of its own, which makes it no plain text.
          const other = told(`${text} ж`).filter(([word]) => word !== "ж")
          assert.deepStrictEqual(told(text), other)
        }
      ),
      runs(500)
    )
  })

  it("bounds words and their number", () => {
    const long = "ж".repeat(1_000)
    assert.deepStrictEqual([...wordsOf(long)], ["ж".repeat(64)])
    assert.isTrue(finds(long, long))
    assert.isTrue(finds(`𝒳${"🄰".repeat(500)}`, `𝒳${"🄰".repeat(500)}`))
    const many = Array.from({ length: 250 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("")
    assert.strictEqual(parseQuery(many, undefined).length, maxQueryWords)
    const hostile = ["a", "-", "a-", "-a", "a.", "aB", "#", "+"].map((piece) => `${piece.repeat(50_000)}B`)
    for (const text of hostile) for (const word of wordsOf(text)) assert.isTrue(isWord(word))
  })
})
