/** The work that it takes to find how a page is written that its file can't be edited to say. */
import { assert, describe, it } from "@effect/vitest"
import * as PageTextUpdate from "@lectern/exchange/export/PageTextUpdate"
import * as RoundTrip from "@lectern/exchange/export/RoundTrip"
import type { Block, Document } from "@lectern/document/Document"
import { urlsOfPage } from "./EditedText.ts"

/** Urls that count how often the one link of a page was read. */
const counting = () => {
  const urls = urlsOfPage()
  let reads = 0
  const resolve = urls.resolve.bind(urls)
  urls.resolve = (url, from) => {
    reads++
    return resolve(url, from)
  }
  return { urls, reads: () => reads }
}

/** The mark of a footnote that there is not, in quotes of which each has a text. */
const mark = (depth: number): Block => ({
  object: "block",
  type: depth === 0 ? "paragraph" : "blockquote",
  key: `mark ${depth}`,
  nodes:
    depth === 0
      ? [{ object: "inline", type: "footnote-reference", data: { label: "none" }, isVoid: true }]
      : [mark(depth - 1)]
})

describe("a page that no Markdown says", () => {
  it("is read back as often as its length allows", () => {
    const { reads, urls } = counting()
    const text = "# Page\n\nA  [link](https://a.b) __here__\n\n- *one*\n"
    const empty: Document = { object: "document", data: {}, nodes: [] }
    const page = { path: "page.md", listedTitle: "Page", title: "Page", urls }
    const { document, metadata, title } = RoundTrip.reparse({ ...page, metadata: {}, document: empty }, text)
    const fields = Object.fromEntries(Object.entries(metadata).filter(([, field]) => field !== undefined))
    const nodes = [...document.nodes, mark(8)]
    const source = { ...page, title, metadata: fields, document: { ...document, nodes } } as RoundTrip.ExportSource
    const readsFor = (maxText: number) => {
      const before = reads()
      assert.isUndefined(PageTextUpdate.write(source, { text }, maxText))
      return reads() - before
    }
    // Four times the length are always allowed.
    assert.strictEqual(readsFor(0), readsFor(4 * text.length))
    assert.isBelow(readsFor(4 * text.length), readsFor(5 * text.length))
    assert.isAbove(readsFor(100 * text.length), 2 * readsFor(0))
  })
})
