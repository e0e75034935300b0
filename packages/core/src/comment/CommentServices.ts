/** Lists the service of comments, replies, reactions and the users who commented. */
import { offer, type Services } from "../Services.ts"
import { Comments } from "./Comments.ts"

export const commentServices = {
  jobs: [],
  offered: {
    comments: offer(Comments, "outsideTransaction")
  }
} as const satisfies Services
