/** Lists the users who edited or commented on a change request. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { SpaceId } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { type ChangeRequestContributor, CommenterTable } from "./Comment.ts"
import { CommentScopes, type ScopeFailure } from "./CommentScopes.ts"

export class Contributors extends Context.Service<
  Contributors,
  {
    /**
     * Lists the users who edited the content, then the users who commented, with the number and the time of the last
     * contribution. A user with both kinds has two entries. Page size: 50 by default, `limit` up to 1,000.
     */
    readonly list: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams
    ) => Effect.Effect<ListPage<ChangeRequestContributor>, ScopeFailure | InvalidCursor, CurrentActor>
  }
>()("@lectern/core/comment/Contributors") {
  static readonly layer = Layer.effect(
    Contributors,
    Effect.gen(function* () {
      const commenters = (yield* Storage).repository(CommenterTable)
      const paging = yield* Paging
      const scopes = yield* CommentScopes
      const users = yield* Users

      return Contributors.of({
        list: Effect.fn("Contributors.list")(function* (space, changeRequest, params) {
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
      })
    })
  )
}
