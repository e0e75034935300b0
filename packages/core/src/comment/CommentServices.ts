/**
 * Lists the services of comments, replies and reactions, of the users who commented, and of the contributors to
 * content.
 */
import { offer, type Services } from "../Services.ts"
import { CommentReplies } from "./CommentReplies.ts"
import { Commenters } from "./Commenters.ts"
import { Contributors } from "./Contributors.ts"
import { Comments } from "./Comments.ts"

export const commentServices = {
  jobs: [],
  offered: {
    comments: offer(Comments, "outsideTransaction"),
    commentReplies: offer(CommentReplies, "outsideTransaction"),
    commenters: offer(Commenters, "outsideTransaction"),
    contributors: offer(Contributors, "outsideTransaction")
  }
} as const satisfies Services
