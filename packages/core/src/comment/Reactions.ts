/** Adds and removes reactions to a comment or a reply. */
import { Effect } from "effect"
import type { UserId } from "../user/User.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { type CommentPatch, type CommentReplyRow, type CommentRow, InvalidComment } from "./Comment.ts"
import { characterOf } from "../schema/Emoji.ts"
import { maxEmoji, ReactionTable } from "./Reaction.ts"

export const makeReactions = Effect.gen(function* () {
  const reactions = (yield* Storage).repository(ReactionTable)

  const characters = Effect.fnUntraced(function* (emoji: ReadonlyArray<string>, path: string) {
    const foundCharacters = emoji.map(characterOf)
    const issues = foundCharacters.flatMap((character, i) =>
      character === undefined ? [{ path: `body.${path}[${i}]`, message: "Expected an emoji" }] : []
    )
    if (issues.length > 0) return yield* new InvalidComment({ issues: issues.slice(0, 20) })
    // If an emoji was sent in more than one notation, the first one is stored.
    return new Map(foundCharacters.map((character) => [character!, emoji[foundCharacters.indexOf(character)]!]))
  })

  return {
    /** Adds and removes reactions in the caller's transaction. Returns true if any reaction changed. */
    change: Effect.fnUntraced(function* (
      row: CommentRow | CommentReplyRow,
      user: UserId,
      { addedReactions = [], removedReactions = [] }: Pick<CommentPatch, "addedReactions" | "removedReactions">
    ) {
      const added = yield* characters(addedReactions, "addedReactions")
      const removed = yield* characters(removedReactions, "removedReactions")
      let changed = 0
      if (removed.size > 0) {
        changed += yield* reactions.remove({ to: row.id, user, character: { in: [...removed.keys()] } })
      }
      if (added.size === 0) return changed > 0
      const existingReactions = yield* reactions.list({ where: { to: row.id } })
      if (new Set([...existingReactions.map(({ character }) => character), ...added.keys()]).size > maxEmoji) {
        return yield* new InvalidComment({
          issues: [{ path: "body.addedReactions", message: `Expected at most ${maxEmoji} different emoji` }]
        })
      }
      const reactedAt = yield* Timestamps.now
      const comment = "comment" in row ? row.comment : row.id
      for (const [character, emoji] of added) {
        if (existingReactions.some((reaction) => reaction.character === character && reaction.user === user)) continue
        changed++
        const storedEmoji = existingReactions.find((reaction) => reaction.character === character)?.emoji ?? emoji
        yield* reactions
          .insert({ space: row.space, comment, to: row.id, character, emoji: storedEmoji, user, reactedAt })
          .pipe(cannotConflict)
      }
      return changed > 0
    })
  }
})
