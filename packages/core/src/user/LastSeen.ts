/**
 * Records when users and tokens were last active, to the hour. Recording takes one map lookup per request. New values
 * are written once a minute, in transactions of up to 200 tokens, and at shutdown. So each user and token is written at
 * most once an hour. If the process is killed, or Lectern is not closed, the last minute is lost.
 *
 * Limits: 100,000 tokens per hour are cached; above, some may be written again.
 */
import { Cause, Context, Effect, Latch, Layer } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import { idleWait } from "../time/IdleWait.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { TokenTable } from "../token/Token.ts"
import { hour } from "../time/Hour.ts"
import { type UserId, UserTable } from "./User.ts"

const maxCached = 100_000
const slice = 200

/** Returns the start of the hour of a time. */
export const hourOf = (millis: number): Timestamp => Timestamps.at(millis - (millis % hour))

export class LastSeen extends Context.Service<
  LastSeen,
  {
    /**
     * Records the activity of a user in an hour (number since 1970), with a token (by id) or a sign-on of the host. The
     * hour comes from `TimeDependency`, so cached responses are valid until the hour ends. Does not write.
     */
    readonly note: (user: UserId, token: string | undefined, hourNow: number) => void
    /** Writes all recorded activity. */
    readonly flush: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/user/LastSeen") {
  static readonly layer = Layer.effect(
    LastSeen,
    Effect.gen(function* () {
      const storage = yield* Storage
      const users = storage.repository(UserTable)
      const tokens = storage.repository(TokenTable)
      const arrival = yield* Latch.make(false)
      const recordedHours = new Map<string, number>()
      let pendingActivity = new Map<string, { readonly user: UserId; readonly at: Timestamp }>()

      const writeActivity = Effect.fnUntraced(function* (
        activity: ReadonlyMap<string, { user: UserId; at: Timestamp }>
      ) {
        for (const row of yield* tokens.list({ where: { id: { in: [...activity.keys()] } } })) {
          const { at } = activity.get(row.id)!
          if (row.lastUsedAt !== undefined && row.lastUsedAt >= at) continue
          yield* tokens.update({ hash: row.hash }, { lastUsedAt: at }).pipe(cannotConflict)
        }
        const latest = new Map<UserId, Timestamp>()
        for (const { user, at } of activity.values()) {
          if ((latest.get(user) ?? "") < at) latest.set(user, at)
        }
        for (const row of yield* users.getMany(Array.from(latest.keys(), (id) => ({ id })))) {
          const at = row && latest.get(row.id)!
          if (row === undefined || (row.lastSeenAt !== undefined && row.lastSeenAt >= at!)) continue
          yield* users.update({ id: row.id }, { lastSeenAt: at! }).pipe(cannotConflict)
        }
      })

      const flush = Effect.gen(function* () {
        arrival.closeUnsafe()
        const pendingEntries = [...pendingActivity]
        pendingActivity = new Map()
        for (let i = 0; i < pendingEntries.length; i += slice) {
          yield* storage.transaction(writeActivity(new Map(pendingEntries.slice(i, i + slice))))
        }
      })

      const flushWithLog = Effect.catchCause(flush, (cause) =>
        Effect.logWarning("When people were last there could not be written", Cause.squash(cause))
      )

      yield* Effect.addFinalizer(() => flushWithLog)
      yield* arrival.await.pipe(
        Effect.andThen(idleWait("1 minute")),
        Effect.andThen(flushWithLog),
        Effect.forever,
        Effect.forkScoped
      )

      return LastSeen.of({
        flush,
        note: (user, token, hourNow) => {
          // Ids of users and tokens never collide.
          const activityKey = token ?? user
          if (recordedHours.get(activityKey) === hourNow) return
          if (recordedHours.size >= maxCached) recordedHours.clear()
          recordedHours.set(activityKey, hourNow)
          pendingActivity.set(activityKey, { user, at: Timestamps.at(hourNow * hour) })
          arrival.openUnsafe()
        }
      })
    })
  )
}
