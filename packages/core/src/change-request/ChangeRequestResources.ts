/** Answers of the operations on a change request's content. */
import { Schema } from "effect"
import { Changes, File } from "../content/ContentResources.ts"
import { Conflict, Keep } from "../content/merge/Conflict.ts"
import { PageId } from "../content/pages/Page.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { ChangeRequest } from "./ChangeRequest.ts"

const PageReference = Schema.Struct({
  object: Schema.Literal("page"),
  id: PageId,
  urls: Schema.Struct({ location: Schema.String })
})

/** Outcome of a batch of changes. */
export const ContentUpdate = Schema.Struct({
  changeRequest: ChangeRequest,
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
  insertedFiles: Schema.optionalKey(Schema.Array(File))
})
export type ContentUpdate = typeof ContentUpdate.Type

export const MergeResult = Schema.Struct({
  /** The revision that came of it: main's after a merge, the change request's where it conflicts. */
  revision: RevisionId,
  result: Schema.Literals(["merge", "conflicts"])
})
export type MergeResult = typeof MergeResult.Type

export const UpdateResult = Schema.Struct({
  revision: RevisionId,
  result: Schema.Literals(["update", "conflicts"])
})
export type UpdateResult = typeof UpdateResult.Type

const OpenConflict = Schema.Struct({
  ...Conflict.fields,
  /** Versions of the conflict that may be kept: both only where there is room for both. */
  keep: Schema.Array(Keep)
})

/** Changes of a change request against main as it knows it, and conflicts that are still open. */
export const ChangeRequestChanges = Schema.Struct({ ...Changes.fields, conflicts: Schema.Array(OpenConflict) })
export type ChangeRequestChanges = typeof ChangeRequestChanges.Type
