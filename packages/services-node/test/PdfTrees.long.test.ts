/** Any document that is accepted can be printed: right ones of every kind, and such as nobody would send. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import { assert, it } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { PdfWriter } from "@lectern/core/pdf/PdfWriter"
import type { Timestamp } from "@lectern/core/schema/Text"
import { NodePdfWriter } from "@lectern/services-node/pdf/NodePdfWriter"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"
import { tree } from "../../http/test/fuzz/RandomTree.ts"
import { readPdf } from "./PdfReading.ts"

const accepted = fc.tuple(tree, fc.boolean()).map(([json, isVisitors]): Document | undefined => {
  let last = 0
  const read = DocumentInput.normalizeDocument(json, () => `k${last++}`)
  if (Result.isFailure(read)) return undefined
  return isVisitors ? VisitorDocument.visitorDocument(read.success) : read.success
})

const marker = "Printed to the end"

it.live("Any document that is accepted can be printed", () =>
  Effect.gen(function* () {
    const { write } = yield* PdfWriter
    const print = Effect.fnUntraced(function* (documents: ReadonlyArray<Document>) {
      const bytes = yield* write({
        title: "Book",
        revision: "r",
        date: "2026-01-02T03:04:05.000Z" as Timestamp,
        pages: [...documents.map((_, i) => `Page ${i}`), marker].map((title, i) => ({
          id: `p${i}`,
          type: "document",
          title,
          depth: 0
        })),
        document: (page) =>
          Effect.succeed(
            serialize(documents[Number(page.slice(1))] ?? { object: "document", data: { schemaVersion: 1 }, nodes: [] })
          ),
        file: () => Effect.succeed(undefined)
      })
      const { pages } = yield* Effect.promise(() => readPdf(bytes))
      assert.include(pages.at(-1)!, marker)
    })
    const context = yield* Effect.context<never>()
    const property = fc.asyncProperty(fc.array(accepted, { minLength: 20, maxLength: 30 }), (documents) =>
      Effect.runPromiseWith(context)(Effect.orDie(print(documents.filter((each) => each !== undefined))))
    )
    yield* Effect.promise(() => fc.assert(property, { includeErrorInReport: true, ...runs(5, 30) }))
  }).pipe(Effect.provide(NodePdfWriter.layer()))
)
