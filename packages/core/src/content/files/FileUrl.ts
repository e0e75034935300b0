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
  /** The way in that it was given out for. */
  via: Schema.String,
  /** Claims of the visitor, sealed; absent where none is needed to see the file. */
  claims: Schema.optionalKey(Schema.String),
  signature: Schema.String
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
