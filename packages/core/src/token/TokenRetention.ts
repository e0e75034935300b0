/**
 * Removes tokens 30 days after their end, once a day. Tokens of sessions are removed earlier (see `SignOnRetention`).
 */
import { Clock, Duration, Effect } from "effect"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { TokenTable } from "./Token.ts"

const retention = Duration.days(30)

export const RemoveExpiredTokens = Job.recurring("remove-ended-tokens", Duration.days(1))

export const removeExpiredTokens = Effect.gen(function* () {
  const storage = yield* Storage
  return Job.handler(RemoveExpiredTokens, () =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) - Duration.toMillis(retention)
      yield* removeAll(TokenTable, { endsAt: { lt: Timestamps.at(until) } })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
