/**
 * A PDF of a revision: all pages, a page with its descendants, or a single page. A background job creates it at the
 * first request. Later requests get the stored PDF.
 *
 * Limits: `PdfWriter` limits the content. A PDF is deleted 7 days after its last request. A failed PDF can be requested
 * again after 10 minutes. At most 10 PDFs of a space are in progress, and 200 are stored. Beyond 200, a new PDF
 * replaces the least recently requested one.
 */
import { Duration, Schema } from "effect"
import { Locale } from "../customization/Customization.ts"
import { PageId } from "../content/pages/Page.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Timestamp } from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import { PdfSources } from "./PdfSources.ts"

/** Validity of a download URL. */
export const urlLifetime = Duration.minutes(10)

/** Time after which a client repeats a download of a pending PDF. */
export const retryAfter = Duration.seconds(2)

/** Time after the last request until a PDF is deleted. */
export const retention = Duration.days(7)

/** Time after a failure until a request creates the PDF again. */
export const failureLifetime = Duration.minutes(10)

/** Maximum number of pending PDFs of a space. */
export const maxPending = 10

/** Maximum number of stored PDFs of a space. */
export const maxStored = 200

export const PdfId = Schema.String.pipe(Schema.brand("PdfId"))
export type PdfId = typeof PdfId.Type

/** Transitions: see `PdfState`. */
export const PdfStatus = Schema.Literals(["pending", "done", "failed"])
export type PdfStatus = typeof PdfStatus.Type

export const PdfRow = Schema.Struct({
  /** Derived from the content and options of the PDF, so that equal PDFs are created once. */
  id: PdfId,
  space: Schema.String,
  revision: RevisionId,
  /** Title on the first page and in the file name. */
  title: Schema.String,
  /** Root page of the PDF. Absent if the PDF has all pages. */
  page: Schema.optionalKey(PageId),
  /** True if the PDF has only `page`, without its descendants. */
  only: Schema.optionalKey(Schema.Literal(true)),
  /** Language of labels, such as the heading of the table of contents. Absent if the site has no locale. */
  locale: Schema.optionalKey(Locale),
  /** Visitor whose claims decide about page conditions. Absent if all pages are visible. */
  visitor: Schema.optionalKey(
    Schema.Struct({ claims: Schema.Record(Schema.String, Schema.Json), kind: Schema.String })
  ),
  /** Sources of computed pages. Absent if the content has none. */
  sources: Schema.optionalKey(PdfSources),
  status: PdfStatus,
  /** Id of the job that creates the PDF. */
  job: Schema.String,
  blob: Schema.optionalKey(BlobHash),
  /** Size in bytes. */
  size: Schema.optionalKey(Schema.Int),
  /** Reason of a failure, as a sentence. */
  failure: Schema.optionalKey(Schema.String),
  /** Member who requested the PDF that is in progress. Absent for visitors and the host application. */
  startedBy: Schema.optionalKey(UserId),
  askedAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type PdfRow = typeof PdfRow.Type

export const PdfTable = Table.make("pdf", PdfRow, {
  key: ["id"],
  indexes: [["space", "askedAt"], ["space", "status"], ["askedAt"]]
})

/** The URL at which a PDF can be downloaded. */
export const PdfUrl = Schema.Struct({ url: Schema.String })
export interface PdfUrl extends Schema.Schema.Type<typeof PdfUrl> {}

/** Response for a PDF that is still in progress. */
export const PdfPending = Schema.Struct({ object: Schema.Literal("pdf"), status: Schema.Literal("pending") })

/** Raised if the URL is invalid or has expired, or its PDF was removed. */
export class PdfNotFound extends Schema.TaggedError<PdfNotFound>()(
  "PdfNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the space has too many PDFs in progress. Retry later. */
export class TooManyPdfs extends Schema.TaggedError<TooManyPdfs>()(
  "TooManyPdfs",
  { message: Schema.String },
  { httpApiStatus: 429 }
) {}

/** Raised if the PDF could not be created. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()(
  "PdfFailed",
  { message: Schema.String },
  { httpApiStatus: 422 }
) {}
