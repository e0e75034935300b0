/** PDFs of content: where they are to be had, and what is there. */
import { Signed } from "@lectern/core/identity/SignedUrl"
import { PdfId, PdfPending, PdfUrl } from "@lectern/core/pdf/Pdf"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RangeNotSatisfiable, UnprocessableContent } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"

const query = {
  /** The id of a page: the PDF is of it and of those below it. */
  page: Schema.optionalKey(Schema.String),
  /** Of that page alone. */
  only: Schema.optionalKey(Schema.Boolean)
}

export const PdfsApi = HttpApiGroup.make("pdfs")
  .annotateMerge(OpenApi.annotations({ title: "PDFs", description: "Content as a document, with a contents page." }))
  .add(
    Operation.get("space", "/spaces/:spaceId/pdf", {
      description: "Makes a PDF of a space or of one page, and tells the URL to fetch it from.",
      scopes: ["space:content:read"],
      params: { spaceId: SpaceId },
      query,
      success: PdfUrl
    }),
    Operation.get("changeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/pdf", {
      description: "Makes a PDF of a change request or of one page, and tells the URL to fetch it from.",
      scopes: ["space:content:read"],
      params: { spaceId: SpaceId, changeRequestId: Schema.String },
      query,
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
      params: { spaceId: SpaceId, revisionId: Schema.String, pdfId: PdfId },
      query: Signed.fields,
      success: [
        Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" })),
        PdfPending.pipe(HttpApiSchema.status(202))
      ],
      error: [RangeNotSatisfiable, UnprocessableContent]
    })
  )
  .middleware(Failures)
