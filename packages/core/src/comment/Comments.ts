/** Lists, posts, updates, resolves and deletes comments on spaces and change requests. */
import { Context, Effect, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage } from "../storage/Storage.ts"
import { Threads, type TooCostly } from "../thread/Threads.ts"
import { hostUser } from "../user/User.ts"
import {
  type BodyFormat,
  type Comment,
  type CommentFilter,
  type CommentId,
  type CommentNotFound,
  CommentPatch,
  CommentPost,
  type CommentRow,
  CommentTable,
  type InvalidComment,
  type CommentReply,
  type ReplyPost,
  type TooManyReplies
} from "./Comment.ts"
import * as CommentBody from "./CommentBody.ts"
import { requireDelete, requireEdit } from "./CommentPolicy.ts"
import { makeCommentPresenter } from "./CommentPresenter.ts"
import { type CommentScope, CommentScopes, type ScopeFailure, type AuthorizedScope } from "./CommentScopes.ts"
import { makeCommentStore } from "./CommentStore.ts"
import { CommentTargets } from "./CommentTargets.ts"
import { makeReactions } from "./Reactions.ts"
import { makeCommentReplies } from "./CommentReplies.ts"
import { makeCommenters } from "./Commenters.ts"
import type { Member } from "../organization/Member.ts"

const acceptPost = accepting(CommentPost)
const acceptPatch = accepting(CommentPatch)

type FormatParams = { readonly format?: BodyFormat }
type Failure = ScopeFailure | CommentNotFound

