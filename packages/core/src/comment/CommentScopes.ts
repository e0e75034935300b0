/** The scope of comments, a space or a change request of it, and the counts that are kept there. */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import {
  type ChangeRequestNotFound,
  type ChangeRequestRow,
  ChangeRequestTable,
  withContributor
} from "../change-request/ChangeRequest.ts"
import { ChangeRequestLookup } from "../change-request/ChangeRequestLookup.ts"
import type { NewEvent } from "../event/Event.ts"
import { Events } from "../event/Events.ts"
import { type SpaceId, type SpaceNotFound, SpaceTable } from "../space/Space.ts"
import { type SeenSpace, SpacePolicy } from "../space/SpacePolicy.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { CommenterTable, type CommentId, ofSpace } from "./Comment.ts"
import { wired } from "../wiring/Wired.ts"

export interface CommentScope {
  readonly space: SpaceId
  /** An id or a number. */
  readonly changeRequest?: string | undefined
}

export interface SeenScope extends SeenSpace {
  readonly changeRequest: ChangeRequestRow | undefined
  /** Fields under which the comments of the scope are kept. */
  readonly where: { readonly space: SpaceId; readonly changeRequest: ChangeRequestRow["id"] | typeof ofSpace }
}

export type ScopeFailure = SpaceNotFound | ChangeRequestNotFound | Forbidden | StorageError

export class CommentScopes extends Context.Service<
  CommentScopes,
  {
    /** The scope, where the actor may read its comments, or write some. */
    readonly require: (
      scope: CommentScope,
      action: "see the work on this space" | "comment on this space"
    ) => Effect.Effect<SeenScope, ScopeFailure, CurrentActor>
    /** In the transaction that changes how many comments are open. */
    readonly countOpen: (seen: SeenScope, change: number) => Effect.Effect<void, StorageError>
    /** In the transaction in which someone comments (1), or comments of someone's go (less than 0). */
    readonly countCommenter: (seen: SeenScope, user: UserId | null, change: number) => Effect.Effect<void, StorageError>
    /** Tells of a comment, in the transaction in which it happens. */
    readonly tell: (
      seen: SeenScope,
      type: Extract<NewEvent["type"], `comment_${string}`>,
      comment: CommentId
    ) => Effect.Effect<void, StorageError, CurrentActor>
  }
>()("@lectern/core/comment/CommentScopes") {
  static readonly layer = wired(
    CommentScopes,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const policy = yield* SpacePolicy
      const changeRequests = yield* ChangeRequestLookup
      const spaceRows = storage.repository(SpaceTable)
      const changeRequestRows = storage.repository(ChangeRequestTable)
      const commenters = storage.repository(CommenterTable)

      return CommentScopes.of({
        require: Effect.fnUntraced(function* ({ space, changeRequest: idOrNumber }, action) {
          const seen = yield* policy.require(space, action)
          const changeRequest = idOrNumber === undefined ? undefined : yield* changeRequests.find(space, idOrNumber)
          return { ...seen, changeRequest, where: { space, changeRequest: changeRequest?.id ?? ofSpace } }
        }),

        // Both ask again: what was seen may have been written since, in this transaction.
        countOpen: Effect.fnUntraced(function* ({ space, changeRequest }, change) {
          if (changeRequest !== undefined) {
            const row = yield* changeRequestRows.get({ id: changeRequest.id })
            yield* changeRequestRows.update({ id: changeRequest.id }, { comments: row!.comments + change })
            return
          }
          const row = yield* spaceRows.get({ id: space.id })
          yield* spaceRows.update({ id: space.id }, { comments: row!.comments + change })
        }, cannotConflict),

        countCommenter: Effect.fnUntraced(function* ({ where, changeRequest }, user, change) {
          if (user === null) return
          const key = { ...where, user }
          const known = yield* commenters.get(key)
          const count = (known?.count ?? 0) + change
          const at = change > 0 || known === undefined ? yield* Timestamps.now : known.at
          if (known === undefined) yield* commenters.insert({ ...key, count, at })
          else if (count > 0) yield* commenters.update(key, { count, at })
          else yield* commenters.remove(key)
          // Who has commented once had a part in it, also when the comment is gone.
          if (changeRequest === undefined || change < 0) return
          const row = (yield* changeRequestRows.get({ id: changeRequest.id }))!
          const contributors = withContributor(row, user)
          if (contributors !== row.contributors) yield* changeRequestRows.update({ id: row.id }, { contributors })
        }, cannotConflict),

        tell: ({ space, changeRequest }, type, comment) =>
          events.emit({
            type,
            organization: space.organization,
            space: space.id,
            comment,
            ...(changeRequest !== undefined && { changeRequest: changeRequest.id })
          })
      })
    }),
    [ChangeRequestLookup.layer, Events.layer, SpacePolicy.layer]
  )
}
