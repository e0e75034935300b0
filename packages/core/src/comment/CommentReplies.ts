/** Lists, posts, updates and deletes the replies to a comment. */
import { Effect } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import { accepting } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import { hostUser } from "../user/User.ts"
import {
  type BodyFormat,
  CommentId,
  CommentNotFound,
  CommentPatch,
  type CommentReplyRow,
  CommentReplyTable,
  type CommentRow,
  maxReplies,
  ReplyPost,
  TooManyReplies
} from "./Comment.ts"
import * as CommentBody from "./CommentBody.ts"
import { requireDelete, requireEdit } from "./CommentPolicy.ts"
import { makeCommentPresenter } from "./CommentPresenter.ts"
import { CommentScopes, type AuthorizedScope } from "./CommentScopes.ts"
import { makeCommentStore } from "./CommentStore.ts"
import { ReactionTable } from "./Reaction.ts"
import { makeReactions } from "./Reactions.ts"
import type { Comments } from "./Comments.ts"

const acceptPost = accepting(ReplyPost)
const acceptPatch = accepting(CommentPatch)

export const makeCommentReplies = Effect.gen(function* () {
  const storage = yield* Storage
  const threads = yield* Threads
  const ids = yield* Ids
  const paging = yield* Paging
  const scopes = yield* CommentScopes
  const comments = yield* makeCommentStore
  const presenter = yield* makeCommentPresenter
  const reactions = yield* makeReactions
  const replies = storage.repository(CommentReplyTable)
  const reactionRows = storage.repository(ReactionTable)

  const find = Effect.fnUntraced(function* (comment: CommentId, id: CommentId) {
    const row = yield* replies.get({ id })
    if (row?.comment !== comment) {
      return yield* new CommentNotFound({ message: `There is no reply ${id.slice(0, 50)} to this comment` })
    }
    return row
  })

  const presentOne = (
    { authorized, row }: { authorized: AuthorizedScope; row: CommentReplyRow },
    format?: BodyFormat
  ) => Effect.map(presenter.replies(authorized, [row], format), ([reply]) => reply!)

  /** Updates the counts of replies and emits the event, after a reply was added (1) or removed (-1). */
  const count = Effect.fnUntraced(function* (
    authorized: AuthorizedScope,
    to: CommentRow,
    { id, author }: CommentReplyRow,
    change: 1 | -1
  ) {
    const { [author ?? hostUser]: repliesBefore, ...otherRepliers } = to.repliers
    const count = (repliesBefore?.count ?? 0) + change
    const at = change === 1 || repliesBefore === undefined ? yield* Timestamps.now : repliesBefore.at
    yield* comments.patch(to, {
      replies: to.replies + change,
      repliers: author === null || count === 0 ? otherRepliers : { ...otherRepliers, [author]: { count, at } }
    })
    yield* scopes.countCommenter(authorized, author, change)
    const type = change === 1 ? "comment_reply_posted" : "comment_reply_deleted"
    yield* scopes.emit(authorized, { type, comment: to.id, reply: id })
  })

  return {
    listReplies: Effect.fn("Comments.listReplies")(function* (scope, comment, { format, ...params }) {
      const authorized = yield* scopes.require(scope, "see the work on this space")
      yield* comments.find(authorized, comment)
      const list = `replies to ${comment}`
      const sizes = CommentBody.sizesIn(format)
      const page = yield* paging.rows(CommentReplyTable, list, { where: { comment } }, params, sizes)
      return { ...page, items: yield* presenter.replies(authorized, page.items, format) }
    }),

    getReply: Effect.fn("Comments.getReply")(function* (scope, comment, id, options) {
      const authorized = yield* scopes.require(scope, "see the work on this space")
      yield* comments.find(authorized, comment)
      return yield* presentOne({ authorized, row: yield* find(comment, id) }, options?.format)
    }),

    postReply: Effect.fn("Comments.postReply")(function* (scope, comment, rawInput, options) {
      const input = yield* acceptPost(rawInput)
      yield* scopes.require(scope, "comment on this space")
      const body = yield* CommentBody.read(threads, input.body, ids.key)
      const postedReply = yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* scopes.require(scope, "comment on this space")
          const to = yield* comments.find(authorized, comment)
          if (to.replies >= maxReplies) {
            return yield* new TooManyReplies({ message: `A comment has at most ${maxReplies} replies` })
          }
          const [lastReply] = yield* replies.list({ where: { comment }, descending: true, limit: 1 })
          const row: CommentReplyRow = {
            id: CommentId.make(yield* lastReply === undefined ? ids.next : ids.nextAfter(lastReply.id)),
            comment,
            ...authorized.where,
            author: userOf(yield* CurrentActor),
            body,
            postedAt: yield* Timestamps.now
          }
          yield* replies.insert(row).pipe(cannotConflict)
          yield* count(authorized, to, row, 1)
          return { authorized, row }
        })
      )
      return yield* presentOne(postedReply, options?.format)
    }),

    updateReply: Effect.fn("Comments.updateReply")(function* (scope, comment, id, rawInput) {
      const { body: bodyInput, resolved, ...emojiChanges } = yield* acceptPatch(rawInput)
      yield* scopes.require(scope, "comment on this space")
      const body = bodyInput && (yield* CommentBody.read(threads, bodyInput, ids.key))
      const updatedReply = yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* scopes.require(scope, "comment on this space")
          const actor = yield* CurrentActor
          const to = yield* comments.find(authorized, comment)
          let row = yield* find(comment, id)
          if (body !== undefined) {
            yield* requireEdit(authorized.level, actor, row)
            const patch = { body, editedAt: yield* Timestamps.now }
            yield* replies.update({ id }, patch)
            row = applyPatch(CommentReplyTable, row, patch)
            yield* scopes.emit(authorized, { type: "comment_reply_updated", comment, reply: id })
          }
          if (resolved !== undefined && authorized.changeRequest !== undefined) {
            yield* comments.resolve(authorized, to, resolved)
          }
          yield* reactions.change(authorized, row, userOf(actor) ?? hostUser, emojiChanges)
          return { authorized, row }
        })
      )
      return yield* presentOne(updatedReply)
    }),

    removeReply: Effect.fn("Comments.removeReply")(function* (scope, comment, id) {
      yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* scopes.require(scope, "see the work on this space")
          const to = yield* comments.find(authorized, comment)
          const row = yield* replies.get({ id })
          if (row?.comment !== comment) return
          yield* requireDelete(authorized.level, yield* CurrentActor, row)
          yield* reactionRows.remove({ to: id })
          yield* replies.remove({ id })
          yield* count(authorized, to, row, -1)
        })
      )
    })
  } satisfies Pick<Comments["Service"], "listReplies" | "getReply" | "postReply" | "updateReply" | "removeReply">
})
