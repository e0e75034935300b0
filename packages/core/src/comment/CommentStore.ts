/** Stores comments. Each write runs in the caller's transaction and keeps the counts exact. */
import { Effect } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, type Patch, Storage } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import {
  CommentId,
  CommentNotFound,
  CommentReplyTable,
  type CommentRow,
  CommentTable,
  type StoredBody
} from "./Comment.ts"
import { CommentScopes, type AuthorizedScope } from "./CommentScopes.ts"
import type { CommentTarget } from "./CommentTargets.ts"
import { ReactionTable } from "./Reaction.ts"

export const makeCommentStore = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const scopes = yield* CommentScopes
  const comments = storage.repository(CommentTable)
  const replies = storage.repository(CommentReplyTable)
  const reactions = storage.repository(ReactionTable)

  const patch = Effect.fnUntraced(function* (row: CommentRow, changes: Patch<CommentRow>) {
    yield* comments.update({ id: row.id }, changes)
    return (yield* comments.get({ id: row.id }))!
  })

  return {
    /** Returns a comment of a scope. */
    find: Effect.fnUntraced(function* ({ where }: AuthorizedScope, id: CommentId) {
      const row = yield* comments.get({ id })
      if (row?.space !== where.space || row.changeRequest !== where.changeRequest) {
        return yield* new CommentNotFound({ message: `There is no comment ${id.slice(0, 50)} here` })
      }
      return row
    }),

    insert: Effect.fnUntraced(function* (
      authorized: AuthorizedScope,
      body: StoredBody,
      about: CommentTarget & Pick<CommentRow, "review">
    ) {
      const author = userOf(yield* CurrentActor)
      const [lastComment] = yield* comments.list({ where: authorized.where, descending: true, limit: 1 })
      const row: CommentRow = {
        id: CommentId.make(yield* lastComment === undefined ? ids.next : ids.nextAfter(lastComment.id)),
        ...authorized.where,
        author,
        body,
        postedAt: yield* Timestamps.now,
        status: "open",
        replies: 0,
        repliers: {},
        ...about
      }
      yield* comments.insert(row).pipe(cannotConflict)
      yield* scopes.countOpen(authorized, 1)
      yield* scopes.countCommenter(authorized, author, 1)
      yield* scopes.emit(authorized, { type: "comment_posted", comment: row.id })
      return row
    }),

    patch,

    /** Resolves or reopens a comment. Does nothing if it already has the status. */
    resolve: Effect.fnUntraced(function* (authorized: AuthorizedScope, row: CommentRow, resolved: boolean) {
      if ((row.status === "resolved") === resolved) return row
      yield* scopes.countOpen(authorized, resolved ? -1 : 1)
      yield* scopes.emit(authorized, { type: resolved ? "comment_resolved" : "comment_reopened", comment: row.id })
      const resolvedAt = yield* Timestamps.now
      return yield* patch(
        row,
        resolved
          ? { status: "resolved", resolvedAt, resolvedBy: userOf(yield* CurrentActor) }
          : { status: "open", resolvedAt: undefined, resolvedBy: undefined }
      )
    }),

    /** Removes a comment with its replies and all reactions. */
    remove: Effect.fnUntraced(function* (authorized: AuthorizedScope, row: CommentRow) {
      const { id, author, repliers, status } = row
      yield* scopes.countCommenter(authorized, author, -1)
      for (const [user, { count }] of Object.entries(repliers)) {
        yield* scopes.countCommenter(authorized, UserId.make(user), -count)
      }
      if (status === "open") yield* scopes.countOpen(authorized, -1)
      yield* reactions.remove({ comment: id })
      yield* replies.remove({ comment: id })
      yield* comments.remove({ id })
      yield* scopes.emit(authorized, { type: "comment_deleted", comment: id })
    })
  }
})