export class Comments extends Context.Service<
  Comments,
  {
    /**
     * Lists the comments of a space or a change request. Default order: newest first.
     *
     * @param params.format Format of the bodies. Default: `markdown`.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly list: (
      scope: CommentScope,
      params: PageParams & CommentFilter & FormatParams
    ) => Effect.Effect<ListPage<Comment>, ScopeFailure | InvalidCursor, CurrentActor>
    /**
     * Returns a comment of a space or a change request.
     *
     * @param options.format Format of the body. Default: `markdown`.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound} If the scope has no such comment.
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly get: (
      scope: CommentScope,
      id: CommentId,
      options?: FormatParams
    ) => Effect.Effect<Comment, Failure, CurrentActor>
    /**
     * Posts a comment on a page, on a block or cell, or on the whole space or change request.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidComment} If the target does not exist.
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly} For a body that takes too long to parse.
     * @example
     * ```ts
     * const scope = { space: space.id, changeRequest: changeRequest.id }
     * const comment = await lectern.as(ada.id).comments.post(scope, { body: { markdown: "Is this **final**?" } })
     * await lectern.comments.postReply(scope, comment.id, { body: { markdown: "Yes." } })
     * await lectern.comments.update(scope, comment.id, { resolved: true })
     * ```
     */
    readonly post: (
      scope: CommentScope,
      input: CommentPost
    ) => Effect.Effect<Comment, ScopeFailure | InvalidComment | TooCostly | InvalidInput, CurrentActor>
    /**
     * Updates a comment. Only its author may change the body. Users who may comment can resolve, reopen and react.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound}
     * @throws {Forbidden}
     * @throws {InvalidComment}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     */
    readonly update: (
      scope: CommentScope,
      id: CommentId,
      patch: CommentPatch
    ) => Effect.Effect<Comment, Failure | InvalidComment | TooCostly | InvalidInput, CurrentActor>
    /**
     * Deletes a comment with its replies. Does nothing if it does not exist.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly remove: (scope: CommentScope, id: CommentId) => Effect.Effect<void, ScopeFailure, CurrentActor>
    /**
     * Lists the replies to a comment, oldest first.
     *
     * @param params.format Format of the bodies. Default: `markdown`.
     * @param comment Id of the comment.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly listReplies: (
      scope: CommentScope,
      comment: CommentId,
      params: PageParams & FormatParams
    ) => Effect.Effect<ListPage<CommentReply>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a reply to a comment.
     *
     * @param options.format Format of the body. Default: `markdown`.
     * @param comment Id of the comment.
     * @param id Id of the reply.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound} If the comment has no such reply.
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly getReply: (
      scope: CommentScope,
      comment: CommentId,
      id: CommentId,
      options?: FormatParams
    ) => Effect.Effect<CommentReply, Failure, CurrentActor>
    /**
     * Posts a reply to a comment.
     *
     * @param comment Id of the comment.
     * @param options.format Format of the body in the result. Default: `markdown`.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound}
     * @throws {Forbidden}
     * @throws {InvalidComment}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly} For a body that takes too long to parse.
     * @throws {TooManyReplies} If the comment has the maximum number of replies.
     */
    readonly postReply: (
      scope: CommentScope,
      comment: CommentId,
      input: ReplyPost,
      options?: FormatParams
    ) => Effect.Effect<CommentReply, Failure | InvalidComment | TooCostly | InvalidInput | TooManyReplies, CurrentActor>
    /**
     * Updates a reply. `resolved` applies to its comment, and only to comments on change requests.
     *
     * @param comment Id of the comment.
     * @param id Id of the reply.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound}
     * @throws {Forbidden}
     * @throws {InvalidComment}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     */
    readonly updateReply: (
      scope: CommentScope,
      comment: CommentId,
      id: CommentId,
      patch: CommentPatch
    ) => Effect.Effect<CommentReply, Failure | InvalidComment | TooCostly | InvalidInput, CurrentActor>
    /**
     * Deletes a reply. Does nothing if it does not exist.
     *
     * @param comment Id of the comment.
     * @param id Id of the reply.
     * @throws {ChangeRequestNotFound}
     * @throws {CommentNotFound}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly removeReply: (
      scope: CommentScope,
      comment: CommentId,
      id: CommentId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Lists the users who commented on a space or a change request, once each.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly commenters: (
      scope: CommentScope,
      params: PageParams
    ) => Effect.Effect<ListPage<Member>, ScopeFailure | InvalidCursor, CurrentActor>
  }
>()("@lectern/core/comment/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const storage = yield* Storage
      const threads = yield* Threads
      const ids = yield* Ids
      const paging = yield* Paging
      const scopes = yield* CommentScopes
      const store = yield* makeCommentStore
      const targets = yield* CommentTargets
      const presenter = yield* makeCommentPresenter
      const reactions = yield* makeReactions

      const presentOne = ({ authorized, row }: { authorized: AuthorizedScope; row: CommentRow }, format?: BodyFormat) =>
        Effect.map(presenter.comments(authorized, [row], format), ([comment]) => comment!)

      return Comments.of({
        list: Effect.fn("Comments.list")(function* (
          scope,
          { order = "desc", status = "all", targetPage, authors, format, ...params }
        ) {
          const authorized = yield* scopes.require(scope, "see the work on this space")
          const where = {
            ...authorized.where,
            ...(status !== "all" && { status }),
            ...(targetPage !== undefined && { page: targetPage }),
            ...(authors !== undefined && { author: { in: authors } })
          }
          const page = yield* paging.rows(
            CommentTable,
            `comments ${JSON.stringify([where, order])}`,
            { where, descending: order === "desc" },
            params,
            CommentBody.sizesIn(format)
          )
          return { ...page, items: yield* presenter.comments(authorized, page.items, format) }
        }),

        get: Effect.fn("Comments.get")(function* (scope, id, options) {
          const authorized = yield* scopes.require(scope, "see the work on this space")
          return yield* presentOne({ authorized, row: yield* store.find(authorized, id) }, options?.format)
        }),

        post: Effect.fn("Comments.post")(function* (scope, rawInput) {
          const input = yield* acceptPost(rawInput)
          const before = yield* scopes.require(scope, "comment on this space")
          const body = yield* CommentBody.read(threads, input.body, ids.key)
          const target = yield* targets.find(before, input)
          const postedComment = yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* scopes.require(scope, "comment on this space")
              return { authorized, row: yield* store.insert(authorized, body, target) }
            })
          )
          return yield* presentOne(postedComment)
        }),

        update: Effect.fn("Comments.update")(function* (scope, id, rawInput) {
          const { body: bodyInput, resolved, ...emojiChanges } = yield* acceptPatch(rawInput)
          yield* scopes.require(scope, "comment on this space")
          const body = bodyInput && (yield* CommentBody.read(threads, bodyInput, ids.key))
          const updatedComment = yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* scopes.require(scope, "comment on this space")
              const actor = yield* CurrentActor
              let row = yield* store.find(authorized, id)
              if (body !== undefined) {
                yield* requireEdit(authorized.level, actor, row)
                row = yield* store.patch(row, { body, editedAt: yield* Timestamps.now })
                yield* scopes.emit(authorized, { type: "comment_updated", comment: id })
              }
              if (resolved !== undefined) row = yield* store.resolve(authorized, row, resolved)
              yield* reactions.change(authorized, row, userOf(actor) ?? hostUser, emojiChanges)
              return { authorized, row }
            })
          )
          return yield* presentOne(updatedComment)
        }),

        remove: Effect.fn("Comments.remove")(function* (scope, id) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const authorized = yield* scopes.require(scope, "see the work on this space")
                const row = yield* store.find(authorized, id)
                yield* requireDelete(authorized.level, yield* CurrentActor, row)
                yield* store.remove(authorized, row)
              })
            )
            .pipe(Effect.catchTag("CommentNotFound", () => Effect.void))
        }),

        ...(yield* makeCommentReplies),

        ...(yield* makeCommenters)
      })
    })
  )
}
