/** The scope of comments, which is a space or a change request, and the comment counts of the scope. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import {
  type ChangeRequestNotFound,
  type ChangeRequestRow,
  ChangeRequestTable,
  withContributor
} from "../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../change-request/store/ChangeRequestLookup.ts"
import type { NewEvent } from "../event/Event.ts"
import { Events } from "../event/Events.ts"
import { type SpaceId, type SpaceNotFound, SpaceTable } from "../space/Space.ts"
import { type AuthorizedSpace, SpacePolicy } from "../space/SpacePolicy.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { CommenterTable, noChangeRequest } from "./Comment.ts"

/** Space or change request whose comments are meant. */
export interface CommentScope {
  /** Id of the space. */
  readonly space: SpaceId
  /** Id or number of a change request. Default: the space itself. */
  readonly changeRequest?: string | undefined
}

export interface AuthorizedScope extends AuthorizedSpace {
  readonly changeRequest: ChangeRequestRow | undefined
  /** Column values that identify the comments of the scope. */
  readonly where: { readonly space: SpaceId; readonly changeRequest: ChangeRequestRow["id"] | typeof noChangeRequest }
}

type EventFields<E> = E extends NewEvent ? Omit<E, "organization" | "space" | "changeRequest"> : never

/** Event of a comment, without the fields of its scope. */
type CommentEvent = EventFields<Extract<NewEvent, { readonly type: `comment_${string}` }>>

export type ScopeFailure = SpaceNotFound | ChangeRequestNotFound | Forbidden | StorageError

export class CommentScopes extends Context.Service<
  CommentScopes,
  {
    /** Returns the scope if the actor may read its comments, or write comments, depending on the action. */
    readonly require: (
      scope: CommentScope,
      action: "see the work on this space" | "comment on this space"
    ) => Effect.Effect<AuthorizedScope, ScopeFailure, CurrentActor>
    /** Changes the number of open comments. Must run in the transaction that changes the comments. */
    readonly countOpen: (authorized: AuthorizedScope, change: number) => Effect.Effect<void, StorageError>
    /**
     * Changes the number of comments of a user: 1 for a new comment, negative for deleted ones. Must run in the
     * transaction that changes the comments.
     */
    readonly countCommenter: (
      authorized: AuthorizedScope,
      user: UserId | null,
      change: number
    ) => Effect.Effect<void, StorageError>
    /** Emits an event of a comment. Must run in the transaction of the change. */
    readonly emit: (authorized: AuthorizedScope, event: CommentEvent) => Effect.Effect<void, StorageError, CurrentActor>
  }
>()("@lectern/core/comment/CommentScopes") {
  static readonly layer = Layer.effect(
    CommentScopes,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const policy = yield* SpacePolicy
      const changeRequests = yield* makeChangeRequestLookup
      const spaceRows = storage.repository(SpaceTable)
      const changeRequestRows = storage.repository(ChangeRequestTable)
      const commenters = storage.repository(CommenterTable)

      return CommentScopes.of({
        require: Effect.fnUntraced(function* ({ space, changeRequest: idOrNumber }, action) {
          const authorized = yield* policy.require(space, action)
          const changeRequest = idOrNumber === undefined ? undefined : yield* changeRequests.find(space, idOrNumber)
          return { ...authorized, changeRequest, where: { space, changeRequest: changeRequest?.id ?? noChangeRequest } }
        }),

        // `countOpen` and `countCommenter` read the rows again, since this transaction may have changed them.
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
          const existingRow = yield* commenters.get(key)
          const count = (existingRow?.count ?? 0) + change
          const at = change > 0 || existingRow === undefined ? yield* Timestamps.now : existingRow.at
          if (existingRow === undefined) yield* commenters.insert({ ...key, count, at })
          else if (count > 0) yield* commenters.update(key, { count, at })
          else yield* commenters.remove(key)
          // A user who commented remains a contributor after the comment is deleted.
          if (changeRequest === undefined || change < 0) return
          const row = (yield* changeRequestRows.get({ id: changeRequest.id }))!
          const contributors = withContributor(row, user)
          if (contributors !== row.contributors) yield* changeRequestRows.update({ id: row.id }, { contributors })
        }, cannotConflict),

        emit: ({ space, changeRequest }, event) =>
          events.emit({
            ...event,
            organization: space.organization,
            space: space.id,
            ...(changeRequest !== undefined && { changeRequest: changeRequest.id })
          })
      })
    })
  )
}
