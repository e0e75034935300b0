/**
 * A file that somebody uploads to an organization, for something else to use by its key: a font, a picture
 * that a site shows around its pages, or what is to be imported. Whoever may upload asks for a signed URL first, and puts the bytes there.
 *
 * The bytes decide what a file is. Fonts are WOFF or WOFF2; pictures PNG, JPEG, GIF, WebP, AVIF, ICO or SVG;
 * imports are told by the ending of their name: Markdown, HTML, Word or ZIP.
 *
 * Limits: 5 MiB for a font or a picture, 20 MiB for an import; the URL to put it to is good for an hour; 1,000 files in an
 * organization. A file that nothing uses for a day is removed.
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

/** Names as the hosted service has them. */
export const UploadKind = Schema.Literals(["customization_font", "import_file", "organization_file"])
export type UploadKind = typeof UploadKind.Type

export const maxBytes: { readonly [kind in UploadKind]: number } = {
  customization_font: 5 * mebibyte,
  import_file: 20 * mebibyte,
  organization_file: 5 * mebibyte
}

export const UploadKey = Text.between(1, 512)

export const UploadRow = Schema.Struct({
  /** The key, too. */
  id: Schema.String,
  organization: OrganizationId,
  kind: UploadKind,
  name: FileName,
  /** As it was said to be, until its bytes are there. */
  contentType: Schema.String,
  /** Bytes. */
  size: Schema.Int,
  /** Absent until the bytes are there. */
  blob: Schema.optionalKey(BlobHash),
  createdBy: Schema.optionalKey(UserId),
  createdAt: Timestamp,
  /** The time when it was announced, or something began to use it. */
  usedAt: Timestamp
})
export type UploadRow = typeof UploadRow.Type

export const UploadTable = Table.make("upload", UploadRow, {
  key: ["id"],
  indexes: [["organization", "blob"], ["usedAt"]]
})

export const UploadBegin = Schema.Struct({
  file: Schema.Struct({
    name: FileName,
    type: Text.atMost(256),
    size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
  }),
  kind: UploadKind
})
export type UploadBegin = typeof UploadBegin.Type

/** The URL to put the bytes to, and the key that the file is used by. */
export const BegunUpload = Schema.Struct({
  object: Schema.Literal("storage-signed-url"),
  url: Schema.String,
  key: Schema.String
})
export type BegunUpload = typeof BegunUpload.Type

/** A file whose bytes are there. */
export const StoredFile = Schema.Struct({
  object: Schema.Literal("storage-file"),
  key: Schema.String,
  kind: UploadKind,
  name: Schema.String,
  contentType: Schema.String,
  size: Schema.Int,
  /** `public`: its URL for everyone, of fonts and pictures. */
  urls: Schema.Struct({ public: Schema.optionalKey(Schema.String) })
})
export type StoredFile = typeof StoredFile.Type

export class UploadNotFound extends Schema.TaggedError<UploadNotFound>()(
  "UploadNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The bytes are there already, or the organization keeps as many files as it may. */
export class UploadRefused extends Schema.TaggedError<UploadRefused>()(
  "UploadRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
