/** Adds and removes reactions to a comment or a reply. */
import { Effect } from "effect"
import type { UserId } from "../user/User.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { type CommentPatch, type CommentReplyRow, type CommentRow, InvalidComment } from "./Comment.ts"
import { type AuthorizedScope, CommentScopes } from "./CommentScopes.ts"
import { characterOf } from "../schema/Emoji.ts"
import { maxEmoji, ReactionTable } from "./Reaction.ts"

export const makeReactions = Effect.gen(function* () {
  const reactions = (yield* Storage).repository(ReactionTable)
  const scopes = yield* CommentScopes

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
    /** Adds and removes reactions, and emits the event if any reaction changed. Must run in a transaction. */
    change: Effect.fnUntraced(function* (
      authorized: AuthorizedScope,
      row: CommentRow | CommentReplyRow,
      user: UserId,
      { addedReactions = [], removedReactions = [] }: Pick<CommentPatch, "addedReactions" | "removedReactions">
    ) {
      const addedEmoji = yield* characters(addedReactions, "addedReactions")
      const removedEmoji = yield* characters(removedReactions, "removedReactions")
      if (addedEmoji.size === 0 && removedEmoji.size === 0) return
      const listedReactions = yield* reactions.list({ where: { to: row.id } })
      const removedRows = listedReactions.filter((one) => one.user === user && removedEmoji.has(one.character))
      if (removedRows.length > 0) {
        yield* reactions.remove({ to: row.id, user, character: { in: [...removedEmoji.keys()] } })
      }
      const remainingReactions = listedReactions.filter((one) => !removedRows.includes(one))
      const characterSet = new Set([...remainingReactions.map(({ character }) => character), ...addedEmoji.keys()])
      if (addedEmoji.size > 0 && characterSet.size > maxEmoji) {
        return yield* new InvalidComment({
          issues: [{ path: "body.addedReactions", message: `Expected at most ${maxEmoji} different emoji` }]
        })
      }
      const reactedAt = yield* Timestamps.now
      const [comment, reply] = "comment" in row ? [row.comment, row.id] : [row.id]
      const added: Array<string> = []
      for (const [character, emoji] of addedEmoji) {
        const existingReactions = remainingReactions.filter((reaction) => reaction.character === character)
        if (existingReactions.some((reaction) => reaction.user === user)) continue
        const storedEmoji = existingReactions[0]?.emoji ?? emoji
        added.push(storedEmoji)
        yield* reactions
          .insert({ space: row.space, comment, to: row.id, character, emoji: storedEmoji, user, reactedAt })
          .pipe(cannotConflict)
      }
      if (added.length === 0 && removedRows.length === 0) return
      yield* scopes.emit(authorized, {
        type: "comment_reactions_updated",
        comment,
        ...(reply !== undefined && { reply }),
        added,
        removed: removedRows.map(({ emoji }) => emoji)
      })
    })
  }
})
