/**
 * Reactions of people to a comment or a reply: each emoji once for each person, shown as it was first given
 * (see `Emoji`).
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { type User, UserId } from "../user/User.ts"
import { CommentId, type EmojiReaction } from "./Comment.ts"

export const maxEmoji = 100

export const ReactionRow = Schema.Struct({
  space: SpaceId,
  /** The comment, also where the reaction is to a reply to it. */
  comment: CommentId,
  /** The comment or the reply. */
  to: CommentId,
  /** The character, whichever way it was given. */
  character: Schema.String,
  emoji: Schema.String,
  user: UserId,
  reactedAt: Timestamp
})
export type ReactionRow = typeof ReactionRow.Type

export const ReactionTable = Table.make("reaction", ReactionRow, {
  key: ["to", "character", "user"],
  indexes: [["comment"], ["space"]]
})

/** The reactions to one comment or reply, the emoji that was used first in front. */
export const grouped = (
  rows: ReadonlyArray<ReactionRow>,
  people: ReadonlyMap<UserId, User>
): ReadonlyArray<EmojiReaction> =>
  [...Map.groupBy(rows.toSorted(byTime), ({ character }) => character).values()].map((same) => ({
    emoji: same[0]!.emoji,
    count: same.length,
    users: same.map(({ user, reactedAt }) => ({ user: people.get(user)!, reactedAt }))
  }))

const byTime = (a: ReactionRow, b: ReactionRow) => (order(a) < order(b) ? -1 : 1)

const order = ({ reactedAt, user, character }: ReactionRow) => `${reactedAt} ${user} ${character}`
