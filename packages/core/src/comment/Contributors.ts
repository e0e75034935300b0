/** Lists the users who edited or commented on a change request. */
import { Effect } from "effect"
import { Paging } from "../paging/Paging.ts"
import { Storage } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { CommenterTable } from "./Comment.ts"
import { CommentScopes } from "./CommentScopes.ts"
import type { ChangeRequests } from "../change-request/ChangeRequests.ts"

export const makeContributors = Effect.gen(function* () {
  const commenters = (yield* Storage).repository(CommenterTable)
  const paging = yield* Paging
  const scopes = yield* CommentScopes
  const users = yield* Users

  return {
    contributors: Effect.fn("ChangeRequests.contributors")(function* (space, changeRequest, params) {
      const scope = yield* scopes.require({ space, changeRequest }, "see the work on this space")
      const edits = Object.entries(scope.changeRequest!.edits).map(([user, { count, at }]) => ({
        user: UserId.make(user),
        count,
        at,
        actionType: "edit" as const
      }))
      const comments = (yield* commenters.list({ where: scope.where })).map(({ user, count, at }) => ({
        user,
        count,
        at,
        actionType: "comment" as const
      }))
      const byUser = <A extends { readonly user: string }>(all: ReadonlyArray<A>) =>
        all.toSorted((a, b) => (a.user < b.user ? -1 : 1))
      const page = yield* paging.inOrder(
        [...byUser(edits), ...byUser(comments)],
        `contributors of ${scope.where.changeRequest}`,
        ({ actionType, user }) => `${actionType} ${user}`,
        params
      )
      const people = yield* users.present(page.items.map(({ user }) => user))
      return {
        ...page,
        items: page.items.map(({ user, count, at, actionType }) => ({
          user: people.get(user)!,
          count,
          updatedAt: at,
          actionType
        }))
      }
    })
  } satisfies Pick<ChangeRequests["Service"], "contributors">
})
