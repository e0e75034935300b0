import { retryAfter } from "@lectern/core/pdf/Pdf"
import { Pdfs } from "@lectern/core/pdf/Pdfs"
import { Duration, Effect } from "effect"
import { jsonResponse } from "./Responses.ts"
import { attachment } from "./Attachment.ts"
import { group } from "./Group.ts"
import { rangeResponse } from "./Ranges.ts"

export const PdfsHttp = group(
  "pdfs",
  Effect.fnUntraced(function* (handlers) {
    const pdfs = yield* Pdfs
    return handlers({
      space: ({ params, query }) => pdfs.url({ space: params.spaceId }, query),
      changeRequest: ({ params, query }) =>
        pdfs.url({ space: params.spaceId, changeRequest: params.changeRequestId }, query)
    })
  })
)

/** Response for a PDF that is not ready. The client polls. */
const pendingResponse = jsonResponse(
  { object: "pdf", status: "pending" },
  { status: 202, headers: { "retry-after": String(Duration.toSeconds(retryAfter)), "cache-control": "no-store" } }
)

export const PdfDownloadsHttp = group(
  "pdfDownloads",
  Effect.fnUntraced(function* (handlers) {
    const pdfs = yield* Pdfs
    return handlers({
      pdf: Effect.fnUntraced(function* ({ params, query }) {
        const pdf = yield* pdfs.download({
          space: params.spaceId,
          revision: params.revisionId,
          pdf: params.pdfId,
          ...query
        })
        if (pdf.status === "pending") return pendingResponse
        return attachment(yield* rangeResponse(pdf.hash, pdf.bytes), {
          name: pdf.name,
          contentType: "application/pdf"
        })
      })
    })
  })
)
