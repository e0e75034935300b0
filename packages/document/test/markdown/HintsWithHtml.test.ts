/** Hints between colons hold HTML as everything else does: a pair of tags that is whole in one does not end it. */
import { assert, describe, it } from "@effect/vitest"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Block } from "@lectern/document/Document"

const parse = (text: string) => {
  let keys = 0
  return Markdown.parse(text, { nextKey: () => `k${keys++}`, resolve: () => undefined }).document
}

const types = (blocks: ReadonlyArray<Block>): ReadonlyArray<unknown> =>
  blocks.map(({ type, nodes = [] }) => {
    const inner = nodes.flatMap((node) => (node.object === "block" ? [node] : []))
    return inner.length === 0 ? type : [type, ...types(inner)]
  })

describe("hints between colons", () => {
  for (const [body, inner] of [
    ["<details>\n<summary>S</summary>\n\nBody\n\n</details>", ["expandable"]],
    [
      "Text\n\n<details>\n\n<summary>S</summary>\n\nBody\n\n</details>\n\nmore",
      ["paragraph", "expandable", "paragraph"]
    ],
    ["<details><summary>S</summary>Body</details>", ["html"]],
    ["<summary>S</summary>", ["html"]],
    ["<p>Hello</p>", ["html"]],
    ["<!-- c -->", ["html"]]
  ] as const) {
    it(`hold ${JSON.stringify(body)}`, () => {
      const document = parse(`:::note\n${body}\n:::\n`)
      assert.deepStrictEqual(types(document.nodes), [["hint", ...inner]])
      const printed = Markdown.print(document)
      assert.deepStrictEqual(types(parse(printed).nodes), [["hint", ...inner]])
    })
  }

  it("are text where a tag in them is left over, which one around them could be read with", () => {
    for (const body of ["<details>", "</details>", "<details>\n<summary>S</summary>\n\nBody", "{% endtab %}"]) {
      const [first] = parse(`:::note\n${body}\n\n:::\n`).nodes
      assert.strictEqual(first?.type, "paragraph", body)
    }
    const around = "<details>\n<summary>S</summary>\n\n:::note\n\n</details>\n\n:::\n"
    assert.deepStrictEqual(types(parse(around).nodes), ["expandable", "paragraph"])
  })
})
