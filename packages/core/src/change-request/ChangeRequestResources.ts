/** Results of operations on a change request's content. */
import { Schema } from "effect"
import { Changes } from "../content/ContentResources.ts"
import { ContentChangesResponse } from "../content/live/ContentChangesResponse.ts"
import { Conflict, Keep } from "../content/merge/Conflict.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { ChangeRequest } from "./ChangeRequest.ts"

/** Result of a batch of changes. */
export const ContentUpdate = Schema.Struct({ changeRequest: ChangeRequest, ...ContentChangesResponse.fields })
export interface ContentUpdate extends Schema.Schema.Type<typeof ContentUpdate> {}

/** Result of a merge. */
export const MergeResult = Schema.Struct({
  /** Id of the resulting revision: main's after a merge, the change request's if there are conflicts. */
  revision: RevisionId,
  /** `conflicts`: the conflicts have to be resolved first. Otherwise the operation has succeeded. */
  result: Schema.Literals(["merge", "conflicts"])
})
export interface MergeResult extends Schema.Schema.Type<typeof MergeResult> {}

/** Result of an update of a change request from the main content. */
export const UpdateResult = Schema.Struct({
  /** Id of the resulting revision of the change request. */
  revision: RevisionId,
  /** `conflicts`: the conflicts have to be resolved first. Otherwise the operation has succeeded. */
  result: Schema.Literals(["update", "conflicts"])
})
export interface UpdateResult extends Schema.Schema.Type<typeof UpdateResult> {}

const OpenConflict = Schema.Struct({
  ...Conflict.fields,
  /** Versions that `resolve` accepts. `both` only if both versions can be kept. */
  keep: Schema.Array(Keep)
})

/** Changes of a change request relative to its base revision, and its open conflicts. */
export const ChangeRequestChanges = Schema.Struct({ ...Changes.fields, conflicts: Schema.Array(OpenConflict) })
export interface ChangeRequestChanges extends Schema.Schema.Type<typeof ChangeRequestChanges> {}
