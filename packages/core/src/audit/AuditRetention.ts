/** Removes audit events after their retention time, once a day. Default: 365 days. */
import { Context, Duration, Effect } from "effect"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { AuditEventTable } from "./AuditEvent.ts"

/** Number of days for which events are retained; 0: without limit. */
export const AuditDays = Context.Reference<number>("@lectern/core/audit/AuditDays", { defaultValue: () => 365 })

export const removeOldAuditEvents = Effect.flatMap(AuditDays, (days) =>
  scheduled(
    "remove-old-audit-events",
    { days: 1 },
    days === 0 ? Effect.void : removeOlder(AuditEventTable, Duration.days(days), (occurredAt) => ({ occurredAt }))
  )
)
