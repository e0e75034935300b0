/** Lists the users who commented, as members of the organization. Former members are omitted. */
import { Effect } from "effect"
import { makeMemberPresenter } from "../organization/MemberPresenter.ts"
import { Paging } from "../paging/Paging.ts"
import { Storage } from "../storage/Storage.ts"
import { CommenterTable } from "./Comment.ts"
import { CommentScopes } from "./CommentScopes.ts"
import type { Comments } from "./Comments.ts"

export const makeCommenters = Effect.gen(function* () {
  const commenters = (yield* Storage).repository(CommenterTable)
  const paging = yield* Paging
  const scopes = yield* CommentScopes
  const presenter = yield* makeMemberPresenter

  return {
    commenters: Effect.fn("Comments.commenters")(function* (scope, params) {
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
  } satisfies Pick<Comments["Service"], "commenters">
})
