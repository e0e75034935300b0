import { Reviews } from "@lectern/core/review/Reviews"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const ReviewsHttp = group(
  "reviews",
  Effect.fnUntraced(function* (handlers) {
    const reviews = yield* Reviews
    return handlers({
      list: ({ params, query }) => reviews.list(params.spaceId, params.changeRequestId, query),
      submit: ({ params, payload }) => reviews.submit(params.spaceId, params.changeRequestId, payload),
      get: ({ params, query }) => reviews.get(params.spaceId, params.changeRequestId, params.reviewId, query),
      listRequested: ({ params, query }) => reviews.listRequested(params.spaceId, params.changeRequestId, query),
      request: ({ params, payload }) => reviews.request(params.spaceId, params.changeRequestId, payload),
      removeRequested: ({ params }) => reviews.removeRequested(params.spaceId, params.changeRequestId, params.userId)
    })
  })
)
