/** Tests that hidden text of a Word document is not in the imported page. */
import { assert, describe, it } from "@effect/vitest"
import * as HiddenText from "../src/source/HiddenText.ts"
import * as WordDocument from "../src/source/WordDocument.ts"
import { docxOf } from "./ZipFiles.ts"

const run = (text: string, properties = "") =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (runs: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${runs}</w:p>`

const styles = [
  `<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>`,
  `<w:style w:type="character" w:styleId="Below"><w:name w:val="Below"/><w:basedOn w:val="Secret"/></w:style>`,
  `<w:style w:type="character" w:styleId="Shown"><w:name w:val="Shown"/><w:basedOn w:val="Secret"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>`,
  `<w:style w:type="paragraph" w:styleId="Hidden"><w:name w:val="Hidden"/><w:rPr><w:b/><w:vanish/></w:rPr></w:style>`,
  `<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>`
].join("")

const markdownOf = async (body: string) => (await WordDocument.read(docxOf(body, styles), { embedded: "e" })).markdown

describe("Hidden text of Word", () => {
  it("goes where it is hidden in place, by a style of its own or of its paragraph, or by what these are based on", async () => {
    const hidden = [
      paragraph(run("Plain ") + run("secret1", "<w:vanish/>") + run("words")),
      paragraph(run("secret2", `<w:vanish w:val="true"/>`) + run(" and ") + run("shown1", `<w:vanish w:val="0"/>`)),
      paragraph(run("secret3", `<w:rStyle w:val="Secret"/>`) + run("secret4", `<w:rStyle w:val="Below"/><w:b/>`)),
      paragraph(run("shown2", `<w:rStyle w:val="Shown"/>`)),
      paragraph(run("secret5") + run("shown3", `<w:vanish w:val="off"/>`), "Hidden"),
      paragraph(run("shown4"), "Loop"),
      `<w:tbl><w:tr><w:tc>${paragraph(run("shown5") + run("secret6", "<w:b/><w:vanish/>"))}</w:tc></w:tr></w:tbl>`
    ].join("")
    const markdown = await markdownOf(hidden)
    assert.notInclude(markdown, "secret")
    for (let i = 1; i <= 5; i++) assert.include(markdown, `shown${i}`)
    assert.include(markdown, "Plain words")
  })

  it("is known by the namespace, whatever prefix that has", () => {
    const xml = `<x:p xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><x:r><x:rPr><x:vanish/></x:rPr><x:t>secret</x:t></x:r><x:r><x:t>a &lt; b</x:t></x:r></x:p>`
    const shown = HiddenText.withoutHidden(xml, new Set())
    assert.notInclude(shown, "secret")
    assert.include(shown, "<x:r><x:t>a &lt; b</x:t></x:r></x:p>")
  })

  it("is the same text where nothing is hidden", () => {
    const xml = `<w:p>${run("a")}</w:p>`
    assert.strictEqual(HiddenText.withoutHidden(xml, new Set()), xml)
  })
})
