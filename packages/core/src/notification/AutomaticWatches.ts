/**
 * Makes users watch the content that they write in: a change request that they create, edit, review or comment on, a
 * page that they comment on or change without a change request, and a space that they comment on as a whole. A watched
 * or muted content stays unchanged.
 *
 * Limit: who changes more than 10 pages at once watches the space instead.
 */
import { Effect } from "effect"
import { CommentTable } from "../comment/Comment.ts"
import type { Event, EventType } from "../event/Event.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { type Announcement, commentTargets } from "./Announcements.ts"
import type { ChangedPage } from "./ChangedPages.ts"
import { maxWatches, watchKey, type WatchTarget, WatchTable } from "./Watch.ts"

const maxWatchedPages = 10

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

  const targetsOf = Effect.fnUntraced(function* (
    event: Event,
    changed: ReadonlyArray<ChangedPage>
  ): Effect.fn.Return<ReadonlyArray<WatchTarget>, StorageError> {
    switch (event.type) {
      case "change_request_created":
      case "change_request_content_updated":
      case "change_request_reviewed":
        return [{ space: event.space, changeRequest: event.changeRequest }]
      case "space_content_updated": {
        const { space } = event
        return changed.length > maxWatchedPages ? [{ space }] : changed.map(({ id }) => ({ space, page: id }))
      }
      case "comment_posted":
      case "comment_reply_posted": {
        const row = yield* comments.get({ id: event.comment })
        return row === undefined ? [] : commentTargets(row).slice(0, 1)
      }
      default:
        return []
    }
  })

  const watch = (user: UserId, targets: ReadonlyArray<WatchTarget>) =>
    storage.transaction(
      Effect.gen(function* () {
        const existing = yield* watches.getMany(targets.map((target) => ({ target: watchKey(target), user })))
        const added = targets.filter((_, i) => existing[i] === undefined)
        if (added.length === 0 || (yield* watches.count({ user })) + added.length > maxWatches) return
        const createdAt = yield* Timestamps.now
        for (const target of added) {
          const row = { target: watchKey(target), user, ...target, createdAt }
          yield* watches.insert({ ...row, state: "watching", automatic: true })
        }
      }).pipe(cannotConflict)
    )

  /** `announcement`: announcement of the event, with the pages that it changed. */
  return Effect.fnUntraced(function* (event: Event, announcement: Announcement | undefined) {
    const { actor } = event
    const targets = actor === null ? [] : yield* targetsOf(event, announcement?.pages?.changed ?? [])
    if (targets.length === 0) return
    const existing = yield* watches.getMany(targets.map((target) => ({ target: watchKey(target), user: actor! })))
    if (existing.includes(undefined)) yield* watch(actor!, targets)
  })
})
