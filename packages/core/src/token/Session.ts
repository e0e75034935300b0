/**
 * A session is the token of a browser that signed in. It has a name of its device and two ends: an absolute one, and an
 * idle one that moves with each use. Its cookie holds the secret (see `http/src/server/SessionCookie.ts`).
 *
 * Defaults: ends 30 days after the sign-in, or after 14 days without a request. The last use is known to the hour, so a
 * session ends up to an hour after its idle time. Limit: 100 sessions per user; a new one ends the oldest.
 */
import { Context, Duration, Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import type { OptionNames } from "../schema/OptionNames.ts"
import { type DurationLike, durationNames } from "../time/DurationLike.ts"
import { hour } from "../time/Hour.ts"
import { UserId } from "../user/User.ts"
import { SignInMethod, type TokenRow } from "./Token.ts"

export interface SessionLimitOptions {
  /** Time without a request after which a session ends. Default: 14 days. */
  readonly idle: DurationLike
  /** Time after the sign-in at which a session ends. Default: 30 days. */
  readonly absolute: DurationLike
}

export const sessionLimitNames: OptionNames<SessionLimitOptions> = { idle: durationNames, absolute: durationNames }

export const SessionLimits = Context.Reference<SessionLimitOptions>("@lectern/core/token/SessionLimits", {
  defaultValue: () => ({ idle: { days: 14 }, absolute: { days: 30 } })
})

export const maxSessions = 100

/** Returns the time (epoch ms) at which a session ends without further use. */
export const idleEndOf = ({ createdAt, lastUsedAt }: TokenRow, { idle }: SessionLimitOptions): number => {
  // The last use is stored as the start of its hour.
  const usedUntil = lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt) + hour
  return Math.max(Date.parse(createdAt), usedUntil) + Duration.toMillis(idle)
}

/** Session in lists, without its secret. */
export const Session = Schema.Struct({
  object: Schema.Literal("session"),
  id: Schema.String,
  /** Id of the user. */
  user: UserId,
  /** Method of the sign-in. */
  method: SignInMethod,
  /** True if the user also showed a second factor. */
  factor: Schema.Boolean,
  /** Browser and system, such as `Firefox on Linux`. Absent if unknown. */
  device: Schema.optionalKey(Schema.String),
  /** IP address at the sign-in. Absent if unknown. */
  address: Schema.optionalKey(Schema.String),
  /** Time of the sign-in. */
  createdAt: Timestamp,
  /** Hour of the last request. */
  lastUsedAt: Schema.optionalKey(Timestamp),
  /** Time at which the session ends at the latest. */
  expiresAt: Timestamp,
  /** Time at which the session ends without further requests. */
  idleEndsAt: Timestamp,
  /** Organization that the session is limited to. Absent if it is not limited. */
  organization: Schema.optionalKey(OrganizationId),
  /** True for the session of this request. */
  current: Schema.Boolean
})
export interface Session extends Schema.Schema.Type<typeof Session> {}
