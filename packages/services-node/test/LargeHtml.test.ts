/** Tests that HTML trees are read in linear time at any depth, by counting reads of text. */
import { assert, describe, it } from "@effect/vitest"
import type { Element, ElementContent, Root } from "hast"
import * as CodeText from "../src/source/CodeText.ts"
import * as HtmlPage from "../src/source/HtmlPage.ts"
import * as MainContent from "../src/source/MainContent.ts"
import * as PageTree from "../src/source/PageTree.ts"
import * as Readable from "../src/source/Readable.ts"

const words = "A text of more than forty characters in all of the elements. "

/** Returns nested elements with text, and a counter of reads of one of the texts. */
const nested = (tagName: string, depth: number) => {
  const count = { reads: 0 }
  const text = (): ElementContent => ({
    type: "text",
    get value() {
      count.reads++
      return words
    }
  })
  let inner: Element = { type: "element", tagName, properties: {}, children: [text()] }
  for (let n = 1; n < depth; n++) inner = { type: "element", tagName, properties: {}, children: [text(), inner] }
  return { element: inner, count }
}

const depth = 500

const read = (html: string) =>
  HtmlPage.read(new TextEncoder().encode(html), { url: "https://docs.example.com/a", embedded: "e" }).markdown

describe("large HTML", () => {
  it("has its text read at any depth, without an error", () => {
    for (const tag of [
      "<div>",
      "<b>",
      "<b><p>",
      "<ul><li>",
      "<blockquote>",
      "<table><tr><td>",
      "<dl><dd>",
      "<details>"
    ]) {
      assert.include(read(`${tag.repeat(20_000)}Deep`), "Deep", tag)
    }
  })

  it("has lists and quotes nested 20 deep at most, so that what is printed is not much larger than the page", () => {
    const lines = "<p>a".repeat(2_000)
    for (const tag of ["<ul><li>", "<blockquote>", "<ol><li>"]) {
      const html = tag.repeat(60) + lines
      assert.isAtMost(read(html).length, 2_000 * 100, tag)
    }
  })

  it("fails where its Markdown is larger than a page may be", () => {
    const html = `${"<blockquote>".repeat(20)}${"<p>a".repeat(120_000)}`
    assert.throws(() => read(html), /more than 4 MiB as Markdown/)
  })

  it("is not asked for a main part by Readability where it has too many elements or too deep ones", () => {
    // The HTML, which is not that of the trees, would have a main part.
    const html = `<html><body><article>${"<p>Some text of a page, and more, and a comma.</p>".repeat(50)}</article></body></html>`
    assert.isDefined(Readable.read(html, PageTree.parse(html)))
    for (const large of ["<p>a".repeat(20_001), "<div>".repeat(200)]) {
      assert.isUndefined(Readable.read(html, PageTree.parse(large)))
    }
  })

  it("has code read once for all elements around it", () => {
    const { element, count } = nested("span", depth)
    const code = CodeText.codeOf({ type: "element", tagName: "pre", properties: {}, children: [element] })
    assert.strictEqual(code, words.repeat(depth).trimEnd())
    assert.isAtMost(count.reads, 2 * depth)
  })

  it("puts a line feed behind each element that is a line", () => {
    const line = (text: string): Element => ({
      type: "element",
      tagName: "div",
      properties: {},
      children: [
        { type: "text", value: text },
        { type: "text", value: "" }
      ]
    })
    const children = [line("a"), line("b\n"), line(""), line("c")]
    assert.strictEqual(CodeText.codeOf({ type: "element", tagName: "pre", properties: {}, children }), "a\nb\nc")
  })

  it("has its main part found by reading each text a few times", () => {
    const { element, count } = nested("main", depth)
    const root: Root = { type: "root", children: [element] }
    assert.strictEqual(
      MainContent.mainContentOf(root, () => undefined),
      element
    )
    assert.isAtMost(count.reads, 5 * depth)
  })
})
