/** Lists the service that submits and lists reviews of change requests, and requests reviews from users. */
import { offer, type Services } from "../Services.ts"
import { Reviews } from "./Reviews.ts"

export const reviewServices = {
  jobs: [],
  offered: {
    "changeRequests.reviews": offer(Reviews, "outsideTransaction")
  }
} as const satisfies Services
