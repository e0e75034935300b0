/**
 * Job that creates and stores a PDF. If no PDF can be created from the content, the PDF fails with the reason. After a
 * storage error the job is retried.
 */
import { Effect, Result, Schema } from "effect"
import { Revisions } from "../content/revisions/Revisions.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import * as StoredBlob from "../storage/StoredBlob.ts"
import { PdfId, type PdfRow, PdfTable } from "./Pdf.ts"
import { bookFactory } from "./PdfBook.ts"
import { type PdfEvent, next } from "./PdfState.ts"
import { maxPdfBytes, PdfRefused, PdfWriter } from "./PdfWriter.ts"

/** Creates a PDF, with up to 5 attempts. After the last one, the next request of the PDF starts a new job. */
export const MakePdf = Job.kind("make-pdf", Schema.Struct({ pdf: PdfId }), { attempts: 5 })

export const makePdf = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const store = yield* StoredBlob.make
  const revisions = yield* Revisions
  const writer = yield* PdfWriter
  const makeBook = yield* bookFactory
  const pdfs = storage.repository(PdfTable)
  const spaces = storage.repository(SpaceTable)

  /** Applies an event to a PDF. Does nothing if the PDF no longer exists, or its status does not allow the event. */
  const step = (id: PdfId, event: PdfEvent) =>
    storage.transaction(
      Effect.gen(function* () {
        const pdf = yield* pdfs.get({ id })
        const after = pdf && next(pdf, event, yield* Timestamps.now)
        if (pdf === undefined || after === undefined || Result.isFailure(after)) return
        yield* pdfs.update({ id }, after.success.patch)
        const space = SpaceId.make(pdf.space)
        const organization = (yield* spaces.get({ id: space }))?.organization
        if (pdf.startedBy === undefined || organization === undefined) return
        yield* events.emit({
          type: "pdf_finished",
          organization,
          space,
          pdf: id,
          state: event.type === "succeed" ? "success" : "failure",
          startedBy: pdf.startedBy
        })
      })
    )

  const make = Effect.fnUntraced(function* (pdf: PdfRow) {
    const bytes = yield* writer.write(yield* makeBook(pdf, yield* revisions.get(pdf.revision)))
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
