/**
 * Reviews of a whole change request: approval, or a request for changes. A review may have a comment, which becomes a
 * comment of the change request.
 *
 * A review is outdated if the change request has a newer revision, or if its reviewer submitted a newer review or
 * received a newer request. A merge requires reviews only if rules do (see
 * `merge-rules/MergeRules`).
 *
 * Limits: 1,000 reviews of a change request, 100 users per request.
 */
import { Schema } from "effect"
import { ChangeRequestId, ChangeRequestPatch } from "../change-request/ChangeRequest.ts"
import { BodyInput, Comment, CommentId } from "../comment/Comment.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { User, UserId } from "../user/User.ts"

export const maxReviews = 1_000

/** Id of a review. */
export const ReviewId = Schema.String.pipe(Schema.brand("ReviewId"))
export type ReviewId = typeof ReviewId.Type

export const ReviewStatus = Schema.Literals(["approved", "changes-requested"])
export type ReviewStatus = typeof ReviewStatus.Type

export const ReviewRow = Schema.Struct({
  id: ReviewId,
  space: SpaceId,
  changeRequest: ChangeRequestId,
  /** Reviewed revision. */
  revision: RevisionId,
  /** Null for the host application. */
  reviewer: Schema.NullOr(UserId),
  /** User who requested the review. Null for the host application, absent without a request. */
  requestedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  status: ReviewStatus,
  comment: Schema.optionalKey(CommentId),
  /** True if the reviewer submitted a newer review or received a newer request. */
  superseded: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type ReviewRow = typeof ReviewRow.Type

export const ReviewTable = Table.make("review", ReviewRow, {
  key: ["id"],
  indexes: [["changeRequest", "id"], ["changeRequest", "reviewer", "superseded"], ["space"]]
})

export const RequestedReviewerRow = Schema.Struct({
  space: SpaceId,
  changeRequest: ChangeRequestId,
  user: UserId,
  /** Revision of the change request at the time of the request. */
  revision: RevisionId,
  requestedBy: Schema.NullOr(UserId),
  createdAt: Timestamp
})
export type RequestedReviewerRow = typeof RequestedReviewerRow.Type

export const RequestedReviewerTable = Table.make("requestedReviewer", RequestedReviewerRow, {
  key: ["changeRequest", "user"],
  indexes: [["space"], ["user"]]
})

export const ReviewSubmit = Schema.Struct({
  /** Result of the review. */
  status: ReviewStatus,
  /** Comment to the authors, as Markdown or a document. Default: none. */
  comment: Schema.optionalKey(BodyInput)
})
export type ReviewSubmit = typeof ReviewSubmit.Type

/** Request for reviews by users. */
export const ReviewRequest = Schema.Struct({
  /** Ids of the users. */
  users: Schema.Array(UserId).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  /** New subject of the change request. Default: unchanged. */
  subject: ChangeRequestPatch.fields.subject,
  /** New description of the change request. Default: unchanged. */
  description: ChangeRequestPatch.fields.description
})
export type ReviewRequest = typeof ReviewRequest.Type

/** A review as an API resource. */
export const Review = Schema.Struct({
  object: Schema.Literal("change-request-review"),
  id: ReviewId,
  /** Id of the reviewed revision. */
  revision: RevisionId,
  /** User who submitted the review. */
  reviewer: User,
  /** User who requested the review. */
  requestedBy: Schema.optionalKey(User),
  /** Result of the review. */
  status: ReviewStatus,
  /** True if the change request has changed since. */
  outdated: Schema.Boolean,
  /** Comment of the reviewer. */
  comment: Schema.optionalKey(Comment),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Schema.Struct({ location: Schema.String })
})
export interface Review extends Schema.Schema.Type<typeof Review> {}

/** A request for a review as an API resource. */
export const RequestedReviewer = Schema.Struct({
  object: Schema.Literal("change-request-requested-reviewer"),
  /** Always `user`. */
  kind: Schema.Literal("user"),
  /** User who is requested. */
  user: User,
  /** Id of the revision of the change request at the time of the request. */
  revision: RevisionId,
  /** User who requested the review. */
  requestedBy: User,
  createdAt: Timestamp
})
export interface RequestedReviewer extends Schema.Schema.Type<typeof RequestedReviewer> {}

/** Raised if the change request has no such review. */
export class ReviewNotFound extends Schema.TaggedError<ReviewNotFound>()(
  "ReviewNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the input names a user who can't review the change request. */
export class InvalidReviewer extends Schema.TaggedError<InvalidReviewer>()(
  "InvalidReviewer",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "Who is asked for a review has to be a member of the organization who may comment on the space"
  }
}

/** Raised if the change request has 1,000 reviews. */
export class TooManyReviews extends Schema.TaggedError<TooManyReviews>()(
  "TooManyReviews",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
