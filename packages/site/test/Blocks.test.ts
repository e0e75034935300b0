import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import type { Block } from "@lectern/document/Document"
import { assert, describe, it } from "@effect/vitest"
import * as Blocks from "../src/document/Blocks.ts"
import { documentOf, parts } from "./Drawing.ts"

const drawn = (nodes: ReadonlyArray<Block>) => Blocks.createBlockRenderer(parts).blocks(nodes).text
const ofMarkdown = (markdown: string) => drawn(documentOf(markdown).nodes)

describe("Blocks", () => {
  for (const type of Object.keys(blockTypes)) {
    it(`draws ${type} whatever is missing in it, and nothing that runs`, () => {
      const hostile = `"><img src=x onerror=alert(1)>`
      for (const data of [
        undefined,
        { ref: { kind: "url", url: "javascript:alert(1)" }, title: hostile, style: hostile }
      ]) {
        const text = drawn([{ object: "block", type, key: hostile, ...(data && { data }), nodes: [] }])
        assert.notMatch(text, /<img src=x|href="javascript/)
      }
    })
  }

  it("draws Markdown", () => {
    assert.strictEqual(
      ofMarkdown("Some *words*, a [link](https://example.com) and\n\n- one\n- two\n"),
      `<p>Some <em>words</em>, a <a href="https://example.com/">link</a> and</p><ul><li>one</li><li>two</li></ul>`
    )
  })

  it("keeps the title of what opens in one piece, which stands in a row with its sign", () =>
    assert.include(
      ofMarkdown(
        '<details>\n\n<summary>Do I need a <a href="https://example.com">key</a>?</summary>\n\nNo.\n\n</details>\n'
      ),
      `<summary><span>Do I need a <a href="https://example.com/">key</a>?</span></summary>`
    ))

  it("has a heading for each column that is named, and no head where none is", () => {
    const some = ofMarkdown("| | Price | **Note** |\n| :-: | --- | --- |\n| Small | 1 | x |\n")
    assert.include(
      some,
      `<thead><tr><td class="align-center"></td><th scope="col">Price</th><th scope="col"><strong>Note</strong></th></tr></thead>`
    )
    const none = ofMarkdown("| | |\n| --- | --- |\n| Small | 1 |\n")
    assert.notInclude(none, "<thead>")
    assert.include(none, "<tbody><tr><td>Small</td><td>1</td></tr></tbody>")
  })

  it("has the widths of columns without inline styles", () => {
    const row = "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>\n"
    assert.include(
      ofMarkdown(`<table><thead><tr><th width="120.4">A</th><th>B</th></tr></thead>${row}`),
      `<table><colgroup><col width="120"><col></colgroup><thead>`
    )
    const extreme = ofMarkdown(`<table><thead><tr><th width="0">A</th><th width="999999">B</th></tr></thead>${row}`)
    assert.include(extreme, "<table><thead>")
  })
})
