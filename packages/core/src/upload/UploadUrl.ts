/**
 * URLs of uploaded files: the signed upload URL, and the public URL by hash, which settings of sites contain. Public
 * URLs are recognized in any text, independent of the public URL of the instance at the time.
 */
import { Schema } from "effect"
import { Signed } from "../identity/SignedUrl.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import type { UploadRow } from "./Upload.ts"

/** Parts of an upload URL. */
export const UploadLink = Schema.Struct({ organization: Schema.String, upload: Schema.String, ...Signed.fields })
export type UploadLink = typeof UploadLink.Type

export const uploadPath = ({ organization, upload }: Pick<UploadLink, "organization" | "upload">) =>
  `/v1/orgs/${organization}/storage/uploads/${upload}`

export const publicPath = ({ organization }: Pick<UploadRow, "organization">, blob: BlobHash) =>
  `/v1/orgs/${organization}/storage/files/${blob}`

const published = /\/v1\/orgs\/([\w-]+)\/storage\/files\/([\w-]{43})(?![\w-])/g

/** Returns the uploaded files whose public URLs occur in a text. */
export const namedIn = (text: string): ReadonlyArray<{ readonly organization: string; readonly blob: BlobHash }> =>
  Array.from(text.matchAll(published), ([, organization, blob]) => ({
    organization: organization!,
    blob: BlobHash.make(blob!)
  }))
