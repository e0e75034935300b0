/** Response to a batch of content changes. */
import { Schema } from "effect"
import { File } from "../ContentResources.ts"
import type { RevisionId } from "../revisions/Revision.ts"
import { PageId } from "../pages/Page.ts"

const PageReference = Schema.Struct({
  object: Schema.Literal("page"),
  id: PageId,
  urls: Schema.Struct({ location: Schema.String })
})

/** Warning about a part of a page that is stored unchanged, but is not visible to visitors of a site. */
export const WriteWarning = Schema.Struct({ page: PageId, message: Schema.String })
export type WriteWarning = typeof WriteWarning.Type

/** Outcome for each page, in the order in which the batch first changed the pages, and the inserted files. */
export const ContentChangesResponse = Schema.Struct({
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
  /** Absent if the changes caused no warnings. */
  warnings: Schema.optionalKey(Schema.Array(WriteWarning))
})
export type ContentChangesResponse = typeof ContentChangesResponse.Type

/** Outcome of a batch that was written to the main content of a space, with its new main revision. */
export interface LiveUpdate extends ContentChangesResponse {
  readonly revision: RevisionId
}
