/** Operations that create PDFs of content and return their state. */
import { Signed } from "@lectern/core/identity/SignedUrl"
import { PdfId, PdfPending, PdfUrl } from "@lectern/core/pdf/Pdf"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RangeNotSatisfiable, UnprocessableContent } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, revisionId, spaceId } from "./Parameters.ts"

/** Restricts the PDF to one page and its subpages. */
const query = (listPath: string) => ({
  page: Schema.optionalKey(Schema.String).annotateKey({
    description: `The id of the first page. Default: the whole ${listPath}.`
  }),
  only: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: only this page, without its subpages."
  })
})

export const PdfsApi = HttpApiGroup.make("pdfs")
  .annotateMerge(OpenApi.annotations({ title: "PDFs", description: "Content as a PDF with a table of contents." }))
  .add(
    Operation.get("space", "/spaces/:spaceId/pdf", {
      description: "Creates a PDF of a space or of one page, and returns its download URL.",
      scopes: ["space:content:read"],
      params: { spaceId },
      query: query("space"),
      success: PdfUrl
    }),
    Operation.get("changeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/pdf", {
      description: "Creates a PDF of a change request or of one page, and returns its download URL.",
      scopes: ["space:content:read"],
      params: { spaceId, changeRequestId },
      query: query("change request"),
      success: PdfUrl
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Bytes of a PDF, for clients with its signed URL. */
export const PdfDownloadsApi = HttpApiGroup.make("pdfDownloads")
  .annotateMerge(OpenApi.annotations({ title: "PDF downloads", description: "PDFs by signed URL." }))
  .add(
    Operation.get("pdf", "/spaces/:spaceId/revisions/:revisionId/pdf/:pdfId", {
      description: "Returns a PDF. Requires a signed URL.",
      scopes: [],
      conditions: "ranges",
      params: {
        spaceId,
        revisionId,
        pdfId: PdfId.annotateKey({ description: "The id of the PDF, from its download URL." })
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
