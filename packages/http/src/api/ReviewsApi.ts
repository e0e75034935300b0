/** Reviews of change requests, and requested reviewers. */
import { RequestedReviewer, Review, ReviewId, ReviewRequest, ReviewSubmit } from "@lectern/core/review/Review"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { format } from "./CommentsApi.ts"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, spaceId, userId } from "./Parameters.ts"

const changeRequest = "/spaces/:spaceId/change-requests/:changeRequestId"
const params = { spaceId, changeRequestId }

export const ReviewsApi = HttpApiGroup.make("reviews")
  .annotateMerge(
    OpenApi.annotations({
      title: "Reviews",
      description: "Reviews of change requests, and requested reviewers."
    })
  )
  .add(
    Operation.get("list", `${changeRequest}/reviews`, {
      description: "Lists the reviews of a change request.",
      scopes: ["space:content:read"],
      params,
      query: {
        ...PageQuery,
        ...format,
        outdated: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: includes reviews of earlier states of the change request."
        })
      },
      success: listOf(Review)
    }),
    Operation.post("submit", `${changeRequest}/reviews`, {
      description: "Approves a change request, or requests changes.",
      scopes: ["space:review"],
      params,
      payload: ReviewSubmit,
      success: Review.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", `${changeRequest}/reviews/:reviewId`, {
      description: "Returns one review.",
      scopes: ["space:content:read"],
      params: { ...params, reviewId: ReviewId.annotateKey({ description: "The id of the review." }) },
      query: format,
      success: Review
    }),
    Operation.get("listRequested", `${changeRequest}/requested-reviewers`, {
      description: "Lists the requested reviewers of a change request.",
      scopes: ["space:content:read"],
      params,
      query: PageQuery,
      success: listOf(RequestedReviewer)
    }),
    Operation.post("request", `${changeRequest}/requested-reviewers`, {
      description: "Requests reviews of a change request from users.",
      scopes: ["space:review"],
      params,
      payload: ReviewRequest,
      success: Schema.Struct({ users: Schema.Array(RequestedReviewer) })
    }),
    Operation.delete("removeRequested", `${changeRequest}/requested-reviewers/:userId`, {
      description: "Removes a requested reviewer from a change request.",
      scopes: ["space:review"],
      params: { ...params, userId },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
