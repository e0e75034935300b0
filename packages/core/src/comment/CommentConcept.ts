/**
 * Declares the events of comments, and that comments, replies, participants and reactions are deleted with their space.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { CommenterTable, CommentReplyTable, CommentTable } from "./Comment.ts"
import { ReactionTable } from "./Reaction.ts"

const comment = { space: SpaceId, comment: Schema.String, changeRequest: Schema.optionalKey(ChangeRequestId) }

export const commentConcept = concept({
  events: [
    event("comment_posted", comment),
    /** Emitted if the comment's text, status, reactions or replies change. */
    event("comment_updated", comment),
    event("comment_deleted", comment)
  ],
  spaceDependents: [
    rowsWhere(CommentTable, (space) => ({ space })),
    rowsWhere(CommentReplyTable, (space) => ({ space })),
    rowsWhere(CommenterTable, (space) => ({ space })),
    rowsWhere(ReactionTable, (space) => ({ space }))
  ]
})
