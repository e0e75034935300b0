import { retryAfter } from "@lectern/core/pdf/Pdf"
import { Pdfs } from "@lectern/core/pdf/Pdfs"
import { Duration, Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { answering, jsonResponse } from "./Answers.ts"
import { attachment } from "./Attachment.ts"
import { group } from "./Group.ts"
import { ranged } from "./Ranges.ts"

export const PdfsHttp = group(
  LecternApi,
  "pdfs",
  Effect.fnUntraced(function* (handlers) {
    const pdfs = yield* Pdfs
    return answering(handlers, {
      space: ({ params, query }) => pdfs.url({ space: params.spaceId }, query),
      changeRequest: ({ params, query }) =>
        pdfs.url({ space: params.spaceId, changeRequest: params.changeRequestId }, query)
    })
  })
)

/** Of a PDF that is not made yet: the caller asks again. */
const pending = jsonResponse(
  { object: "pdf", status: "pending" },
  { status: 202, headers: { "retry-after": String(Duration.toSeconds(retryAfter)), "cache-control": "no-store" } }
)

export const PdfDownloadsHttp = group(
  LecternApi,
  "pdfDownloads",
  Effect.fnUntraced(function* (handlers) {
    const pdfs = yield* Pdfs
    return answering(handlers, {
      pdf: Effect.fnUntraced(function* ({ params, query }) {
        const found = yield* pdfs.download({
          space: params.spaceId,
          revision: params.revisionId,
          pdf: params.pdfId,
          ...query
        })
        if (found.status === "pending") return pending
        return attachment(yield* ranged(found.hash, found.bytes), { name: found.name, contentType: "application/pdf" })
      })
    })
  })
)
