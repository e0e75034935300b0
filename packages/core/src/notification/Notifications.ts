/** Lists the notifications of the current user, marks them as read, and changes the user's settings. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { CurrentActor, type UserActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { Jobs } from "../job/Jobs.ts"
import { MemberTable } from "../organization/Member.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { nextDigest } from "./DigestTime.ts"
import {
  InboxTable,
  maxNotifications,
  type Notification,
  notificationAge,
  type NotificationFilter,
  NotificationNotFound,
  NotificationPatch,
  NotificationTable,
  ReadMark
} from "./Notification.ts"
import { digestKey, SendDigests } from "./NotificationMail.ts"
import { makeNotificationPresenter } from "./NotificationPresenter.ts"
import {
  defaultSettings,
  type NotificationSettings,
  NotificationSettingsPatch,
  type NotificationSettingsRow,
  NotificationSettingsTable,
  presentSettings
} from "./NotificationSettings.ts"
import { makeVisibleNotifications, type VisibleNotification } from "./VisibleNotifications.ts"

const acceptPatch = accepting(NotificationPatch)
const acceptMark = accepting(ReadMark)
const acceptSettings = accepting(NotificationSettingsPatch)

/** A page of notifications, and the number of unread ones of the user. */
export interface NotificationPage extends ListPage<Notification> {
  /** Number of unread notifications in all organizations, regardless of the filter. */
  readonly unread: number
}

type Failure = Forbidden | StorageError

export class Notifications extends Context.Service<
  Notifications,
  {
    /**
     * Lists the notifications of the current user, newest first, and counts the unread ones. Leaves out
     * notifications about content that the user may no longer see.
     *
     * @param params.unread True for unread notifications, false for read ones. Default: all.
     * @param params.kind Kind of notifications. Default: all.
     * @param params.organization Id of an organization. Default: all.
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidCursor}
     * @example
     * ```ts
     * const { items, unread } = await lectern.as(ada.id).users.notifications.list({ unread: true })
     * console.log(unread, items.map(({ kind }) => kind))
     * ```
     */
    readonly list: (
      params: PageParams & NotificationFilter
    ) => Effect.Effect<NotificationPage, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a notification of the current user.
     *
     * @param id Id of the notification.
     * @throws {Forbidden} For actors that are not users.
     * @throws {NotificationNotFound}
     */
    readonly get: (id: string) => Effect.Effect<Notification, Failure | NotificationNotFound, CurrentActor>
    /**
     * Marks a notification as read or unread.
     *
     * @param id Id of the notification.
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidInput}
     * @throws {NotificationNotFound}
     */
    readonly update: (
      id: string,
      patch: NotificationPatch
    ) => Effect.Effect<Notification, Failure | NotificationNotFound | InvalidInput, CurrentActor>
    /**
     * Marks all notifications as read, or those up to a given one.
     *
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidInput}
     * @example
     * ```ts
     * await lectern.as(ada.id).users.notifications.markAllRead()
     * ```
     */
    readonly markAllRead: (mark?: ReadMark) => Effect.Effect<void, Failure | InvalidInput, CurrentActor>
    /**
     * Returns the settings of the current user.
     *
     * @throws {Forbidden} For actors that are not users.
     */
    readonly settings: Effect.Effect<NotificationSettings, Failure, CurrentActor>
    /**
     * Changes the settings of the current user, which apply to all organizations of the user.
     *
     * @throws {Forbidden} For actors that are not users, and for a session of one organization if the user is a member of
     * others.
     * @throws {InvalidInput} For a time zone that does not exist.
     * @example
     * ```ts
     * await lectern.as(ada.id).users.notifications.updateSettings({
     *   timeZone: "Europe/Paris",
     *   digestHour: 9,
     *   kinds: { comment: "digest", reaction: "off" }
     * })
     * ```
     */
    readonly updateSettings: (
      patch: NotificationSettingsPatch
    ) => Effect.Effect<NotificationSettings, Failure | InvalidInput, CurrentActor>
  }
