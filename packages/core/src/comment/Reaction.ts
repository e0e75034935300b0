/**
 * What people feel about a comment or a reply: each emoji once of each of them. An emoji is given as
 * itself or by its code points in hex (`1f44d`, `1f468-200d-1f4bb`), and shown as it was first given.
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

const isEmoji = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text)

/** The character of an emoji; undefined for what is none. */
export const characterOf = (emoji: string): string | undefined => {
  if (isEmoji(emoji)) return emoji
  const character = fromHex(emoji) ?? emoji
  return [character, qualified(character)].find(isEmoji)
}

const fromHex = (text: string): string | undefined => {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(text)) return undefined
  const points = text.split("-").map((point) => Number.parseInt(point, 16))
  return points.some((point) => point > 0x10ffff) ? undefined : String.fromCodePoint(...points)
}

/** Emoji that are symbols as well say which of the two by a mark (U+FE0F), which is often left out. */
const qualified = (character: string): string =>
  character
    .replaceAll("\ufe0f", "")
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, (symbol) => `${symbol}\ufe0f`)

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
