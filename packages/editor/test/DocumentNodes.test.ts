/** A document that is opened and not edited stays the same, whatever it contains. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Block, Document, Node } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { Result } from "effect"
import { runs } from "../../core/test/Runs.ts"
import { keys } from "../../document/test/markdown/laws.ts"
import { randomDocument } from "../../document/test/merge/RandomDocuments.ts"
import { canonicalDocument, opaqueBlocks } from "./Documents.ts"

const stored = (value: unknown): Document => Result.getOrThrow(normalizeDocument(value, keys()))

describe("Documents in the editor", () => {
  it("stay the same, with blocks of every type", () => {
    fc.assert(
      fc.property(randomDocument, (random) => {
        const document = stored(random)
        const node = documentNode(document)
        node.check()
        assert.deepStrictEqual(canonicalDocument(documentOf(node, document.data)), canonicalDocument(document))
        // Such as tabs without a tab, where the cursor has no place.
        for (const block of opaqueBlocks(node)) assert.deepStrictEqual(block.nodes, [])
      }),
      runs(200)
    )
  })

  it("keep what the editor can't express as a whole", () => {
    const block = (type: string, key: string, nodes: ReadonlyArray<Node>): Block => ({
      object: "block",
      type,
      key,
      nodes
    })
    const text = block("paragraph", "p", [{ object: "text", leaves: [{ object: "leaf", text: "a", marks: [] }] }])
    const unknown = block("acme-widget", "w", [text])
    const document = stored({
      nodes: [text, unknown, block("blockquote", "q", [unknown]), block("list-ordered", "l", [unknown])]
    })
    const node = documentNode(document)
    assert.deepStrictEqual(
      opaqueBlocks(node).map(({ type }) => type),
      ["acme-widget", "acme-widget", "list-ordered"]
    )
    assert.deepStrictEqual(documentOf(node, document.data), document)
  })
})