>()("@lectern/core/notification/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const visible = yield* makeVisibleNotifications
      const present = yield* makeNotificationPresenter
      const jobs = yield* Jobs
      const inboxes = storage.repository(InboxTable)
      const notifications = storage.repository(NotificationTable)
      const members = storage.repository(MemberTable)
      const settings = storage.repository(NotificationSettingsTable)

      /** Returns all notifications that the current user may see, newest first. */
      const allVisible = Effect.gen(function* () {
        const actor = yield* requireUser
        const oldest = Timestamps.at((yield* Clock.currentTimeMillis) - Duration.toMillis(notificationAge))
        const rows = yield* notifications.list({
          where: { user: actor.user },
          order: ["number"],
          descending: true,
          limit: maxNotifications
        })
        const current = rows.filter(({ createdAt }) => createdAt >= oldest)
        return { user: actor.user, notifications: yield* visible(actor, current) }
      })

      /** Fails for a session of one organization, whose identity provider controls it, if the user is in others. */
      const requireAllOrganizations = Effect.fnUntraced(function* ({ user, organization }: UserActor) {
        if (organization === undefined) return
        const memberships = yield* members.list({ where: { user }, limit: 2 })
        if (memberships.every((member) => member.organization === organization)) return
        return yield* new Forbidden({
          message: "A session of one organization may not change the notifications of your other organizations"
        })
      })

      /** Moves a digest that is due to the time of the new settings. */
      const moveDigest = Effect.fnUntraced(function* (user: UserId, row: NotificationSettingsRow) {
        const inbox = yield* inboxes.get({ user })
        if (inbox?.digestAt === undefined) return
        const digestAt = nextDigest(row, yield* Clock.currentTimeMillis)
        if (digestAt === inbox.digestAt) return
        yield* inboxes.update({ user }, { digestAt })
        yield* jobs.enqueue(SendDigests, {}, { key: digestKey, runAt: digestAt })
      })

      const find = Effect.fnUntraced(function* (id: string) {
        const actor = yield* requireUser
        const [row] = yield* notifications.list({ where: { user: actor.user, id } })
        const [found] = row === undefined ? [] : yield* visible(actor, [row])
        if (found === undefined) {
          return yield* new NotificationNotFound({ message: `There is no notification ${id.slice(0, 50)}` })
        }
        return found
      })

      const presentOne = (found: VisibleNotification) => Effect.map(present([found]), ([notification]) => notification!)

      return Notifications.of({
        list: Effect.fn("Notifications.list")(function* ({ unread, kind, organization, ...params }) {
          const { user, notifications: all } = yield* allVisible
          const matching = all.filter(
            ({ row, organization: current }) =>
              (unread === undefined || unread === isUnread(row)) &&
              (kind === undefined || kind === row.kind) &&
              (organization === undefined || organization === current)
          )
          const list = `notifications of ${JSON.stringify([user, unread, kind, organization])}`
          const page = yield* paging.items(matching, list, ({ row }) => row.id, params, { descending: true })
          return {
            ...page,
            items: yield* present(page.items),
            unread: all.filter(({ row }) => isUnread(row)).length
          }
        }),

        get: Effect.fn("Notifications.get")(function* (id) {
          return yield* presentOne(yield* find(id))
        }),

        update: Effect.fn("Notifications.update")(function* (id, rawInput) {
          const { read } = yield* acceptPatch(rawInput)
          const updated = yield* storage.transaction(
            Effect.gen(function* () {
              const found = yield* find(id)
              if (isUnread(found.row) !== read) return found
              const readAt = read ? yield* Timestamps.now : undefined
              yield* notifications.update({ user: found.row.user, id }, { readAt }).pipe(cannotConflict)
              const { readAt: _, ...unreadRow } = found.row
              return { ...found, row: readAt === undefined ? unreadRow : { ...unreadRow, readAt } }
            })
          )
          return yield* presentOne(updated)
        }),

        markAllRead: Effect.fn("Notifications.markAllRead")(function* (rawInput = {}) {
          const { until, organization } = yield* acceptMark(rawInput)
          yield* storage.transaction(
            Effect.gen(function* () {
              const { user, notifications: all } = yield* allVisible
              const ids = all.flatMap(({ row, organization: current }) =>
                isUnread(row) &&
                (until === undefined || row.id <= until) &&
                (organization === undefined || organization === current)
                  ? [row.id]
                  : []
              )
              if (ids.length === 0) return
              yield* notifications.update({ user, id: { in: ids } }, { readAt: yield* Timestamps.now })
            })
          )
        }),

        settings: Effect.gen(function* () {
          const { user } = yield* requireUser
          return presentSettings((yield* settings.get({ user })) ?? defaultSettings(user))
        }),

        updateSettings: Effect.fn("Notifications.updateSettings")(function* (rawInput) {
          const { kinds, ...patch } = yield* acceptSettings(rawInput)
          const actor = yield* requireUser
          const { user } = actor
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* requireAllOrganizations(actor)
              const existing = yield* settings.get({ user })
              const before = existing ?? defaultSettings(user)
              const changes = { ...patch, kinds: { ...before.kinds, ...kinds } }
              if (existing === undefined) yield* settings.insert({ ...before, ...changes })
              else yield* settings.update({ user }, changes)
              yield* moveDigest(user, { ...before, ...changes })
              return presentSettings({ ...before, ...changes })
            }).pipe(cannotConflict)
          )
        })
      })
    })
  )
}

const isUnread = ({ readAt }: VisibleNotification["row"]): boolean => readAt === undefined

/** Returns the current user. Other actors have no notifications. */
export const requireUser = Effect.flatMap(CurrentActor, (actor) =>
  actor.type === "user"
    ? Effect.succeed(actor)
    : Effect.fail(new Forbidden({ message: "Only a user has notifications and watches content" }))
)
