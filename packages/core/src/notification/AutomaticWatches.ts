/**
 * Makes users watch the content that they write in: a change request that they create, edit, review or comment on, a
 * page that they comment on, and a space that they edit or comment on as a whole. A watched or muted content stays
 * unchanged.
 */
import { Effect } from "effect"
import { CommentTable } from "../comment/Comment.ts"
import type { Event, EventType } from "../event/Event.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { commentTargets } from "./Announcements.ts"
import { maxWatches, watchKey, type WatchTarget, WatchTable } from "./Watch.ts"

/** Events of writing. The actor of the event watches. */
export const writingTypes = [
  "change_request_created",
  "change_request_content_updated",
  "change_request_reviewed",
  "comment_posted",
  "comment_reply_posted",
  "space_content_updated"
] as const satisfies ReadonlyArray<EventType>

export const makeAutomaticWatches = Effect.gen(function* () {
  const storage = yield* Storage
  const watches = storage.repository(WatchTable)
  const comments = storage.repository(CommentTable)

  const targetOf = Effect.fnUntraced(function* (event: Event) {
    switch (event.type) {
      case "change_request_created":
      case "change_request_content_updated":
      case "change_request_reviewed":
        return { space: event.space, changeRequest: event.changeRequest }
      case "space_content_updated":
        return { space: event.space }
      case "comment_posted":
      case "comment_reply_posted": {
        const row = yield* comments.get({ id: event.comment })
        return row && commentTargets(row)[0]
      }
      default:
        return undefined
    }
  })

  const watch = (user: UserId, target: WatchTarget) =>
    storage.transaction(
      Effect.gen(function* () {
        const key = { target: watchKey(target), user }
        if ((yield* watches.get(key)) !== undefined || (yield* watches.count({ user })) >= maxWatches) return
        const createdAt = yield* Timestamps.now
        yield* watches.insert({ ...key, ...target, state: "watching", automatic: true, createdAt })
      }).pipe(cannotConflict)
    )

  return Effect.fnUntraced(function* (event: Event) {
    const target = event.actor === null ? undefined : yield* targetOf(event)
    if (target === undefined) return
    const existing = yield* watches.get({ target: watchKey(target), user: event.actor! })
    if (existing === undefined) yield* watch(event.actor!, target)
  })
})
