import { deepStrictEqual } from "node:assert"
import { assert, describe, it } from "@effect/vitest"
import * as ParseResponseDocument from "@lectern/core/content/documents/ParseResponseDocument"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import { Threads } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import * as fc from "fast-check"
import { parse } from "../../../../document/test/markdown/laws.ts"
import { rows } from "../../../../document/test/markdown/Vocabulary.ts"
import { randomDocument } from "../../../../document/test/merge/RandomDocuments.ts"
import { runs } from "../../Runs.ts"

const plain = (document: unknown): unknown => JSON.parse(JSON.stringify(document))

/** As it comes out of the store. */
const reread = (stored: StoredDocument.StoredDocument): StoredDocument.StoredDocument =>
  JSON.parse(StoredDocument.jsonText(stored))

const large = parse(Array.from({ length: 3_000 }, (_, n) => `Paragraph ${n}\nof *two* lines.`).join("\n\n")).document
const documents = [...rows.map(({ markdown }) => parse(markdown).document), large]

describe("a document that was folded", () => {
  it("is what is stored of it, to the last field, so that it may be kept in its place", () => {
    for (const document of documents) {
      const stored = StoredDocument.serializePrepared(document)
      if (StoredDocument.isSmall(stored)) deepStrictEqual(stored, reread(stored))
      assert.isTrue(StoredDocument.isPrepared(stored))
      assert.isFalse(StoredDocument.isPrepared(reread(stored)))
      deepStrictEqual(StoredDocument.serialize(document), stored)
    }
  })

  it("is the same where it was folded in slices, and opened in pieces", async () => {
    const threads = await Effect.runPromise(Effect.provide(Threads, Threads.layer))
    for (const document of [...documents.slice(0, 40), large]) {
      const stored = StoredDocument.serialize(document)
      const sliced = await Effect.runPromise(StoredDocument.serializeInSlices(document))
      deepStrictEqual(StoredDocument.parseDocument(sliced), document)
      assert.strictEqual(StoredDocument.isSmall(sliced), StoredDocument.isSmall(stored))
      const inPieces = new StoredDocument.LargeJson(StoredDocument.jsonText(sliced))
      const opened = await Effect.runPromise(ParseResponseDocument.read(threads, inPieces))
      deepStrictEqual(plain(opened.document), plain(document))
      deepStrictEqual(opened.refs, ParseResponseDocument.parseWithRefs(stored).refs)
    }
  })

  it("is the same once it is forgotten that it was made", () => {
    for (const document of documents) {
      const stored = StoredDocument.serializePrepared(document)
      const json = StoredDocument.jsonText(stored)
      StoredDocument.clearPrepared()
      assert.isFalse(StoredDocument.isPrepared(stored))
      assert.strictEqual(StoredDocument.jsonText(stored), json)
      deepStrictEqual(StoredDocument.parseDocument(stored), document)
    }
  })

  it("is opened as it was, and as it is read of the store", () => {
    for (const document of documents) {
      const stored = StoredDocument.serializePrepared(document)
      assert.strictEqual(StoredDocument.parseDocument(stored), document)
      deepStrictEqual(StoredDocument.parseDocument(reread(stored)), document)
    }
    fc.assert(
      fc.property(randomDocument, (document) => {
        const stored = StoredDocument.serializePrepared(document)
        assert.deepStrictEqual(
          plain(StoredDocument.parseDocument(stored)),
          plain(StoredDocument.parseDocument(reread(stored)))
        )
      }),
      runs(100)
    )
  })
})
