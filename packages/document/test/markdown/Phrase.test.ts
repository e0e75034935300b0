/** Short texts that others wrote as Markdown. */
import { assert, describe, it } from "@effect/vitest"
import type { Inline, Node, Text } from "../../src/Document.ts"
import * as Phrase from "../../src/markdown/Phrase.ts"

const told = (nodes: ReadonlyArray<Node>): ReadonlyArray<unknown> =>
  nodes.flatMap((node: Inline | Text | Node) =>
    node.object === "text"
      ? node.leaves.map(({ text, marks }) => [text, ...marks.map(({ type }) => type)])
      : [[node.type, ...told(node.nodes ?? [])]]
  )

describe("A phrase", () => {
  it("is text with its marks, and links", () => {
    assert.deepStrictEqual(told(Phrase.parse("A `code`, **bold** and *other*")), [
      ["A "],
      ["code", "code"],
      [", "],
      ["bold", "bold"],
      [" and "],
      ["other", "italic"]
    ])
    const linked = Phrase.parse("See [the `id`](https://example.com)")
    assert.deepStrictEqual(told(linked), [["See "], ["link", ["the "], ["id", "code"]]])
    assert.deepStrictEqual(told(Phrase.withoutLinks(linked)), [["See "], ["the "], ["id", "code"]])
  })

  it("is text as it stands where it says anything else", () => {
    for (const text of [
      "Plain, with a word",
      "Of <id> or <b>it</b>",
      "![a](https://example.com/a.png)",
      "- one",
      "1. one",
      "# Title",
      "---",
      "> said",
      "{% hint %}",
      "    code",
      ":smile:",
      "a | b"
    ])
      assert.deepStrictEqual(told(Phrase.parse(text)), [[text]], text)
    assert.deepStrictEqual(Phrase.parse(""), [])
  })
})
