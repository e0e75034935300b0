/**
 * URLs of uploaded files: the signed one that bytes are put to, and the public one by the hash of the bytes, which
 * settings of sites hold. The latter is found again in any text, whatever this instance was called when it was written.
 */
import { Schema } from "effect"
import { Signed } from "../identity/SignedUrl.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import type { UploadRow } from "./Upload.ts"

/** Parts of the URL that the bytes of an upload are put to. */
export const UploadLink = Schema.Struct({ organization: Schema.String, upload: Schema.String, ...Signed.fields })
export type UploadLink = typeof UploadLink.Type

export const uploadPath = ({ organization, upload }: Pick<UploadLink, "organization" | "upload">) =>
  `/v1/orgs/${organization}/storage/uploads/${upload}`

export const publicPath = ({ organization }: Pick<UploadRow, "organization">, blob: BlobHash) =>
  `/v1/orgs/${organization}/storage/files/${blob}`

const published = /\/v1\/orgs\/([\w-]+)\/storage\/files\/([\w-]{43})(?![\w-])/g

/** The uploaded files that a text names. */
export const namedIn = (text: string): ReadonlyArray<{ readonly organization: string; readonly blob: BlobHash }> =>
  Array.from(text.matchAll(published), ([, organization, blob]) => ({
    organization: organization!,
    blob: BlobHash.make(blob!)
  }))
