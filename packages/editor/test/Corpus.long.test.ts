/** Real documentation stays the same in the editor, and all of it can be edited. The corpus is not part of the project. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { editOf, sourceOf } from "@lectern/editor/raw/MarkdownSource"
import { keys, parse } from "../../document/test/markdown/laws.ts"
import { canonicalDocument, opaqueBlocks } from "./Documents.ts"

const corpus = new URL("../../../../shared/corpus/", import.meta.url).pathname
const isThere = existsSync(corpus)
if (!isThere) console.warn("SKIPPED: real pages in the editor, as ../shared/corpus is absent")

describe.skipIf(!isThere)("Real documentation in the editor", () => {
  it("stays the same, and no block is opaque", () => {
    const pages = globSync(`${corpus}{brighter,adobe-aep}/**/*.md`).sort()
    assert.isAbove(pages.length, 400)
    for (const page of pages) {
      const { document } = parse(readFileSync(page, "utf8"))
      const node = documentNode(document)
      node.check()
      assert.deepStrictEqual(documentOf(node, document.data), canonicalDocument(document), page)
      assert.deepStrictEqual(opaqueBlocks(node), [], page)
    }
  })

  it("stays the same as raw Markdown and back", () => {
    const nextKey = keys()
    const pages = globSync(`${corpus}{brighter,adobe-aep}/**/*.md`).sort()
    for (const [i, page] of pages.entries()) {
      const root = documentNode(parse(readFileSync(page, "utf8")).document)
      const document = documentOf(root, {})
      const { text } = sourceOf(document, root, nextKey)
      // Some pages go there and back many times.
      for (let times = i % 20 === 0 ? 50 : 1; times > 0; times--) {
        assert.deepStrictEqual(editOf(text, document, document, nextKey).document, document, page)
        assert.strictEqual(sourceOf(document, root, nextKey).text, text)
      }
    }
  })
})
