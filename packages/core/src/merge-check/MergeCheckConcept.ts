/** Declares the events of checks, and that checks are deleted with their space. */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { CheckState, MergeCheckTable } from "./MergeCheck.ts"

/** `check`: name of the check. */
const check = { space: SpaceId, changeRequest: ChangeRequestId, check: Schema.String }

export const mergeCheckConcept = concept({
  events: [
    /** Emitted if a check is new, or its result changes. */
    event("change_request_check_updated", { ...check, state: CheckState }),
    event("change_request_check_removed", check)
  ],
  spaceDependents: [rowsWhere(MergeCheckTable, (space) => ({ space }))]
})
