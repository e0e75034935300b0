import { assert, describe, it } from "@effect/vitest"
import type { Node } from "@lectern/document/Document"
import { brokenLaw, parse, print } from "./laws.ts"

const red = '<mark style="color:red;">'
const end = "</mark>"
const footnote = "\n\n[^1]: One"

/** The coloured text, and how often anything else is HTML. */
const coloured = (nodes: ReadonlyArray<Node>): string =>
  nodes
    .map((node) => {
      if (node.object === "text") {
        return node.leaves.map(({ marks, text }) => (marks.some(({ type }) => type === "color") ? text : "")).join("|")
      }
      return node.object === "inline" && node.type === "html" ? "<>" : coloured(node.nodes ?? [])
    })
    .join("")

const stays: ReadonlyArray<readonly [around: string, markdown: string, text: string]> = [
  ["a break", `${red}a\\\nb${end}`, "ab"],
  ["an image", `${red}a ![i](u) b${end}`, "a  b"],
  ["an image with a size", `${red}a <img src="u" alt="" data-size="line"> b${end}`, "a  b"],
  ["a formula", `${red}a $$f$$ b${end}`, "a  b"],
  ["an emoji", `${red}a :rocket: b${end}`, "a  b"],
  ["an icon", `${red}a <i class="fa-star">:star:</i> b${end}`, "a  b"],
  ["an expression", `${red}a <code class="expression">e</code> b${end}`, "a  b"],
  ["a button", `${red}a <a href="u" class="button primary">d</a> b${end}`, "a  b"],
  ["a mention", `${red}a [m](u "mention") b${end}`, "a  b"],
  ["the mark of a footnote", `${red}a[^1] b${end}`, "a b"],
  ["a word that is explained", `${red}[a](#user-content-fn-1)[^1]${end}`, "a"],
  ["text in superscript", `${red}10<sup>2</sup>${end}`, "10|2"],
  ["bold text and a link", `${red}**a** [b](u)${end}`, "a| b"],
  ["HTML that means nothing", `${red}a <u>b${end}</u>`, "a <>b<>"],
  ["one that begins in emphasis", `**c ${red}a**${end}`, "|a"]
]

describe("coloured text", () => {
  for (const [around, markdown, text] of stays) {
    it(`goes around ${around}`, () => {
      const parsed = parse(markdown + footnote)
      const [paragraph] = parsed.document.nodes
      assert.strictEqual(coloured(paragraph!.nodes ?? []), text)
      assert.isUndefined(brokenLaw(markdown + footnote))
    })
  }

  it("is written in one where another inline stands between", () => {
    for (const [around, markdown] of stays.slice(0, 12)) {
      const isWhole = print(parse(markdown + footnote)).startsWith(`${markdown}\n`)
      assert.isTrue(isWhole, around)
    }
    assert.strictEqual(print(parse(`${red}a${end}\\\n${red}b${end}`)), `${red}a\\\nb${end}\n`)
  })

  it("may be a part of a word that is explained", () => {
    const text = `[${red}a${end} b](#user-content-fn-1)[^1]`
    const [paragraph] = parse(text + footnote).document.nodes
    const [annotation] = paragraph!.nodes!
    assert.strictEqual(annotation?.object === "inline" ? annotation.type : undefined, "annotation")
    assert.strictEqual(print(parse(text + footnote)), `${text}${footnote}\n`)
  })

  it("stays HTML where it has no text, and in another colour", () => {
    for (const text of [
      `${red}![i](u)${end}`,
      `${red}:rocket:${end}`,
      `a ${red}<code class="expression">e</code>${end}`,
      `a ${red}[m](u "mention")${end}`,
      `${red}a <mark style="color:blue;">b${end} c${end}`
    ]) {
      assert.strictEqual(print(parse(text)), `${text}\n`)
      assert.isUndefined(brokenLaw(text))
    }
  })

  it("ends before an emoji that would be a part of a word", () => {
    const text = `${red}a${end}:rocket:${red}b${end}`
    assert.strictEqual(print(parse(text)), `${text}\n`)
    assert.isUndefined(brokenLaw(text))
  })
})
