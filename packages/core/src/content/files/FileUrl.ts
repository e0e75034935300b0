/** The parts of file URLs (see `FileUrls`). */
import { Schema } from "effect"
import { Signed } from "../../identity/SignedUrl.ts"

/** URL parts of a file in a revision, valid while its signature is valid. */
export const RevisionFile = Schema.Struct({
  /** Id of the space, from the URL. */
  space: Schema.String,
  /** Id of the revision, from the URL. */
  revision: Schema.String,
  /** Id of the file, from the URL. */
  file: Schema.String,
  ...Signed.fields
})
export type RevisionFile = typeof RevisionFile.Type

/** Query of the URL of a published file. */
export const PublishedFileQuery = Schema.Struct({
  via: Schema.String.annotateKey({ description: "The origin of the visitor's access, as part of the URL." }),
  claims: Schema.optionalKey(Schema.String).annotateKey({
    description: "The claims of the visitor that the URL was created for. The signature covers them."
  }),
  signature: Schema.String.annotateKey({ description: "The signature of the URL." })
})

/** URL parts of a file in a published space, with the hash of its bytes. */
export const PublishedFile = Schema.Struct({
  /** Id of the organization, from the URL. */
  organization: Schema.String,
  /** Id of the site, from the URL. */
  site: Schema.String,
  /** Id of the space, from the URL. */
  space: Schema.String,
  /** Id of the file, from the URL. */
  file: Schema.String,
  /** Hash of the bytes at the time when the URL was created. */
  hash: Schema.String,
  ...PublishedFileQuery.fields
})
export type PublishedFile = typeof PublishedFile.Type
