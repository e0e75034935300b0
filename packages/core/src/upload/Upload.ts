/**
 * Uploaded file of an organization, referenced by key: a font, an image of a site, or a file to import. The client
 * first requests a signed URL, then uploads the bytes to it.
 *
 * The content decides the type. Fonts are WOFF or WOFF2; images PNG, JPEG, GIF, WebP, AVIF, ICO or SVG. Imports are
 * recognized by file extension: Markdown, HTML, Word or ZIP.
 *
 * Limits: 5 MiB for a font or an image, 20 MiB for an import; an upload URL is valid for an hour; 1,000 files per
 * organization. A file that is unused for a day is removed.
 */
import { Schema } from "effect"
import { FileName } from "../content/files/File.ts"
import { OrganizationId } from "../organization/Organization.ts"
import * as Text from "../schema/Text.ts"
import { Timestamp } from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

const mebibyte = 1024 * 1024

export const maxUploads = 1_000

/** Purpose of an uploaded file. The names equal those of the hosted service's API. */
export const UploadKind = Schema.Literals(["customization_font", "import_file", "organization_file"])
export type UploadKind = typeof UploadKind.Type

export const maxBytes: { readonly [kind in UploadKind]: number } = {
  customization_font: 5 * mebibyte,
  import_file: 20 * mebibyte,
  organization_file: 5 * mebibyte
}

export const UploadKey = Text.between(1, 512)

export const UploadRow = Schema.Struct({
  /** Id of the upload, which is also its key. */
  id: Schema.String,
  organization: OrganizationId,
  kind: UploadKind,
  name: FileName,
  /** Declared content type until the bytes are uploaded, then the detected one. */
  contentType: Schema.String,
  /** Size in bytes. */
  size: Schema.Int,
  /** Absent until the bytes are uploaded. */
  blob: Schema.optionalKey(BlobHash),
  createdBy: Schema.optionalKey(UserId),
  createdAt: Timestamp,
  /** Time of the request for an upload URL, or of the last start of use. */
  usedAt: Timestamp
})
export type UploadRow = typeof UploadRow.Type

export const UploadTable = Table.make("upload", UploadRow, {
  key: ["id"],
  indexes: [["organization", "blob"], ["usedAt"]]
})

export const UploadStart = Schema.Struct({
  /** Name, content type, and size in bytes. */
  file: Schema.Struct({
    name: FileName,
    type: Text.atMost(256),
    size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
  }),
  /** Purpose of the file. It determines the content types and the size that are allowed. */
  kind: UploadKind
})
export type UploadStart = typeof UploadStart.Type

/** URL for the upload, and key of the file. */
export const StartedUpload = Schema.Struct({
  object: Schema.Literal("storage-signed-url"),
  url: Schema.String,
  key: Schema.String
})
export interface StartedUpload extends Schema.Schema.Type<typeof StartedUpload> {}

/** File whose bytes are uploaded. */
export const StoredFile = Schema.Struct({
  object: Schema.Literal("storage-file"),
  key: Schema.String,
  kind: UploadKind,
  name: Schema.String,
  contentType: Schema.String,
  size: Schema.Int,
  /** `public`: public URL, only of fonts and images. */
  urls: Schema.Struct({ public: Schema.optionalKey(Schema.String) })
})
export interface StoredFile extends Schema.Schema.Type<typeof StoredFile> {}

/** Raised if the upload URL is invalid or has expired, or no file has the hash. */
export class UploadNotFound extends Schema.TaggedError<UploadNotFound>()(
  "UploadNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if other bytes were already uploaded, or the organization has too many files. */
export class UploadRefused extends Schema.TaggedError<UploadRefused>()(
  "UploadRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
