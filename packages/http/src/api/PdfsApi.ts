/** PDFs of content: where they are to be had, and what is there. */
import { Signed } from "@lectern/core/identity/SignedUrl"
import { PdfId, PdfPending, PdfUrl } from "@lectern/core/pdf/Pdf"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RangeNotSatisfiable, UnprocessableContent } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, revisionId, spaceId } from "./Parameters.ts"

/** One page with those below it, in place of everything. */
const query = (all: string) => ({
  page: Schema.optionalKey(Schema.String).annotateKey({
    description: `The id of the page to begin with. Default: the whole ${all}.`
  }),
  only: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: the named page without the pages below it."
  })
})

export const PdfsApi = HttpApiGroup.make("pdfs")
  .annotateMerge(OpenApi.annotations({ title: "PDFs", description: "Content as a document, with a contents page." }))
  .add(
    Operation.get("space", "/spaces/:spaceId/pdf", {
      description: "Makes a PDF of a space or of one page, and tells the URL to fetch it from.",
      scopes: ["space:content:read"],
      params: { spaceId },
      query: query("space"),
      success: PdfUrl
    }),
    Operation.get("changeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/pdf", {
      description: "Makes a PDF of a change request or of one page, and tells the URL to fetch it from.",
      scopes: ["space:content:read"],
      params: { spaceId, changeRequestId },
      query: query("change request"),
      success: PdfUrl
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** The bytes of a PDF, for whoever holds its signed URL. */
export const PdfDownloadsApi = HttpApiGroup.make("pdfDownloads")
  .annotateMerge(OpenApi.annotations({ title: "PDF downloads", description: "PDFs, by their signed addresses." }))
  .add(
    Operation.get("pdf", "/spaces/:spaceId/revisions/:revisionId/pdf/:pdfId", {
      description: "Sends a PDF, to whoever has a URL that is signed.",
      scopes: [],
      conditions: "ranges",
      params: {
        spaceId,
        revisionId,
        pdfId: PdfId.annotateKey({ description: "The id of the PDF, from the URL that was told." })
      },
      query: Signed.fields,
      success: [
        Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" })),
        PdfPending.pipe(HttpApiSchema.status(202))
      ],
      error: [RangeNotSatisfiable, UnprocessableContent]
    })
  )
  .middleware(Failures)
