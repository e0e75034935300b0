/** Tests that the export of a page from MDX keeps the bytes of its file, and of all that an edit does not change. */
import { assert, describe, it } from "@effect/vitest"
import { isAligned } from "@lectern/document/alignment/DocumentAlignment"
import type { Document } from "@lectern/document/Document"
import type { Metadata } from "@lectern/exchange/export/PageMetadata"
import * as PageTextUpdate from "@lectern/exchange/export/PageTextUpdate"
import * as RoundTrip from "@lectern/exchange/export/RoundTrip"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { urlsOfPage } from "./EditedText.ts"
import { page } from "./RandomMdx.ts"

const urls = urlsOfPage()

const pageOf = (text: string): RoundTrip.ExportSource => {
  const source = { path: "page.mdx", listedTitle: "Page", importedListedTitle: "Page", urls }
  const empty: Document = { object: "document", data: {}, nodes: [] }
  const read = RoundTrip.reparse({ ...source, title: "Page", metadata: {}, document: empty }, text)
  const fields = Object.entries(read.metadata).filter(([, field]) => field !== undefined)
  return { ...source, title: read.title, metadata: Object.fromEntries(fields) as Metadata, document: read.document }
}

/** Replaces one word of the page. Undefined for a page without the word. */
const edited = ({ document }: RoundTrip.ExportSource, number: number): Document | undefined => {
  const json = JSON.stringify(document)
  const count = json.split('"text":"Some ').length - 1
  if (count === 0) return undefined
  let occurrence = 0
  const isEdited = () => occurrence++ === number % count
  const result = json.replace(/"text":"Some /g, (match) => (isEdited() ? '"text":"Edited {word} ' : match))
  return JSON.parse(result) as Document
}

const source = (text: string) => ({ text })

/** Parts of a file whose edit changes one word of the file. */
const words: ReadonlyArray<readonly [name: string, text: string]> = [
  ["the title of a step", '<Steps>\n<Step title="Old">\nOne\n</Step>\n</Steps>\n'],
  ["the title of a tab", '<Tabs>\n  <Tab title="Old">\n    One\n  </Tab>\n</Tabs>\n'],
  ["the title of an expandable block", '<Accordion title="Old">\n  One\n</Accordion>\n'],
  ["the text of a card", '<CardGroup>\n  <Card title="One" href="/a">\n    Old\n  </Card>\n</CardGroup>\n'],
  ["code with braces and a title", '```js title="a.js"\nfunction Old() {\n  return `${b}`\n}\n```\n'],
  [
    "text next to an element of several lines",
    'Old\n\n<div>\n  <iframe\n    src="https://a.b"\n  ></iframe>\n</div>\n'
  ],
  ["text in a list in a component", "<Note>\n    1. One\n\n       Old {two}\n</Note>\n"]
]

describe("the export of a page from MDX", () => {
  for (const [name, text] of words) {
    it(`changes ${name}`, () => {
      const page = pageOf(text)
      const document = JSON.parse(JSON.stringify(page.document).replace("Old", "New")) as Document
      assert.strictEqual(PageTextUpdate.write({ ...page, document }, source(text)), text.replace("Old", "New"))
    })
  }

  it("is the file, if nothing changed", () =>
    fc.assert(
      fc.property(page, fc.constantFrom("\n", "\r\n"), (text, lineEnd) => {
        const file = text.replaceAll("\n", lineEnd)
        assert.strictEqual(PageTextUpdate.write(pageOf(file), source(file)), file)
      }),
      runs(100, 3_000)
    ))

  it("keeps tags, statements and expressions of an edited page, and reads as the edit", () =>
    fc.assert(
      fc.property(page, fc.nat(100), (text, number) => {
        const before = pageOf(text)
        const document = edited(before, number)
        fc.pre(document !== undefined)
        const after = PageTextUpdate.write({ ...before, document: document! }, source(text))
        assert.isDefined(after, text)
        const again = RoundTrip.reparse({ ...before, document: document! }, after!).document
        assert.isTrue(isAligned(document!, again), `${text}\n--- as ---\n${after}`)
        const lines = new Set(after!.split("\n"))
        const missing = text.split("\n").filter((line) => /^\s*(?:<|\{|import|export)/.test(line) && !lines.has(line))
        assert.deepStrictEqual(missing, [], `${text}\n--- as ---\n${after}`)
      }),
      runs(100, 3_000)
    ))
})
