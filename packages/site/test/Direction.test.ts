/** Tests blocks whose text direction differs from the direction of the page. */
import { assert, describe, it } from "@effect/vitest"
import * as Blocks from "../src/document/Blocks.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"
import { documentOf, parts } from "./Drawing.ts"

const drawn = (markdown: string, language: string) =>
  Blocks.renderPage({ ...parts, messages: LocalizedMessages.messagesFor("en", language) }, documentOf(markdown).nodes)
    .text

const arabic = "مرحبا بالعالم"
const english = "Hello world"

describe("the direction of blocks", () => {
  for (const [name, markdown, tag] of [
    ["a paragraph", (text: string) => text, "p"],
    ["a paragraph that begins with a mark", (text: string) => `**${text}** 1`, "p"],
    ["a paragraph that begins with code and digits", (text: string) => `\`npm i\` 12: ${text}`, "p"],
    ["a heading", (text: string) => `## ${text}`, "h2"],
    ["a list", (text: string) => `- ${text}\n- ${text}`, "ul"],
    ["a list with numbers", (text: string) => `1. ${text}`, "ol"],
    ["a quote", (text: string) => `> ${text}`, "blockquote"]
  ] as const) {
    it(`is that of their text where the page has another: ${name}`, () => {
      const element = (attributes: string) => new RegExp(`<${tag}(?: id="[^"]*")?${attributes}>`)
      assert.match(drawn(markdown(arabic), "en"), element(' dir="(?:auto|rtl)"'))
      assert.match(drawn(markdown(english), "fa"), element(' dir="auto"'))
      assert.match(drawn(markdown(english), "en"), element(""))
      assert.match(drawn(markdown(arabic), "fa"), element(""))
    })
  }

  it("is that of the page where the text has no letters", () => {
    for (const language of ["en", "fa"]) assert.match(drawn("1 + 2 = 3 🙂", language), /<p>/)
  })
})
