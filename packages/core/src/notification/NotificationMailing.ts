/** Queues mails and digests of notifications, in transactions of one mail each. */
import { Clock, Effect } from "effect"
import type { EventId } from "../event/EventKind.ts"
import * as Job from "../job/Job.ts"
import { Mails } from "../mail/Mails.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { InboxTable, NotificationTable } from "./Notification.ts"
import { maxMailed, NotificationMail, SendDigests, SendThread } from "./NotificationMail.ts"

/** Queues one mail for each user with notifications of a thread. */
export const sendThread = Effect.gen(function* () {
  const storage = yield* Storage
  const mails = yield* Mails
  const notifications = storage.repository(NotificationTable)

  /** Queues the mail of one user. Returns false if no user is left. */
  const queueNext = (thread: string) =>
    storage.transaction(
      Effect.gen(function* () {
        const [first] = yield* notifications.list({ where: { mail: thread }, order: ["mail", "user"], limit: 1 })
        if (first === undefined) return false
        const where = { mail: thread, user: first.user }
        const rows = yield* notifications.list({ where, order: ["mail", "user"], descending: true, limit: maxMailed })
        yield* queueMail(mails, first.user, rows, false)
        yield* notifications.update(where, { mail: undefined })
        return true
      }).pipe(cannotConflict)
    )

  return Job.handler(
    SendThread,
    Effect.fnUntraced(function* ({ payload: { thread } }) {
      while (yield* queueNext(thread)) yield* Effect.yieldNow
    })
  )
})

/** Queues the digests that are due. */
export const sendDigests = Effect.gen(function* () {
  const storage = yield* Storage
  const mails = yield* Mails
  const inboxes = storage.repository(InboxTable)
  const notifications = storage.repository(NotificationTable)

  /** Queues the digest of the user who has waited longest. Returns false if no digest is due. */
  const queueNext = Effect.gen(function* () {
    const now = Timestamps.at(yield* Clock.currentTimeMillis)
    const [due] = yield* inboxes.list({ where: { digestAt: { lte: now } }, order: ["digestAt"], limit: 1 })
    if (due === undefined) return false
    const { user } = due
    const where = { user, digest: true }
    const rows = yield* notifications.list({
      where,
      order: ["user", "digest"],
      descending: true,
      limit: maxMailed
    })
    yield* queueMail(mails, user, rows, true)
    yield* notifications.update(where, { digest: undefined })
    yield* inboxes.update({ user }, { digestAt: undefined })
    return true
  }).pipe(cannotConflict)

  return Job.handler(
    SendDigests,
    Effect.fnUntraced(function* ({ continueWith }) {
      while (yield* storage.transaction(queueNext)) yield* Effect.yieldNow
      const [next] = yield* inboxes.list({ where: { digestAt: { gt: "" } }, order: ["digestAt"], limit: 1 })
      if (next !== undefined) yield* continueWith({}, next.digestAt)
    })
  )
})

const queueMail = (
  mails: Mails["Service"],
  user: UserId,
  rows: ReadonlyArray<{ readonly id: EventId }>,
  digest: boolean
) => {
  const ids = rows.map(({ id }) => id)
  return ids.length === 0
    ? Effect.void
    : mails.queue(NotificationMail, {
        to: { user },
        key: `${user} ${digest ? "digest " : ""}${ids[0]}`,
        payload: { ids, digest }
      })
}
