import { assert, describe, it } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import * as DocumentInput from "@lectern/document/DocumentInput"
import { parse, print } from "@lectern/document/markdown/Markdown"
import * as fc from "fast-check"
import { Result } from "effect"
import { runs } from "../../../core/test/Runs.ts"

let last = 0
const nextKey = () => `k${last++}`
const read = (markdown: string): Document => parse(markdown, { nextKey }).document

/** Returns the document after a client read it as a tree, changed the JSON of the tree, and sent it back. */
const edited = (document: Document, edit: (json: string) => string): Document => {
  const json = edit(JSON.stringify(WireDocument.encode(document)))
  return align(document, Result.getOrThrow(DocumentInput.normalizeDocument(JSON.parse(json), nextKey)), {
    isTree: true
  })
}

const withoutWritten = (json: string): string =>
  JSON.stringify(JSON.parse(json, (name, value: unknown) => (name === "written" ? undefined : value)))

const cases: ReadonlyArray<readonly [name: string, markdown: string, word: string, instead: string]> = [
  ["a longer word before a line end", "one two\nthree four\nfive\n", "one", "first of all"],
  ["a shorter word", "hundred and\none more words\nhere\n", "hundred", "a"],
  ["a word between line ends", "one two\nthree four\nfive six\n", "three", "thirty three"],
  ["a word of bold text", "one **two three\nfour** five\nsix\n", "two", "twenty two"],
  ["a word of a link", "see [the long\ntext](https://example.com) of\nit\n", "long", "very long"],
  ["a word of an item", "* one two\n  three\n* four\n", "one", "eleven"],
  ["a word of a quote", "> one two\n> three\n", "one", "eleven"],
  ["Japanese lines", "これは文です。\n次の行です。\n終わり\n", "これは", "あれもこれも"],
  ["Korean lines", "이것은 문장\n입니다 다음\n줄\n", "이것은", "저것도 이것도"],
  ["a line break beside line ends", "one two\nthree\\\nfour\nfive\n", "one", "eleven"],
  ["a picture behind a line end", 'some of\n<img src="https://example.com/p.png" alt=""> and\nmore\n', "some", "all"]
]

describe("line ends of a document that was sent as a tree", () => {
  it.each(cases)("stay: %s", (_, markdown, word, instead) => {
    const document = read(markdown)
    const expected = print(read(markdown.replace(word, instead)))
    assert.strictEqual(print(edited(document, (json) => json.replace(word, instead))), expected)
    const bare = edited(document, (json) => withoutWritten(json.replace(word, instead)))
    assert.strictEqual(print(bare), expected)
  })

  it("stay before a line break that the source has on the next line", () => {
    const document = read("one **two**\n<br/>\n\nMore\n")
    const written = print(edited(document, (json) => json.replace("two", "twenty two")))
    assert.strictEqual(written, "one **twenty two**\n<br/>\n\nMore\n")
  })

  it("stay in blocks of a client that sends text and marks only, which change nothing", () => {
    const document = read("one two\nthree\n\n* four\n  five\n")
    assert.deepStrictEqual(edited(document, withoutWritten), document)
  })

  it("move where a client moves them", () => {
    const document = read("one two\nthree\n")
    const moved = edited(document, (json) => json.replace('"softBreaks":[7]', '"softBreaks":[3]'))
    assert.strictEqual(print(moved), "one\ntwo three\n")
  })

  it("take no space between Chinese characters", () => {
    const document = read("unique\n12 次 行\n")
    const written = print(edited(document, (json) => json.replace("unique", "q")))
    assert.strictEqual(written, "q\n12 次 行\n")
  })

  it("never begin or end a text", () => {
    const document = read("one\ntwo\n")
    const ends = edited(document, (json) => json.replace("one two", " two"))
    assert.strictEqual(print(ends).includes("\n "), false)
  })

  it("stay where any word is another", () => {
    const word = fc.constantFrom("alpha", "be", "gamma", "delta-ray", "é", "次", "行", "12")
    const lines = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(
        lines,
        fc.nat(),
        fc.constantFrom("Quincexylo", "q", "two words"),
        fc.boolean(),
        (all, at, instead, isBare) => {
          const flat = all.flat()
          const index = at % flat.length
          // A word that occurs once, so that it can be found in JSON.
          const text = (word: string) => {
            let i = 0
            return `${all.map((line) => line.map((one) => (i++ === index ? word : one)).join(" ")).join("\n")}\n`
          }
          const document = read(text("unique"))
          const is = edited(document, (json) => {
            const after = json.replace("unique", instead)
            return isBare ? withoutWritten(after) : after
          })
          assert.strictEqual(print(is), print(read(text(instead))))
        }
      ),
      runs(200)
    )
  })
})
