/** Declares the events of reviews, and that reviews and requests for reviews are deleted with their space. */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { UserId } from "../user/User.ts"
import { RequestedReviewerTable, ReviewTable } from "./Review.ts"

const changeRequest = { space: SpaceId, changeRequest: ChangeRequestId }

export const reviewConcept = concept({
  events: [
    event("change_request_review_requested", { ...changeRequest, user: UserId }),
    /** Emitted if the request for a review is removed. */
    event("change_request_review_request_removed", { ...changeRequest, user: UserId }),
    event("change_request_reviewed", { ...changeRequest, review: Schema.String })
  ],
  spaceDependents: [
    rowsWhere(ReviewTable, (space) => ({ space })),
    rowsWhere(RequestedReviewerTable, (space) => ({ space }))
  ]
})
