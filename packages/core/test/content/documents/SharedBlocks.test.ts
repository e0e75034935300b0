/** Versions of a document whose equal blocks are there once say the same. */
import * as WireDocument from "@lectern/document/wire/WireDocument"
import { jsonOf } from "@lectern/core/content/documents/StoredDocument"
import { parseShared } from "@lectern/core/content/documents/SharedBlocks"
import type { Document } from "@lectern/document/Document"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"
import { randomDocument } from "../../../../document/test/merge/RandomDocuments.ts"

const fold = (document: Document) => ({ json: jsonOf(document) })

/** Texts and names that must not be taken for the parts of a document. */
const odd = fc.constantFrom('"nodes":[', "]}", '\\"', "\\", "{", '"', "\u2028", "‹")

const documents = fc
  .tuple(randomDocument, fc.array(odd, { maxLength: 3 }), fc.boolean())
  .map(([document, texts, isBehind]): Document => {
    // No backslash in the name: V8 reads a name that is escaped as the one that is written so, where it read that before.
    const data = { ...document.data, [texts.join("").replaceAll("\\", "")]: { nodes: texts } }
    const { nodes } = document
    return isBehind ? { object: "document", nodes, data } : { object: "document", data, nodes }
  })

describe("parseShared", () => {
  it("gives each version as its JSON says it", () => {
    fc.assert(
      fc.property(documents, documents, fc.nat(), (one, other, at) => {
        const nodes = [...one.nodes.slice(at % 5), ...other.nodes, ...one.nodes.slice(0, at % 5)]
        const mixed = { ...other, nodes }
        const [first, second, third, none] = parseShared([fold(one), fold(other), fold(mixed), undefined] as const)
        assert.deepStrictEqual([first, second, third, none], [one, other, mixed, undefined])
        for (const [i, block] of third.nodes.entries()) {
          assert.isTrue(first.nodes.includes(block) || second.nodes.includes(block), String(i))
        }
      }),
      runs(200)
    )
  })

  it("leaves alone what is small, and what has no blocks", () => {
    const small: Document = { object: "document", data: {}, nodes: [] }
    const [first, second, third] = parseShared([
      WireDocument.encode(small),
      fold(small),
      { json: '{"object":"document","data":{}, "nodes": []}' }
    ])
    assert.strictEqual(first, small)
    assert.deepStrictEqual(second, small)
    assert.deepStrictEqual(third, small)
  })
})
