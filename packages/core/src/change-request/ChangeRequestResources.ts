/** Answers of the operations on a change request's content. */
import { Schema } from "effect"
import { Changes } from "../content/ContentResources.ts"
import { WrittenChanges } from "../content/live/WrittenChanges.ts"
import { Conflict, Keep } from "../content/merge/Conflict.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { ChangeRequest } from "./ChangeRequest.ts"

/** Outcome of a batch of changes. */
export const ContentUpdate = Schema.Struct({ changeRequest: ChangeRequest, ...WrittenChanges.fields })
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
