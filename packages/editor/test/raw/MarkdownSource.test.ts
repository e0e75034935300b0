/** The document as raw Markdown and back: nothing changes that was not edited, neither in the document nor in the text. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Document } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { editOf, sourceOf } from "@lectern/editor/raw/MarkdownSource"
import { Result } from "effect"
import { runs } from "../../../core/test/Runs.ts"
import { keys, parse } from "../../../document/test/markdown/laws.ts"
import { randomDocument } from "../../../document/test/merge/RandomDocuments.ts"
import { canonicalDocument } from "../Documents.ts"

/** Opens a document in the editor: the document that it has there, and its root. */
const opened = (document: Document) => {
  const root = documentNode(document)
  return { document: documentOf(root, document.data), root }
}

/** Returns keys that no document of the tests has. */
const newKeys = () => {
  let last = 0
  return () => `new${++last}`
}

const styled = "Title\n=====\n\n- one\n- two\n\n\n__bold__ *text*\n\n~~~js\na()\n~~~\n"

describe("Raw Markdown", () => {
  it("is there and back 50 times without a change, with blocks of every type", () => {
    const nextKey = newKeys()
    fc.assert(
      fc.property(randomDocument, (random) => {
        let { document, root } = opened(canonicalDocument(Result.getOrThrow(normalizeDocument(random, keys()))))
        const first = document
        const { text } = sourceOf(document, root, nextKey)
        for (let i = 0; i < (document.nodes.length < 3 ? 50 : 3); i++) {
          const source = sourceOf(document, root, nextKey)
          assert.strictEqual(source.text, text)
          ;({ document, root } = opened(editOf(text, document, document, nextKey).document))
        }
        assert.deepStrictEqual(document, first)
      }),
      runs(10)
    )
  })

  it("keeps the keys and the text of all blocks that were not edited", () => {
    const nextKey = newKeys()
    const base = opened(parse(styled).document)
    // The writer types the whole text, in a style of their own.
    const typed = editOf(styled, base.document, base.document, nextKey)
    assert.strictEqual(typed.document, base.document)
    const source = typed.source(base.root)
    assert.strictEqual(source.text, styled)
    // Then another person edits a block.
    const [first, ...others] = base.document.nodes
    const merged = { ...base.document, nodes: [first!, ...parse("New *one*\n").document.nodes, ...others] }
    const node = documentNode(merged)
    const root = node.copy(node.content.replaceChild(0, base.root.child(0)))
    const kept = root.children.map((child) => base.root.children.find((each) => each.eq(child)) ?? child)
    const next = base.root.copy(base.root.content).type.create(null, kept)
    const after = sourceOf(documentOf(next, merged.data), next, nextKey, source)
    assert.strictEqual(after.text, styled.replace("\n\n- one", "\n\nNew _one_\n\n- one"))
  })

  it("gives blocks their keys back when the text was incomplete for a while", () => {
    const nextKey = newKeys()
    const { document } = opened(parse("One\n\nTwo\n\nThree\n").document)
    const broken = editOf("One\n\n```\nNew\n\nTwo\n\nThree\n", document, document, nextKey).document
    assert.strictEqual(broken.nodes.length, 2)
    const whole = editOf("One\n\n```\nNew\n```\n\nTwo\n\nThree\n", document, broken, nextKey).document
    const [one, two, three] = document.nodes
    assert.deepStrictEqual(
      whole.nodes.map(({ key }) => key).filter((_, i) => i !== 1),
      [one!.key, two!.key, three!.key]
    )
    assert.strictEqual(whole.nodes[1]!.key, broken.nodes[1]!.key)
  })

  it("keeps hyphens at the start as text, since a page has no front matter here", () => {
    const nextKey = newKeys()
    const { document } = opened(parse("One\n").document)
    const edited = editOf("---\ntitle: One\n---\n", document, document, nextKey).document
    assert.include(JSON.stringify(edited), "title: One")
  })
})
