/** Removes ended sign-ins once an hour: uses, tickets, sessions. */
import { Duration, Effect } from "effect"
import { TokenTable } from "../token/Token.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { SignOnTicketTable, SignOnUseTable } from "./SignOnRecord.ts"

export const RemoveEndedSignOns = Job.recurring("remove-ended-sign-ons", Duration.hours(1))

export const removeEndedSignOns = Effect.gen(function* () {
  const storage = yield* Storage
  return Job.handler(RemoveEndedSignOns, () =>
    Effect.gen(function* () {
      const until = { lt: yield* Timestamps.now }
      yield* removeAll(SignOnUseTable, { until })
      yield* removeAll(SignOnTicketTable, { until })
      yield* removeAll(TokenTable, { sessionEndsAt: until })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
