/**
 * Writes the notifications of an event, in transactions of at most 100 users each. A user is skipped if it caused the
 * event, may not see the subject at this time, muted it, or switched the kind off. Writing an event again
 * changes nothing.
 */
import { Clock, Duration, Effect } from "effect"
import { Access, levelOn, type Membership, membershipOf } from "../access/Access.ts"
import type { Event } from "../event/Event.ts"
import { Ids } from "../identity/Ids.ts"
import { Jobs } from "../job/Jobs.ts"
import { Mails } from "../mail/Mails.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import type { Announcement } from "./Announcements.ts"
import type { ChangedPage } from "./ChangedPages.ts"
import { nextDigest } from "./DigestTime.ts"
import { InboxTable, maxNotifications, type NotificationRow, NotificationTable } from "./Notification.ts"
import { digestKey, maxMailAge, SendDigests, SendThread, threadPause } from "./NotificationMail.ts"
import { kindRules, type NotificationKind } from "./NotificationKind.ts"
import { channelOf, defaultSettings, NotificationSettingsTable } from "./NotificationSettings.ts"
import { watchKey, WatchTable } from "./Watch.ts"

/** Maximum number of users whose notifications one transaction writes. */
const batchSize = 100

/** Time in which a frequent kind notifies a user once. */
const frequentInterval = Duration.days(1)

/** A user with the kind of its notification, and the changed page that it watches. */
interface Receiver {
  readonly user: UserId
  readonly kind: NotificationKind
  readonly page?: ChangedPage | undefined
}

