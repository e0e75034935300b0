/**
 * Time of the daily digest: the start of an hour in the time zone of the user. On a day without that hour, because clocks
 * are set forward, it is an hour later. An hour that occurs twice counts once.
 */
import { DateTime } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { NotificationSettingsRow } from "./NotificationSettings.ts"

/** Returns the next time of the digest after `now` (epoch ms). */
export const nextDigest = (
  { timeZone, digestHour }: Pick<NotificationSettingsRow, "timeZone" | "digestHour">,
  now: number
): Timestamp => {
  const { year, month, day } = DateTime.toParts(DateTime.makeZonedUnsafe(now, { timeZone }))
  const onDay = (offset: number) =>
    DateTime.toEpochMillis(
      DateTime.makeZonedUnsafe(
        { year, month, day: day + offset, hour: digestHour, minute: 0, second: 0, millisecond: 0 },
        { timeZone, adjustForTimeZone: true }
      )
    )
  const today = onDay(0)
  return Timestamps.at(today > now ? today : onDay(1))
}
