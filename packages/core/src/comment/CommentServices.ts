/**
 * Lists the services of comments, replies and reactions, of the users who commented, and of the contributors to
 * content.
 */
import { offer, type Services } from "../Services.ts"
import { CommentPresenter } from "./CommentPresenter.ts"
import { CommentReplies } from "./CommentReplies.ts"
import { CommentScopes } from "./CommentScopes.ts"
import { CommentStore } from "./CommentStore.ts"
import { CommentTargets } from "./CommentTargets.ts"
import { Commenters } from "./Commenters.ts"
import { Contributors } from "./Contributors.ts"
import { Comments } from "./Comments.ts"
import { Reactions } from "./Reactions.ts"

export const commentServices = {
  layers: [
    Commenters.layer,
    Contributors.layer,
    CommentPresenter.layer,
    CommentReplies.layer,
    Comments.layer,
    CommentScopes.layer,
    CommentStore.layer,
    CommentTargets.layer,
    Reactions.layer
  ],
  jobs: [],
  offered: {
    comments: offer(Comments, "outsideTransaction"),
    commentReplies: offer(CommentReplies, "outsideTransaction"),
    commenters: offer(Commenters, "outsideTransaction"),
    contributors: offer(Contributors, "outsideTransaction")
  }
} as const satisfies Services
