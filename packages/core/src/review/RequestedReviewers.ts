/** Requests reviews of a change request from users, and lists the requests. */
import { Effect } from "effect"
import { levelOn, type Membership, membershipOf } from "../access/Access.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { atLeast } from "../access/Role.ts"
import { ChangeRequests } from "../change-request/ChangeRequests.ts"
import { ChangeRequestStore } from "../change-request/store/ChangeRequestStore.ts"
import { CommentScopes } from "../comment/CommentScopes.ts"
import { Events } from "../event/Events.ts"
import { accepting } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { hostUser, UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { makeAwaitedReviewers } from "./store/AwaitedReviewers.ts"
import {
  InvalidReviewer,
  type RequestedReviewer,
  type RequestedReviewerRow,
  RequestedReviewerTable,
  ReviewRequest,
  ReviewTable
} from "./Review.ts"
import type { Reviews } from "./Reviews.ts"

const acceptRequest = accepting(ReviewRequest)

export const makeRequestedReviewers = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const paging = yield* Paging
  const users = yield* Users
  const scopes = yield* CommentScopes
  const changeRequests = yield* ChangeRequests
  const store = yield* ChangeRequestStore
  const requested = storage.repository(RequestedReviewerTable)
  const reviews = storage.repository(ReviewTable)
  const awaited = yield* makeAwaitedReviewers

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

  return {
    listRequested: Effect.fn("Reviews.listRequested")(function* (space, changeRequest, params) {
      const { where } = yield* scopes.require({ space, changeRequest }, "see the work on this space")
      const page = yield* paging.rows(
        RequestedReviewerTable,
        `requested reviewers of ${where.changeRequest}`,
        { where: { changeRequest: where.changeRequest } },
        params
      )
      return { ...page, items: yield* present(page.items) }
    }),

    request: Effect.fn("Reviews.request")(function* (space, changeRequest, rawInput) {
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
          yield* awaited.add(id, userIds)
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

    removeRequested: Effect.fn("Reviews.removeRequested")(function* (space, changeRequest, named) {
      const user = UserId.make(named)
      yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* scopes.require({ space, changeRequest }, "see the work on this space")
          const { id, organization } = authorized.changeRequest!
          if ((yield* requested.get({ changeRequest: id, user })) === undefined) return
          yield* store.open(space, changeRequest, { type: "review" })
          yield* requested.remove({ changeRequest: id, user })
          yield* awaited.remove(id, user)
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
  } satisfies Pick<Reviews["Service"], "listRequested" | "request" | "removeRequested">
})

/** Fails if a named user is not allowed to comment on the space. */
const requireReviewers = Effect.fnUntraced(function* (
  { facts }: Membership,
  space: SpaceRow,
  named: ReadonlyArray<UserId>
) {
  const issues = named.flatMap((user, i) => {
    const member = membershipOf(facts, user)
    const isPermitted = member !== undefined && atLeast(levelOn(member, space), "comment")
    return isPermitted ? [] : [{ path: `body.users[${i}]`, message: "Expected a member who may comment on the space" }]
  })
  if (issues.length > 0) return yield* new InvalidReviewer({ issues: issues.slice(0, 20) })
})
