/** Converts comments and replies to API resources. */
import { Effect } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Storage } from "../storage/Storage.ts"
import { hostUser, type UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import type { BodyFormat, Comment, CommentReply, CommentReplyRow, CommentRow } from "./Comment.ts"
import * as CommentBody from "./CommentBody.ts"
import { permissions } from "./CommentPolicy.ts"
import type { AuthorizedScope } from "./CommentScopes.ts"
import { CommentTargets } from "./CommentTargets.ts"
import { grouped, ReactionTable } from "./Reaction.ts"

const userIdsOf = (usersById: Readonly<Record<UserId, unknown>>) => Object.keys(usersById) as Array<UserId>

export const makeCommentPresenter = Effect.gen(function* () {
  const reactions = (yield* Storage).repository(ReactionTable)
  const users = yield* Users
  const targets = yield* CommentTargets
  const publicUrl = yield* PublicUrl

  /** Returns the common fields of comments and replies, loaded for all rows at once. */
  const common = Effect.fnUntraced(function* (
    authorized: AuthorizedScope,
    rows: ReadonlyArray<CommentRow | CommentReplyRow>,
    format: BodyFormat | undefined
  ) {
    const actor = yield* CurrentActor
    const reactionRows = yield* reactions.list({ where: { to: { in: rows.map(({ id }) => id) } } })
    const reactionsByTarget = Map.groupBy(reactionRows, ({ to }) => to)
    const people = yield* users.present([
      ...rows.flatMap((row) => [
        row.author ?? hostUser,
        ...("repliers" in row ? userIdsOf(row.repliers) : []),
        ...("resolvedBy" in row && row.resolvedBy !== undefined ? [row.resolvedBy ?? hostUser] : [])
      ]),
      ...reactionRows.map(({ user }) => user)
    ])
    const { space, changeRequest } = authorized.where
    const base = `${publicUrl}/v1/spaces/${space}${changeRequest === "" ? "" : `/change-requests/${changeRequest}`}/comments`
    const presentText = (row: CommentRow | CommentReplyRow) => {
      return {
        id: row.id,
        postedBy: people.get(row.author ?? hostUser)!,
        postedAt: row.postedAt,
        ...(row.editedAt !== undefined && { editedAt: row.editedAt }),
        reactions: grouped(reactionsByTarget.get(row.id) ?? [], people),
        body: CommentBody.present(row.body, format),
        urls: { location: "comment" in row ? `${base}/${row.comment}/replies/${row.id}` : `${base}/${row.id}` },
        permissions: permissions(authorized.level, actor, row)
      }
    }
    return { presentText, people }
  })

  return {
    comments: Effect.fnUntraced(function* (
      authorized: AuthorizedScope,
      rows: ReadonlyArray<CommentRow>,
      format?: BodyFormat
    ) {
      const { presentText, people } = yield* common(authorized, rows, format)
      const presentedTargets = yield* targets.present(authorized, rows)
      return rows.map((row, i): Comment => ({
        object: "comment",
        ...presentText(row),
        replies: row.replies,
        repliers: userIdsOf(row.repliers).map((user) => {
          const { count, at } = row.repliers[user]!
          return { user: people.get(user)!, count, updatedAt: at }
        }),
        status: row.status,
        ...(row.resolvedAt !== undefined && {
          resolvedAt: row.resolvedAt,
          resolvedBy: people.get(row.resolvedBy ?? hostUser)!
        }),
        target: presentedTargets[i]!
      }))
    }),

    replies: Effect.fnUntraced(function* (
      authorized: AuthorizedScope,
      rows: ReadonlyArray<CommentReplyRow>,
      format?: BodyFormat
    ) {
      const { presentText } = yield* common(authorized, rows, format)
      return rows.map((row): CommentReply => ({ object: "comment-reply", ...presentText(row) }))
    })
  }
})
