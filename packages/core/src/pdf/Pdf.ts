/**
 * A PDF of a revision: of all its pages, of one with those below it, or of one alone. It is made
 * once, in the background, when it is first asked for, and kept while it is asked for.
 *
 * Limits: what a PDF holds is bounded (see `PdfWriter`); it is removed 7 days after it was last
 * asked for, and one that failed may be tried again 10 minutes later. At most 10 of a space are on
 * their way at once, and 200 are kept: the one that nobody asked for the longest makes room.
 */
import { Duration, Schema } from "effect"
import { Locale } from "../customization/Customization.ts"
import { PageId } from "../content/pages/Page.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Timestamp } from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { PdfSources } from "./PdfSources.ts"

/** How long a URL of a PDF is good. */
export const validFor = Duration.minutes(10)

/** Whoever gets a URL of what is not made yet may ask for it again after so long. */
export const retryAfter = Duration.seconds(2)

/** How long a PDF is kept that nobody asks for. */
export const keptFor = Duration.days(7)

/** How long one that failed stays failed. */
export const failedFor = Duration.minutes(10)

/** How many of a space may be on their way. */
export const maxPending = 10

/** How many of a space are kept. */
export const maxKept = 200

export const PdfId = Schema.String.pipe(Schema.brand("PdfId"))
export type PdfId = typeof PdfId.Type

/** See `PdfState` for what leads where. */
export const PdfStatus = Schema.Literals(["pending", "done", "failed"])
export type PdfStatus = typeof PdfStatus.Type

export const PdfRow = Schema.Struct({
  /** Follows from what the PDF is of, so the same is made once. */
  id: PdfId,
  space: Schema.String,
  revision: RevisionId,
  /** Title on the first page, and in the name of the file. */
  title: Schema.String,
  /** The page it is of; all of them where there is none. */
  page: Schema.optionalKey(PageId),
  /** Without the pages below that one. */
  only: Schema.optionalKey(Schema.Literal(true)),
  /** Language of the words around the content, where a site has chosen one. */
  locale: Schema.optionalKey(Locale),
  /** For whom pages are hidden by their conditions; all is shown where there is nobody. */
  visitor: Schema.optionalKey(
    Schema.Struct({ claims: Schema.Record(Schema.String, Schema.Json), kind: Schema.String })
  ),
  /** Sources of the computed pages, where there are some. */
  sources: Schema.optionalKey(PdfSources),
  status: PdfStatus,
  /** Makes it while it is pending. */
  job: Schema.String,
  blob: Schema.optionalKey(BlobHash),
  /** Bytes. */
  size: Schema.optionalKey(Schema.Int),
  /** Why there is none, in a sentence. */
  failure: Schema.optionalKey(Schema.String),
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
export type PdfUrl = typeof PdfUrl.Type

/** A PDF that is still being made. */
export const PdfPending = Schema.Struct({ object: Schema.Literal("pdf"), status: Schema.Literal("pending") })

export class PdfNotFound extends Schema.TaggedError<PdfNotFound>()(
  "PdfNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** So many of this space are being made that another one has to wait. */
export class TooManyPdfs extends Schema.TaggedError<TooManyPdfs>()(
  "TooManyPdfs",
  { message: Schema.String },
  { httpApiStatus: 429 }
) {}

/** It can't be made of this content. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()(
  "PdfFailed",
  { message: Schema.String },
  { httpApiStatus: 422 }
) {}
