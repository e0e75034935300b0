/**
 * Settings of a user's notifications: the channel of each kind, and when the daily digest is sent.
 *
 * Defaults: see `NotificationKind`; the digest at 8 in UTC. Time zones are names of the IANA database, of at most 64
 * characters.
 */
import { DateTime, Option, Schema, Struct } from "effect"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import { kindRules, NotificationChannel, type NotificationKind, notificationKinds } from "./NotificationKind.ts"

export const TimeZone = Schema.String.check(
  Schema.isMaxLength(64),
  Schema.makeFilter((name: string) =>
    /^[A-Za-z][\w/+-]*$/.test(name) && Option.isSome(DateTime.zoneMakeNamed(name))
      ? undefined
      : "Expected a time zone such as Europe/Paris"
  )
)

export const DigestHour = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 23 }))

const channelOfKind = Schema.Struct(
  Object.fromEntries(notificationKinds.map((kind) => [kind, NotificationChannel])) as {
    readonly [Kind in NotificationKind]: typeof NotificationChannel
  }
)
const someChannels = channelOfKind.mapFields(Struct.map(Schema.optionalKey))

export const NotificationSettingsRow = Schema.Struct({
  user: UserId,
  timeZone: TimeZone,
  digestHour: DigestHour,
  /** Channels that the user chose. */
  kinds: someChannels
})
export type NotificationSettingsRow = typeof NotificationSettingsRow.Type

export const NotificationSettingsTable = Table.make("notificationSettings", NotificationSettingsRow, { key: ["user"] })

export const NotificationSettingsPatch = Schema.Struct({
  /** Name of a time zone, such as `Europe/Paris`. */
  timeZone: Schema.optionalKey(TimeZone),
  /** Hour of the daily digest, 0 to 23. */
  digestHour: Schema.optionalKey(DigestHour),
  /** Channels to change: `inbox`, `mail`, `digest` or `off`. */
  kinds: Schema.optionalKey(someChannels)
})
export type NotificationSettingsPatch = typeof NotificationSettingsPatch.Type

/** The settings as an API resource. */
export const NotificationSettings = Schema.Struct({
  object: Schema.Literal("notification-settings"),
  /** Name of the time zone of the digest. */
  timeZone: Schema.String,
  /** Hour of the daily digest. */
  digestHour: Schema.Int,
  /** Channel of each kind. */
  kinds: channelOfKind
})
export interface NotificationSettings extends Schema.Schema.Type<typeof NotificationSettings> {}

/** Returns the settings of a user who has changed none. */
export const defaultSettings = (user: UserId): NotificationSettingsRow => ({
  user,
  timeZone: "UTC",
  digestHour: 8,
  kinds: {}
})

/** Returns the channel of a kind. */
export const channelOf = (settings: NotificationSettingsRow | undefined, kind: NotificationKind): NotificationChannel =>
  settings?.kinds[kind] ?? kindRules[kind].channel

export const presentSettings = ({ timeZone, digestHour, kinds }: NotificationSettingsRow): NotificationSettings => ({
  object: "notification-settings",
  timeZone,
  digestHour,
  kinds: { ...defaultChannels, ...kinds }
})

const defaultChannels = Object.fromEntries(
  notificationKinds.map((kind) => [kind, kindRules[kind].channel])
) as NotificationSettings["kinds"]
