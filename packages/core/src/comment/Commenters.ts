/** Lists the users who commented, as members of the organization. Former members are omitted. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Member } from "../organization/Member.ts"
import { makeMemberPresenter } from "../organization/MemberPresenter.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage } from "../storage/Storage.ts"
import { CommenterTable } from "./Comment.ts"
import { type CommentScope, CommentScopes, type ScopeFailure } from "./CommentScopes.ts"

export class Commenters extends Context.Service<
  Commenters,
  {
    /**
     * Lists the users who commented on a space or a change request, once each. Page size: 50 by default, `limit` up to
     * 1,000.
     */
    readonly list: (
      scope: CommentScope,
      params: PageParams
    ) => Effect.Effect<ListPage<Member>, ScopeFailure | InvalidCursor, CurrentActor>
  }
>()("@lectern/core/comment/Commenters") {
  static readonly layer = Layer.effect(
    Commenters,
    Effect.gen(function* () {
      const commenters = (yield* Storage).repository(CommenterTable)
      const paging = yield* Paging
      const scopes = yield* CommentScopes
      const presenter = yield* makeMemberPresenter

      return Commenters.of({
        list: Effect.fn("Commenters.list")(function* (scope, params) {
          const { where, member } = yield* scopes.require(scope, "see the work on this space")
          const currentMembers = (yield* commenters.list({ where })).flatMap(
            ({ user }) => member.facts.members.get(user) ?? []
          )
          const page = yield* paging.items(
            currentMembers,
            `commenters of ${where.space} ${where.changeRequest}`,
            ({ user }) => user,
            params
          )
          return { ...page, items: yield* presenter.present(member, page.items) }
        })
      })
    })
  )
}
