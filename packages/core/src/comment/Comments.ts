/** Lists, posts, updates, resolves and deletes comments on spaces and change requests. */
import { Context, Effect } from "effect"
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
  type InvalidComment
} from "./Comment.ts"
import * as CommentBody from "./CommentBody.ts"
import { mayDelete, mayEdit } from "./CommentPolicy.ts"
import { CommentPresenter } from "./CommentPresenter.ts"
import { type CommentScope, CommentScopes, type ScopeFailure, type SeenScope } from "./CommentScopes.ts"
import { CommentStore } from "./CommentStore.ts"
import { CommentTargets } from "./CommentTargets.ts"
import { Reactions } from "./Reactions.ts"
import { wired } from "../wiring/Wired.ts"

const acceptPost = accepting(CommentPost)
const acceptPatch = accepting(CommentPatch)

type Formatted = { readonly format?: BodyFormat }
type Failure = ScopeFailure | CommentNotFound

export class Comments extends Context.Service<
  Comments,
  {
    /** Lists comments. Default order: newest first. */
    readonly list: (
      scope: CommentScope,
      params: PageParams & CommentFilter & Formatted
    ) => Effect.Effect<ListPage<Comment>, ScopeFailure | InvalidCursor, CurrentActor>
    /**
     * Returns a comment of a space or a change request in the requested format. `CommentNotFound` if the scope has no
     * such comment.
     */
    readonly get: (
      scope: CommentScope,
      id: CommentId,
      options?: Formatted
    ) => Effect.Effect<Comment, Failure, CurrentActor>
    /**
     * Posts a comment on a page, on a block or cell, or on the whole scope. `InvalidComment` if the target does not
     * exist, `TooCostly` for a body that takes too long to parse.
     */
    readonly post: (
      scope: CommentScope,
      input: CommentPost
    ) => Effect.Effect<Comment, ScopeFailure | InvalidComment | TooCostly | InvalidInput, CurrentActor>
    /** Updates a comment. Only its author may change the body. Users who may comment can resolve, reopen and react. */
    readonly update: (
      scope: CommentScope,
      id: CommentId,
      patch: CommentPatch
    ) => Effect.Effect<Comment, Failure | InvalidComment | TooCostly | InvalidInput, CurrentActor>
    /** Deletes a comment with its replies. Does nothing if it does not exist. */
    readonly remove: (scope: CommentScope, id: CommentId) => Effect.Effect<void, ScopeFailure, CurrentActor>
  }
>()("@lectern/core/comment/Comments") {
  static readonly layer = wired(
    Comments,
    Effect.gen(function* () {
      const storage = yield* Storage
      const threads = yield* Threads
      const ids = yield* Ids
      const paging = yield* Paging
      const scopes = yield* CommentScopes
      const store = yield* CommentStore
      const targets = yield* CommentTargets
      const presenter = yield* CommentPresenter
      const reactions = yield* Reactions

      const presentOne = ({ seen, row }: { seen: SeenScope; row: CommentRow }, format?: BodyFormat) =>
        Effect.map(presenter.comments(seen, [row], format), ([comment]) => comment!)

      return Comments.of({
        list: Effect.fn("Comments.list")(function* (
          scope,
          { order = "desc", status = "all", targetPage, authors, format, ...params }
        ) {
          const seen = yield* scopes.require(scope, "see the work on this space")
          const where = {
            ...seen.where,
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
          return { ...page, items: yield* presenter.comments(seen, page.items, format) }
        }),

        get: Effect.fn("Comments.get")(function* (scope, id, options) {
          const seen = yield* scopes.require(scope, "see the work on this space")
          return yield* presentOne({ seen, row: yield* store.find(seen, id) }, options?.format)
        }),

        post: Effect.fn("Comments.post")(function* (scope, wanted) {
          const input = yield* acceptPost(wanted)
          const before = yield* scopes.require(scope, "comment on this space")
          const body = yield* CommentBody.read(threads, input.body, ids.key)
          const about = yield* targets.find(before, input)
          const posted = yield* storage.transaction(
            Effect.gen(function* () {
              const seen = yield* scopes.require(scope, "comment on this space")
              return { seen, row: yield* store.insert(seen, body, about) }
            })
          )
          return yield* presentOne(posted)
        }),

        update: Effect.fn("Comments.update")(function* (scope, id, wanted) {
          const { body: written, resolved, ...emoji } = yield* acceptPatch(wanted)
          yield* scopes.require(scope, "comment on this space")
          const body = written && (yield* CommentBody.read(threads, written, ids.key))
          const updated = yield* storage.transaction(
            Effect.gen(function* () {
              const seen = yield* scopes.require(scope, "comment on this space")
              const actor = yield* CurrentActor
              const before = yield* store.find(seen, id)
              let row = before
              if (body !== undefined) {
                yield* mayEdit(seen.level, actor, row)
                row = yield* store.patch(row, { body, editedAt: yield* Timestamps.now })
              }
              if (resolved !== undefined) row = yield* store.resolve(seen, row, resolved)
              const reacted = yield* reactions.change(row, userOf(actor) ?? hostUser, emoji)
              if (row !== before || reacted) yield* scopes.tell(seen, "comment_updated", id)
              return { seen, row }
            })
          )
          return yield* presentOne(updated)
        }),

        remove: Effect.fn("Comments.remove")(function* (scope, id) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const seen = yield* scopes.require(scope, "see the work on this space")
                const row = yield* store.find(seen, id)
                yield* mayDelete(seen.level, yield* CurrentActor, row)
                yield* store.remove(seen, row)
              })
            )
            .pipe(Effect.catchTag("CommentNotFound", () => Effect.void))
        })
      })
    }),
    [
      CommentPresenter.layer,
      CommentScopes.layer,
      CommentStore.layer,
      CommentTargets.layer,
      Paging.layer,
      Reactions.layer
    ]
  )
}
