/** Removes audit events after their retention time, once a day. Default: 365 days. */
import { Clock, Context, Duration, Effect } from "effect"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { AuditEventTable } from "./AuditEvent.ts"

/** Number of days for which events are retained; 0: without limit. */
export const AuditDays = Context.Reference<number>("@lectern/core/audit/AuditDays", { defaultValue: () => 365 })

export const RemoveOldAuditEvents = Job.recurring("remove-old-audit-events", Duration.days(1))

export const removeOldAuditEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const days = yield* AuditDays
  return Job.handler(RemoveOldAuditEvents, () =>
    Effect.gen(function* () {
      if (days === 0) return
      const until = (yield* Clock.currentTimeMillis) - Duration.toMillis(Duration.days(days))
      yield* removeAll(AuditEventTable, { occurredAt: { lt: Timestamps.at(until) } })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