export const makeNotificationWriting = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const { firstAt } = yield* Ids
  const jobs = yield* Jobs
  const mails = yield* Mails
  const spaces = storage.repository(SpaceTable)
  const notifications = storage.repository(NotificationTable)
  const inboxes = storage.repository(InboxTable)
  const settings = storage.repository(NotificationSettingsTable)
  const watches = storage.repository(WatchTable)

  /** Returns a predicate: true if a user may see the subject now. */
  const visibility = Effect.fnUntraced(function* ({ subject, audience }: Announcement) {
    if (audience === "anyone") return () => true
    const space = subject.space === undefined ? undefined : yield* spaces.get({ id: subject.space })
    // The space may have moved to another organization since the event.
    const facts = yield* access.facts(space?.organization ?? subject.organization)
    if (facts === undefined || (subject.space !== undefined && !isActive(space))) return () => false
    return (user: UserId) => {
      const member = membershipOf(facts, user)
      return member !== undefined && (audience === "administrators" ? member.admin : canRead(member, space))
    }
  })

  /** Returns the users who muted one of the targets. */
  const mutedBy = Effect.fnUntraced(function* ({ targets }: Announcement, receivers: ReadonlyArray<Receiver>) {
    const users = receivers.flatMap(({ user, kind }) => (kindRules[kind].canMute ? [user] : []))
    const rows = yield* watches.getMany(
      users.flatMap((user) => targets.map((target) => ({ target: watchKey(target), user })))
    )
    return new Set(rows.flatMap((row) => (row?.state === "muted" ? [row.user] : [])))
  })

  /** Returns the users who need no notification, because they have an earlier one. */
  const notifiedBefore = Effect.fnUntraced(function* (
    { subject, oncePerComment, oncePerDay }: Announcement,
    receivers: ReadonlyArray<Receiver>
  ) {
    const rows: Array<NotificationRow> = []
    const user = { in: receivers.map(({ user }) => user) }
    if (oncePerComment === true) {
      const aboutComment = yield* notifications.list({ where: { user, comment: subject.comment! } })
      rows.push(...aboutComment.filter(({ reply }) => reply === subject.reply))
    }
    if (oncePerDay === true) {
      const since = firstAt((yield* Clock.currentTimeMillis) - Duration.toMillis(frequentInterval))
      const ofKind = receivers.map(({ user, kind }) => ({ user, kind, id: { gt: since } }))
      const recent = yield* notifications.list({ where: ofKind })
      rows.push(...recent.filter(({ organization }) => organization === subject.organization))
    }
    return new Set(rows.map(({ user }) => user))
  })

  const write = (event: Event, announcement: Announcement, candidates: ReadonlyArray<Receiver>) =>
    storage.transaction(
      Effect.gen(function* () {
        const canSee = yield* visibility(announcement)
        const possible = candidates.filter(
          ({ user }) => (announcement.isReport === true || user !== event.actor) && canSee(user)
        )
        if (possible.length === 0) return
        const userKeys = possible.map(({ user }) => ({ user }))
        const existing = yield* notifications.getMany(userKeys.map(({ user }) => ({ user, id: event.id })))
        const settingRows = yield* settings.getMany(userKeys)
        const inboxRows = yield* inboxes.getMany(userKeys)
        const muted = yield* mutedBy(announcement, possible)
        const notified = yield* notifiedBefore(announcement, possible)
        const now = yield* Clock.currentTimeMillis
        const canMail = mails.isAvailable && now - Date.parse(event.createdAt) <= Duration.toMillis(maxMailAge)
        const thread = announcement.thread ?? event.id
        const digestTimes: Array<Timestamp> = []
        let hasMails = false
        const excess: Array<{ readonly user: UserId; readonly number: { readonly lte: number } }> = []
        for (const [i, { user, kind, page }] of possible.entries()) {
          if (existing[i] !== undefined || notified.has(user)) continue
          if (muted.has(user) && kindRules[kind].canMute) continue
          const channel = channelOf(settingRows[i], kind)
          if (channel === "off") continue
          const isMailed = channel === "mail" && canMail
          const isDigested = channel === "digest" && canMail
          const number = (inboxRows[i]?.last ?? 0) + 1
          yield* notifications.insert({
            user,
            id: event.id,
            kind,
            ...announcement.subject,
            ...(page !== undefined && { page }),
            actor: event.actor,
            createdAt: event.createdAt,
            number,
            ...(isMailed && { mail: thread }),
            ...(isDigested && { digest: true })
          })
          hasMails ||= isMailed
          const digestAt =
            inboxRows[i]?.digestAt ??
            (isDigested ? nextDigest(settingRows[i] ?? defaultSettings(user), now) : undefined)
          if (isDigested) digestTimes.push(digestAt!)
          const counted = { last: number, ...(digestAt !== undefined && { digestAt }) }
          if (inboxRows[i] === undefined) yield* inboxes.insert({ user, ...counted })
          else yield* inboxes.update({ user }, counted)
          if (number > maxNotifications) excess.push({ user, number: { lte: number - maxNotifications } })
        }
        if (excess.length > 0) yield* notifications.remove(excess)
        if (hasMails) {
          const pause = announcement.thread === undefined ? 0 : Duration.toMillis(threadPause)
          yield* jobs.enqueue(SendThread, { thread }, { key: thread, runAt: Timestamps.at(now + pause) })
        }
        const [runAt] = digestTimes.toSorted()
        if (runAt !== undefined) yield* jobs.enqueue(SendDigests, {}, { key: digestKey, runAt })
      }).pipe(cannotConflict)
    )

  const writeDirect = Effect.fnUntraced(function* (event: Event, announcement: Announcement) {
    const receivers = [...announcement.direct].map(([user, kind]) => ({ user, kind }))
    for (let i = 0; i < receivers.length; i += batchSize) {
      yield* write(event, announcement, receivers.slice(i, i + batchSize))
    }
  })

  /**
   * Notifies the users who watch one of the targets. Users who have a notification of the event already keep it.
   *
   * @param targets At most 100 targets, each with its page if it is a changed page.
   */
  const writeWatching = Effect.fnUntraced(function* (
    event: Event,
    announcement: Announcement,
    targets: ReadonlyMap<string, ChangedPage | undefined>,
    kind: NotificationKind
  ) {
    const target = { in: [...targets.keys()] }
    for (let after: ReadonlyArray<string> | undefined; ;) {
      const rows = yield* watches.list({ where: { target }, limit: batchSize, ...(after && { after }) })
      const receivers = new Map<UserId, Receiver>()
      for (const { user, state, target } of rows) {
        if (state === "watching" && !receivers.has(user)) receivers.set(user, { user, kind, page: targets.get(target) })
      }
      if (receivers.size > 0) yield* write(event, announcement, [...receivers.values()])
      if (rows.length < batchSize) return
      const { target: last, user } = rows.at(-1)!
      after = [last, user]
      yield* Effect.yieldNow
    }
  })

  return Effect.fnUntraced(function* (event: Event, announcement: Announcement) {
    yield* writeDirect(event, announcement)
    const { watcherKind, targets, pages, subject } = announcement
    if (watcherKind !== undefined) {
      const keys = targets.map((target) => [watchKey(target), undefined] as const)
      yield* writeWatching(event, announcement, new Map(keys), watcherKind)
    }
    if (pages === undefined) return
    for (let i = 0; i < pages.changed.length; i += batchSize) {
      const keys = pages.changed
        .slice(i, i + batchSize)
        .map((page) => [watchKey({ space: subject.space!, page: page.id }), page] as const)
      yield* writeWatching(event, announcement, new Map(keys), pages.kind)
    }
  })
})

const isActive = (space: SpaceRow | undefined): space is SpaceRow =>
  space !== undefined && space.deletedAt === undefined && space.removing !== true

const canRead = (member: Membership, space: SpaceRow | undefined): boolean =>
  space === undefined || levelOn(member, space) !== undefined
