import { assert, describe, it } from "@effect/vitest"
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { reprintBlocks, type ParsedSource } from "@lectern/document/markdown/Reprint"
import * as ReprintTable from "@lectern/document/markdown/ReprintTable"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as Syntax from "@lectern/document/markdown/Syntax"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { keys } from "./laws.ts"

const writtenAs = (text: string): ParsedSource => {
  const ranges = new Map<Block, TextRange>()
  const { document } = Markdown.parse(text, {
    nextKey: keys(),
    onBlock: (block, range) => void ranges.set(block, range)
  })
  return { text: Syntax.normalizeText(text), from: 0, nodes: document.nodes, ranges }
}

let others = 0
const read = (text: string) => Markdown.parse(text, { nextKey: () => `other${others++}` }).document.nodes
const print = (nodes: ReadonlyArray<Block>, hasHtmlTables = false) =>
  Markdown.print({ object: "document", data: {}, nodes }, { hasHtmlTables })

const piece = fc.constantFrom(
  "a paragraph\nof two lines",
  "Title\n=====",
  "## Heading #",
  "- one\n- two\n    - three",
  "* \n* a\n*   ",
  "1) one\n2) two",
  "- [ ] open\n- [x] done",
  "> quoted\nlazy",
  "| a|b |\n|--|--|\n|c|  d|",
  "~~~ js\ncode\n\nmore\n~~~",
  "{% hint style='info' %}\n\n{% endhint %}",
  "{% hint style='info' %}\n  Some\n\n  text\n{% endhint %}",
  '{% tabs %}\n{% tab title="A" %}\n- x\n{% endtab %}\n{% tab title="B" %}\ny\n{% endtab %}\n{% endtabs %}',
  "<details>\n<summary>S</summary>\nbody\n</details>",
  "<pre><code><strong>a\n</strong>b</code></pre>",
  "![a](b.png)",
  "***",
  "[x]: https://example.com",
  "A [x] and[^n]",
  "[^n]: Note",
  "<table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td> <p>b</p>\n<p>c</p> </td></tr>\n</tbody></table>",
  "| a |\n|---|\n| <p>b <strong>c</strong></p><ul><li>d</li></ul> |",
  ":::note Some *title*\ntext\n\n- a\n:::",
  '!!! note "Some *title*"\n    text\n\n    - a',
  "??? tip\n    text",
  "> [!faq]- Some *title*\n> text\n>\n> - a",
  '=== "Some *title*"\n    text\n\n    - a\n\n=== "Other"\n\n    text',
  "text\n{: .note }",
  "{: .warning-title }\n> Title\n>\n> text",
  "## Own\n{: #id .wide }",
  "![a](b){: width=20 }\n{: .wide }",
  ":::tip[Title]\n\n:::danger\nx\n:::\n:::",
  "<div>\n",
  "`` ` ``  \n\\*",
  "{% unknown %}"
)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom("\n", "\n\n", "\n\n\n", "\n \n")))
  .map((parts) => parts.flat().join(""))

const tables = {
  header:
    '<table>\n  <thead>\n    <tr>\n      <th style="text-align:left"><b>Key</b>\n      </th>\n      <th>Text</th>\n    </tr>\n  </thead>\n  <tbody>',
  first:
    '\n    <tr>\n      <td style="text-align:left">one</td>\n      <td>\n        <p>Some</p>\n        <p>text</p>\n      </td>\n    </tr>',
  second: "\n    <tr>\n      <td>two</td><td>More</td>\n    </tr>",
  end: "\n  </tbody>\n</table>"
}

describe("a table in HTML", () => {
  const { end, first, header, second } = tables
  const cases: ReadonlyArray<readonly [name: string, before: string, after: string]> = [
    ["a cell", header + first + second + end, header + first.replace("Some", "Other") + second + end],
    ["a title", header + first + second + end, header.replace("Text", "Words") + first + second + end],
    ["a row less", header + first + second + end, header + second + end],
    [
      "a cell of a table without attributes",
      "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n",
      "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>\n"
    ]
  ]
  for (const [name, before, after] of cases) {
    it(`changes by what was edited: ${name}`, () => {
      const result = reprintBlocks(writtenAs(before), read(after), print)!
      assert.strictEqual(result.replace("<p>Other</p><p>text</p>", "<p>Other</p>\n        <p>text</p>"), after)
    })
  }

  it("takes no longer for white space in a cell than for many letters", () => {
    const table = (cell: string) =>
      `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>`
    const cost = (inside: string, times: number) => {
      const written = table(`b${inside}b`)
      const before = process.cpuUsage()
      for (let i = 0; i < times; i++)
        ReprintTable.reprintTable(written, table("b b"), table("b c"), (_, __, after) => after)
      const { system, user } = process.cpuUsage(before)
      return system + user
    }
    const letters = cost("b".repeat(100_000), 100)
    assert.isBelow(cost(" ".repeat(100_000), 1), letters)
  })
})

describe("Reprint", () => {
  it("gives what did not change as it was", () =>
    fc.assert(
      fc.property(text, (text) => {
        const written = writtenAs(text)
        if (written.nodes.length === 0) return
        assert.strictEqual(reprintBlocks(written, read(text), print), text)
      }),
      runs(200, 5_000)
    ))

  it("gives something for any blocks, and of a page that got one more at its end all that was there", () =>
    fc.assert(
      fc.property(text, text, (text, other) => {
        const written = writtenAs(text)
        const after = read(other)
        const result = reprintBlocks(written, after, print)
        assert.strictEqual(result === undefined, written.nodes.length === 0 || after.length === 0)
        if (written.nodes.length === 0) return
        const last = read("The last")
        const longer = reprintBlocks(written, [...read(text), ...last], print)!
        const end = written.ranges.get(written.nodes.at(-1)!)!.to
        assert.isTrue(longer.startsWith(written.text.slice(0, end)))
        assert.include(longer.slice(end), "The last")
      }),
      runs(200, 5_000)
    ))
})
