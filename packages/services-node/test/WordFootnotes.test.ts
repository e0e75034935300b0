/** Tests that notes of a Word document become footnotes of the imported page. */
import { assert, describe, it } from "@effect/vitest"
import * as HtmlPage from "../src/source/HtmlPage.ts"

const markdownOf = (html: string) => HtmlPage.readWordHtml(html, { embedded: "e" }, []).markdown

const mark = (kind: string, n: number) => `<sup><a href="#${kind}-${n}" id="${kind}-ref-${n}">[${n}]</a></sup>`
const note = (kind: string, n: number, text: string) =>
  `<li id="${kind}-${n}"><p>${text} <a href="#${kind}-ref-${n}">↑</a></p></li>`

describe("Footnotes of Word", () => {
  it("have their marks and their texts, and no HTML", () => {
    const markdown = markdownOf(
      `<p>One${mark("footnote", 1)} and two${mark("footnote", 2)}, at the end${mark("endnote", 1)}.</p><ol>${note("footnote", 1, "The <strong>first</strong>.")}${note("footnote", 2, "The second.")}${note("endnote", 1, "The end.")}</ol>`
    )
    assert.strictEqual(
      markdown,
      "One[^1] and two[^2], at the end[^e1].\n\n[^1]: The **first**.\n\n[^2]: The second.\n\n[^e1]: The end.\n"
    )
  })

  it("stay what they are where a note has no mark", () => {
    const markdown = markdownOf(`<p>One.</p><ol><li id="footnote-1"><p>An item</p></li></ol>`)
    assert.include(markdown, "1. An item")
  })
})
