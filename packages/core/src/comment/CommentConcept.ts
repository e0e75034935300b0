/**
 * Declares the events of comments, and that comments, replies, participants and reactions are deleted with their space.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { CommenterTable, CommentId, CommentReplyTable, CommentTable } from "./Comment.ts"
import { ReactionTable } from "./Reaction.ts"

const comment = { space: SpaceId, comment: CommentId, changeRequest: Schema.optionalKey(ChangeRequestId) }
const reply = { ...comment, reply: CommentId }

export const commentConcept = concept({
  events: [
    event("comment_posted", comment),
    /** Emitted if the comment's text changes. */
    event("comment_updated", comment),
    event("comment_resolved", comment),
    event("comment_reopened", comment),
    /** Emitted if a comment is deleted with its replies, which emit no events. */
    event("comment_deleted", comment),
    event("comment_reply_posted", reply),
    /** Emitted if the reply's text changes. */
    event("comment_reply_updated", reply),
    event("comment_reply_deleted", reply),
    /** Emoji that the actor added to the comment or the reply, and that the actor removed. */
    event("comment_reactions_updated", {
      ...comment,
      reply: Schema.optionalKey(CommentId),
      added: Schema.Array(Schema.String),
      removed: Schema.Array(Schema.String)
    })
  ],
  spaceDependents: [
    rowsWhere(CommentTable, (space) => ({ space })),
    rowsWhere(CommentReplyTable, (space) => ({ space })),
    rowsWhere(CommenterTable, (space) => ({ space })),
    rowsWhere(ReactionTable, (space) => ({ space }))
  ]
})
