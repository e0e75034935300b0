/**
 * Follows the events of the core as a durable reader, and writes notifications and watches. It is one of the sources of
 * background work, so that no operation waits for it. A process that was killed repeats the event that it worked on.
 *
 * A new store starts with its first event.
 */
import { Effect } from "effect"
import type { Event, EventType } from "../event/Event.ts"
import { eventSource, startOfEvents, storedReader } from "../event/EventReading.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { makeAnnouncements } from "./Announcements.ts"
import { makeAutomaticWatches, writingTypes } from "./AutomaticWatches.ts"
import { NotificationTable } from "./Notification.ts"
import { makeNotificationWriting } from "./NotificationWriting.ts"

export const followEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const announcements = yield* makeAnnouncements
  const writeNotifications = yield* makeNotificationWriting
  const watchWritten = yield* makeAutomaticWatches

  /** Removes the notifications of a deleted comment or reply. */
  const removeDeleted = Effect.fnUntraced(function* (event: Event) {
    const where =
      event.type === "comment_deleted"
        ? { comment: event.comment }
        : event.type === "comment_reply_deleted"
          ? { reply: event.reply }
          : undefined
    if (where !== undefined) yield* removeAll(NotificationTable, where).pipe(Effect.provideService(Storage, storage))
  })

  return yield* eventSource({
    types: [
      ...new Set<EventType>([...announcements.types, ...writingTypes, "comment_deleted", "comment_reply_deleted"])
    ],
    reader: yield* storedReader("notifications", startOfEvents),
    handle: Effect.fnUntraced(function* (event) {
      // Watchers of the event are those of the time before it.
      const announcement = yield* announcements.of(event)
      if (announcement !== undefined) yield* writeNotifications(event, announcement)
      yield* watchWritten(event, announcement)
      yield* removeDeleted(event)
    })
  })
})
