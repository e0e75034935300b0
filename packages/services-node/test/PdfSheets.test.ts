/** Sheets of a PDF: a page without a text shares its sheet with the next page. */
import { assert, describe, it } from "@effect/vitest"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { writeBook } from "@lectern/services-node/pdf/BookWriter"
import { readPdf } from "./PdfReading.ts"

interface Page {
  readonly title: string
  /** Undefined: a group. */
  readonly text?: string
  readonly depth?: number
}

const sheetsOf = async (pages: ReadonlyArray<Page>) => {
  let key = 0
  const head = {
    title: "Handbook",
    revision: "r",
    date: "2026-01-02T03:04:05.000Z" as Timestamp,
    pages: pages.map(({ title, text, depth = 0 }, i) => {
      const type = text === undefined ? ("group" as const) : ("document" as const)
      return { id: `p${i}`, type, title, depth }
    })
  }
  const read = await readPdf(
    await writeBook(head, {
      document: async (id) =>
        Markdown.parse(pages[Number(id.slice(1))]!.text!, { nextKey: () => `k${key++}` }).document,
      file: async () => undefined
    })
  )
  // Below the running head, without the number of the sheet.
  return { ...read, sheets: read.pages.slice(2).map((text) => text.split("\n").slice(1, -1)) }
}

describe("Sheets of a PDF", () => {
  it("begin with each page, but below a page or group without a text", async () => {
    const { sheets, pages, outline } = await sheetsOf([
      { title: "Guides" },
      { title: "First steps", text: "", depth: 1 },
      { title: "Install", text: "Run it.", depth: 2 },
      { title: "Update", text: "Run it again.", depth: 2 },
      { title: "End", text: "" }
    ])
    assert.deepStrictEqual(sheets, [
      ["Guides", "First steps", "Install", "Run it."],
      ["Update", "Run it again."],
      ["End"]
    ])
    // The contents have the sheet of each page.
    assert.match(pages[1]!, /Guides ?3\n.*First steps ?3\n.*Install ?3\n.*Update ?4\n.*End ?5/s)
    assert.deepStrictEqual(
      outline.map(({ title, items }) => [title, items.length]),
      [
        ["Guides", 1],
        ["End", 0]
      ]
    )
  })

  it("are as many as the titles need where no page has a text", async () => {
    const { pages } = await sheetsOf(Array.from({ length: 60 }, (_, i) => ({ title: `Title ${i}`, text: "" })))
    assert.isBelow(pages.length, 12)
    assert.include(pages.at(-1)!, "Title 59")
  })

  it("join lines of Chinese and Japanese across links, and no others", async () => {
    const text = "これは\n[並行処理](https://example.com)\nです。See\n[this](https://example.com)\npage."
    const { pages } = await sheetsOf([{ title: "Lines", text }])
    assert.include(pages.join("\n").replace(/ /g, "·"), "これは並行処理です。See·this·page.")
  })
})
