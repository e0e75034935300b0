/**
 * Makes a PDF and stores it. What no PDF can be made of is written down; what goes wrong with the
 * store makes the job try again.
 */
import { Effect, Result, Schema } from "effect"
import { Revisions } from "../content/revisions/Revisions.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import * as StoredBlob from "../storage/StoredBlob.ts"
import { PdfId, type PdfRow, PdfTable } from "./Pdf.ts"
import { books } from "./PdfBook.ts"
import { type PdfEvent, next } from "./PdfState.ts"
import { maxPdfBytes, PdfRefused, PdfWriter } from "./PdfWriter.ts"

/** Makes a PDF. One that fails in all attempts is asked for anew by whoever still wants it. */
export const MakePdf = Job.kind("make-pdf", Schema.Struct({ pdf: PdfId }), { attempts: 5 })

export const makePdf = Effect.gen(function* () {
  const storage = yield* Storage
  const store = yield* StoredBlob.make
  const revisions = yield* Revisions
  const writer = yield* PdfWriter
  const bookOf = yield* books
  const pdfs = storage.repository(PdfTable)

  /** Nothing happens where it is elsewhere by now. */
  const step = (id: PdfId, event: PdfEvent) =>
    storage.transaction(
      Effect.gen(function* () {
        const pdf = yield* pdfs.get({ id })
        const after = pdf && next(pdf, event, yield* Timestamps.now)
        if (after !== undefined && Result.isSuccess(after)) yield* pdfs.update({ id }, after.success.patch)
      })
    )

  const make = Effect.fnUntraced(function* (pdf: PdfRow) {
    const bytes = yield* writer.write(yield* bookOf(pdf, yield* revisions.get(pdf.revision)))
    if (bytes.length > maxPdfBytes) {
      return yield* new PdfRefused({ message: "The PDF would be larger than 32 MiB" })
    }
    const blob = yield* store(bytes)
    yield* step(pdf.id, { type: "succeed", blob, size: bytes.length })
  })

  return Job.handler(MakePdf, ({ payload }) =>
    Effect.gen(function* () {
      const pdf = yield* pdfs.get({ id: payload.pdf })
      if (pdf === undefined || pdf.status !== "pending") return
      yield* make(pdf).pipe(
        Effect.catchTag("PdfRefused", ({ message }) => step(pdf.id, { type: "fail", failure: message }))
      )
    })
  )
})
