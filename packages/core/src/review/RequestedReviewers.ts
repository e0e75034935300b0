/** Requests reviews of a change request from users, and lists the requests. */
import { Context, Effect, Layer } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { atLeast } from "../access/Role.ts"
import { ChangeRequests } from "../change-request/ChangeRequests.ts"
import { ChangeRequestStore, type OpenFailure } from "../change-request/ChangeRequestStore.ts"
import { CommentScopes, type ScopeFailure } from "../comment/CommentScopes.ts"
import type { InvalidChange } from "../content/edits/ContentErrors.ts"
import { Events } from "../event/Events.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId, SpaceRow } from "../space/Space.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { TooCostly } from "../thread/Threads.ts"
import { hostUser, UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import {
  InvalidReviewer,
  type RequestedReviewer,
  type RequestedReviewerRow,
  RequestedReviewerTable,
  ReviewRequest,
  ReviewTable
} from "./Review.ts"

const acceptRequest = accepting(ReviewRequest)

export class RequestedReviewers extends Context.Service<
  RequestedReviewers,
  {
    /** Lists the requested reviewers of a change request. Page size: 50 by default, `limit` up to 1,000. */
    readonly list: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams
    ) => Effect.Effect<ListPage<RequestedReviewer>, ScopeFailure | InvalidCursor, CurrentActor>
    /**
     * Requests reviews from users and returns the requests. A user with an earlier request gets a new one. Requires
     * permission to change the change request.
     */
    readonly request: (
      space: SpaceId,
      changeRequest: string,
      input: ReviewRequest
    ) => Effect.Effect<
      { readonly users: ReadonlyArray<RequestedReviewer> },
      OpenFailure | InvalidReviewer | InvalidChange | TooCostly | InvalidInput,
      CurrentActor
    >
    /** Removes the request to a user. Does nothing if there is no request. */
    readonly remove: (
      space: SpaceId,
      changeRequest: string,
      user: string
    ) => Effect.Effect<void, OpenFailure, CurrentActor>
  }
>()("@lectern/core/review/RequestedReviewers") {
  static readonly layer = Layer.effect(
    RequestedReviewers,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const paging = yield* Paging
      const users = yield* Users
      const scopes = yield* CommentScopes
      const changeRequests = yield* ChangeRequests
      const store = yield* ChangeRequestStore
      const requested = storage.repository(RequestedReviewerTable)
      const reviews = storage.repository(ReviewTable)

      const present = Effect.fnUntraced(function* (rows: ReadonlyArray<RequestedReviewerRow>) {
        const people = yield* users.present(rows.flatMap(({ user, requestedBy }) => [user, requestedBy ?? hostUser]))
        return rows.map(({ user, requestedBy, revision, createdAt }): RequestedReviewer => ({
          object: "change-request-requested-reviewer",
          kind: "user",
          user: people.get(user)!,
          revision,
          requestedBy: people.get(requestedBy ?? hostUser)!,
          createdAt
        }))
      })

      return RequestedReviewers.of({
        list: Effect.fn("RequestedReviewers.list")(function* (space, changeRequest, params) {
          const { where } = yield* scopes.require({ space, changeRequest }, "see the work on this space")
          const page = yield* paging.rows(
            RequestedReviewerTable,
            `requested reviewers of ${where.changeRequest}`,
            { where: { changeRequest: where.changeRequest } },
            params
          )
          return { ...page, items: yield* present(page.items) }
        }),

        request: Effect.fn("RequestedReviewers.request")(function* (space, changeRequest, rawInput) {
          const { users: userIds, ...patch } = yield* acceptRequest(rawInput)
          yield* store.open(space, changeRequest, { type: "review" })
          const { member, space: row } = yield* scopes.require({ space, changeRequest }, "comment on this space")
          yield* requireReviewers(member, row, userIds)
          if (Object.values(patch).some((value) => value !== undefined)) {
            yield* changeRequests.update(space, changeRequest, patch)
          }
          const now = yield* Timestamps.now
          const requestedBy = userOf(yield* CurrentActor)
          const rows = yield* storage.transaction(
            Effect.gen(function* () {
              const { row: opened } = yield* store.open(space, changeRequest, { type: "review" })
              const { id, organization, revision } = opened
              const eventFields = { organization, space, changeRequest: id }
              return yield* Effect.forEach(
                new Set(userIds),
                Effect.fnUntraced(function* (user) {
                  const request: RequestedReviewerRow = {
                    space,
                    changeRequest: id,
                    user,
                    revision,
                    requestedBy,
                    createdAt: now
                  }
                  yield* requested.remove({ changeRequest: id, user })
                  yield* requested.insert(request)
                  yield* reviews.update({ changeRequest: id, reviewer: user, superseded: false }, { superseded: true })
                  yield* events.emit({ type: "change_request_review_requested", ...eventFields, user })
                  return request
                })
              )
            }).pipe(cannotConflict)
          )
          return { users: yield* present(rows) }
        }),

        remove: Effect.fn("RequestedReviewers.remove")(function* (space, changeRequest, named) {
          const user = UserId.make(named)
          yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* scopes.require({ space, changeRequest }, "see the work on this space")
              const { id, organization } = authorized.changeRequest!
              if ((yield* requested.get({ changeRequest: id, user })) === undefined) return
              yield* store.open(space, changeRequest, { type: "review" })
              yield* requested.remove({ changeRequest: id, user })
              yield* events.emit({
                type: "change_request_review_request_removed",
                organization,
                space,
                changeRequest: id,
                user
              })
            })
          )
        })
      })
    })
  )
}

/** Fails if a named user is not allowed to comment on the space. */
const requireReviewers = Effect.fnUntraced(function* (
  { facts }: Membership,
  space: SpaceRow,
  named: ReadonlyArray<UserId>
) {
  const issues = named.flatMap((user, i) => {
    const row = facts.members.get(user)
    const isPermitted =
      row !== undefined &&
      !row.disabled &&
      atLeast(levelOn({ user, role: row.role, admin: row.role === "admin", facts }, space), "comment")
    return isPermitted ? [] : [{ path: `body.users[${i}]`, message: "Expected a member who may comment on the space" }]
  })
  if (issues.length > 0) return yield* new InvalidReviewer({ issues: issues.slice(0, 20) })
})
