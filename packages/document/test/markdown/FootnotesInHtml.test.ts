/** Footnotes where Markdown is HTML: in captions, summaries, cells and aligned text. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { runs } from "../../../core/test/Runs.ts"
import type { Document, Node } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { brokenLaw, parse, print, shape } from "./laws.ts"

const places: { readonly [name: string]: (text: string) => string } = {
  "the caption of an image": (text) =>
    `<figure><img src="/files/f1" alt=""><figcaption><p>a ${text} b</p></figcaption></figure>`,
  "a summary": (text) => `<details>\n\n<summary>a ${text} b</summary>\n\nc\n\n</details>`,
  "a cell that spans rows": (text) =>
    `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td rowspan="2">${text}</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>`,
  "the title of a column": (text) =>
    `<table data-header-hidden><thead><tr><th>a ${text}</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>`,
  "aligned text": (text) => `<p align="center">a ${text}</p>`,
  "an aligned heading": (text) => `<h2 align="center">a ${text}</h2>`
}

const explained = '<a data-footnote-ref href="#user-content-fn-1">An <strong>ID</strong></a>'
const mark = '<a data-footnote-ref href="#user-content-fn-1">[^1]</a>'
const footnote = "\n\n[^1]: A *name*.\n"

/** The types of the inlines, and of the blocks of footnotes, in the order of a document. */
const typesIn = ({ nodes }: Pick<Document, "nodes">): ReadonlyArray<string> =>
  nodes.flatMap(function typesOf(node: Node): ReadonlyArray<string> {
    if (node.object === "text") return []
    const own = node.object === "inline" || node.type === "footnote-definition" ? [node.type] : []
    const within = (node.fragments ?? []).flatMap((each) => each.nodes.flatMap(typesOf))
    return [...own, ...(node.nodes ?? []).flatMap(typesOf), ...within]
  })

describe("a footnote in HTML", () => {
  for (const [name, around] of Object.entries(places)) {
    it(`explains text in ${name}`, () => {
      const text = around(explained) + footnote
      const parsed = parse(text)
      assert.deepStrictEqual(typesIn(parsed.document), ["annotation"])
      assert.strictEqual(print(parsed), text.replaceAll("*name*", "_name_"))
      assert.isUndefined(brokenLaw(text))
    })

    it(`has its mark in ${name}`, () => {
      const text = around(mark) + footnote
      const parsed = parse(text)
      assert.deepStrictEqual(typesIn(parsed.document), ["footnote-reference", "footnote-definition"])
      assert.strictEqual(print(parsed), text.replaceAll("*name*", "_name_"))
      assert.isUndefined(brokenLaw(text))
    })
  }

  it("has its mark there beside others, which make it one of the page", () => {
    for (const other of [mark, "[^1]", explained, "[ID](#user-content-fn-1)[^1]"]) {
      const isHtml = other.startsWith("<")
      const text = `${places["a summary"]!(isHtml ? other + explained : explained)}\n\na ${isHtml ? "" : other}${footnote}`
      const { document } = parse(text)
      const marks = typesIn(document).filter((type) => type.startsWith("footnote"))
      assert.deepStrictEqual(marks, ["footnote-reference", "footnote-reference", "footnote-definition"])
      assert.isUndefined(brokenLaw(text))
    }
  })

  it("is a link where the page has no such footnote, and text where none is written", () => {
    const { document } = parse(places["a summary"]!(explained + mark))
    assert.deepStrictEqual(typesIn(document), ["link", "link"])
    const { document: whole } = parse(places["a summary"]!(mark) + footnote)
    const alone = { ...whole, nodes: whole.nodes.slice(0, 1) }
    assert.strictEqual(Markdown.print(alone), `${places["a summary"]!("[^1]")}\n`)
  })

  it("stays on the page where the HTML around its text stays HTML", () => {
    const text = `<section>${explained}</section>${footnote}`
    assert.deepStrictEqual(typesIn(parse(text).document), ["footnote-definition"])
    assert.isUndefined(brokenLaw(text))
  })

  it("explains text that is written as its mark would be", () => {
    const text = places["a summary"]!(mark.replace("[", "&#91;")) + footnote
    assert.deepStrictEqual(typesIn(parse(text).document), ["annotation"])
    assert.isUndefined(brokenLaw(text))
  })

  it("of an annotation that was made elsewhere comes back", () => {
    const { document } = parse(`[ID](#user-content-fn-1)[^1] and [^2]\n\n[^1]: A.\n\n[^2]: B.\n`)
    const [text, other] = document.nodes
    const caption = [{ object: "fragment", fragment: "caption", nodes: [text!] }] as const
    const image = {
      object: "block",
      type: "image",
      key: "i",
      data: { ref: { kind: "file", file: "f" } },
      fragments: caption
    } as const
    const images = {
      object: "block",
      type: "images",
      key: "s",
      data: {},
      isVoid: false,
      nodes: [{ ...image, isVoid: true }]
    } as const
    const made = { ...document, nodes: [images, other!] }
    assert.deepStrictEqual(shape(parse(Markdown.print(made)).document), shape(made))
  })

  it("keeps the laws of Markdown beside whatever stands there", () => {
    const other = explained.replace("fn-1", "fn-2")
    const parts = ["a", "<strong>", "</strong>", '<a href="x">', "</a>", "[^1]", "<br>", explained, mark, other]
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(""))
    const end = fc.constantFrom("", footnote, `${footnote}\n[^2]: [^1]\n`, `${footnote}\n[^2]: ${explained}\n`)
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.values(places)), end, (inside, around, after) => {
        assert.isUndefined(brokenLaw(around(inside) + after))
      }),
      runs(30, 5_000)
    )
  })
})
