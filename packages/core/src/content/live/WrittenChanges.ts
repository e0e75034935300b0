/** Answer to a batch of content changes, wherever it was written. */
import { Schema } from "effect"
import { File } from "../ContentResources.ts"
import type { RevisionId } from "../revisions/Revision.ts"
import { PageId } from "../pages/Page.ts"

const PageReference = Schema.Struct({
  object: Schema.Literal("page"),
  id: PageId,
  urls: Schema.Struct({ location: Schema.String })
})

/** A part of a page that is stored as given, and that visitors of a site don't see. */
export const WriteWarning = Schema.Struct({ page: PageId, message: Schema.String })
export type WriteWarning = typeof WriteWarning.Type

/** Outcome for each page, in the order in which the batch first touched it, and the files that it brought. */
export const WrittenChanges = Schema.Struct({
  changes: Schema.Array(
    Schema.Union([
      Schema.Struct({
        object: Schema.Literal("created_page"),
        ref: Schema.optionalKey(Schema.String),
        page: PageReference
      }),
      Schema.Struct({ object: Schema.Literal("updated_page"), page: PageReference }),
      Schema.Struct({ object: Schema.Literal("deleted_page"), page: PageId })
    ])
  ),
  insertedFiles: Schema.optionalKey(Schema.Array(File)),
  /** Absent if there are none. */
  warnings: Schema.optionalKey(Schema.Array(WriteWarning))
})
export type WrittenChanges = typeof WrittenChanges.Type

/** Outcome of a batch that was written to a space itself: the revision that is main by it. */
export interface LiveUpdate extends WrittenChanges {
  readonly revision: RevisionId
}
