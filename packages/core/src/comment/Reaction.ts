/**
 * Reactions of users to a comment or a reply. A user can add each emoji once. An emoji is displayed in the notation of
 * its first use (see `Emoji`).
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
  /** The comment, also if the reaction is to a reply. */
  comment: CommentId,
  /** The comment or the reply. */
  to: CommentId,
  /** Unicode character of the emoji, independent of its notation. */
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

/** Groups the reactions to a comment or reply by emoji, in order of first use. */
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
