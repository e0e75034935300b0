/** Lists the services that submit and list reviews of change requests, and that request reviews from users. */
import { offer, type Services } from "../Services.ts"
import { RequestedReviewers } from "./RequestedReviewers.ts"
import { Reviews } from "./Reviews.ts"

export const reviewServices = {
  jobs: [],
  offered: {
    reviews: offer(Reviews, "outsideTransaction"),
    requestedReviewers: offer(RequestedReviewers, "outsideTransaction")
  }
} as const satisfies Services
