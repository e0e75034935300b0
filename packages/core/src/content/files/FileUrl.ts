/** The parts of the URLs of files (see `FileUrls`). */
import { Schema } from "effect"
import { Signed } from "../../identity/SignedUrl.ts"

/** The file of a revision, for as long as its signature is good. */
export const RevisionFile = Schema.Struct({
  space: Schema.String,
  revision: Schema.String,
  file: Schema.String,
  ...Signed.fields
})
export type RevisionFile = typeof RevisionFile.Type

/** The query of a published file's URL. */
export const PublishedFileQuery = Schema.Struct({
  via: Schema.String.annotateKey({ description: "The way in which the visitor was let in, a part of the URL." }),
  claims: Schema.optionalKey(Schema.String).annotateKey({
    description: "The claims of the visitor whom the URL was made for, signed along with it."
  }),
  signature: Schema.String.annotateKey({ description: "The signature of the URL." })
})

/** A file of a published space, with these bytes. */
export const PublishedFile = Schema.Struct({
  organization: Schema.String,
  site: Schema.String,
  space: Schema.String,
  file: Schema.String,
  /** The hash of its bytes when the URL was given out. */
  hash: Schema.String,
  ...PublishedFileQuery.fields
})
export type PublishedFile = typeof PublishedFile.Type
