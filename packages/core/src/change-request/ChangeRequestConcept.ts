/**
 * Declares the events of change requests, that change requests are deleted with their space, and the objects that their
 * rows refer to.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { ChangeRequestId, ChangeRequestTable } from "./ChangeRequest.ts"
import { ChangeRequestStatus, SettableStatus } from "./ChangeRequestState.ts"

const changeRequest = { space: SpaceId, changeRequest: ChangeRequestId }

export const changeRequestConcept = concept({
  events: [
    event("change_request_created", { ...changeRequest, status: ChangeRequestStatus }),
    /** Emitted if the subject or the description changes. */
    event("change_request_updated", changeRequest),
    /** Emitted if the change request is opened for review, returned to a draft, archived or reopened. */
    event("change_request_status_updated", {
      ...changeRequest,
      previousStatus: SettableStatus,
      status: SettableStatus
    }),
    event("change_request_content_updated", { ...changeRequest, revision: RevisionId }),
    /** Emitted if main was merged into the change request with conflicts. `conflicts`: number of open conflicts. */
    event("change_request_conflicts_found", { ...changeRequest, revision: RevisionId, conflicts: Schema.Int }),
    event("change_request_merged", { ...changeRequest, revision: RevisionId }),
    /** Emitted before `change_request_merged` if the merge did not meet the rules of the space. */
    event("merge_rules_bypassed", changeRequest)
  ],
  spaceDependents: [rowsWhere(ChangeRequestTable, (space) => ({ space }))],
  roots: [root(ChangeRequestTable, ({ description }) => ({ objects: [description] }))]
})
