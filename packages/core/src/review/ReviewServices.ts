/** Services of reviews of change requests. */
import type { Services } from "../Services.ts"
import { RequestedReviewers } from "./RequestedReviewers.ts"
import { Reviews } from "./Reviews.ts"

export const reviewServices = {
  layers: [RequestedReviewers.layer, Reviews.layer],
  jobs: [],
  offered: { reviews: Reviews, requestedReviewers: RequestedReviewers }
} as const satisfies Services
