/** Tests that HTML trees are read in linear time at any depth, by counting reads of text. */
import { assert, describe, it } from "@effect/vitest"
import type { Element, ElementContent, Root } from "hast"
import * as CodeText from "../src/source/CodeText.ts"
import * as MainContent from "../src/source/MainContent.ts"

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

describe("large HTML", () => {
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
      MainContent.of(root, () => undefined),
      element
    )
    assert.isAtMost(count.reads, 5 * depth)
  })
})
