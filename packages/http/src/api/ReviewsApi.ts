/** Reviews of a change request, and who was asked for one. */
import { BodyFormat } from "@lectern/core/comment/Comment"
import { RequestedReviewer, Review, ReviewId, ReviewRequest, ReviewSubmit } from "@lectern/core/review/Review"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const changeRequest = "/spaces/:spaceId/change-requests/:changeRequestId"
const params = { spaceId: SpaceId, changeRequestId: Schema.String }
const format = { format: Schema.optionalKey(BodyFormat) }

export const ReviewsApi = HttpApiGroup.make("reviews")
  .annotateMerge(
    OpenApi.annotations({
      title: "Reviews",
      description: "What people say of a change request as a whole, and who was asked to."
    })
  )
  .add(
    HttpApiEndpoint.get("list", `${changeRequest}/reviews`, {
      params,
      query: { ...PageQuery, ...format, outdated: Schema.optionalKey(Schema.Boolean) },
      success: listOf(Review)
    }),
    HttpApiEndpoint.post("submit", `${changeRequest}/reviews`, {
      params,
      payload: ReviewSubmit,
      success: Review.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", `${changeRequest}/reviews/:reviewId`, {
      params: { ...params, reviewId: ReviewId },
      query: format,
      success: Review
    }),
    HttpApiEndpoint.get("listRequested", `${changeRequest}/requested-reviewers`, {
      params,
      query: PageQuery,
      success: listOf(RequestedReviewer)
    }),
    HttpApiEndpoint.post("request", `${changeRequest}/requested-reviewers`, {
      params,
      payload: ReviewRequest,
      success: Schema.Struct({ users: Schema.Array(RequestedReviewer) })
    }),
    HttpApiEndpoint.delete("removeRequested", `${changeRequest}/requested-reviewers/:userId`, {
      params: { ...params, userId: Schema.String },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
