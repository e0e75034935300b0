/** Removes events after 7 days, and unpublished integrations after a day, once a day. */
import { Clock, Duration, Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { IntegrationTable } from "./Integration.ts"
import { IntegrationEventTable } from "./IntegrationEvent.ts"
import { SharedEventTable } from "./SharedEvent.ts"

const day = Duration.toMillis(Duration.days(1))

export const removeOldIntegrationEvents = Effect.flatMap(Ids, ({ firstAt }) =>
  scheduled(
    "remove-old-integration-events",
    { days: 1 },
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* removeAll(IntegrationEventTable, { id: { lt: firstAt(now - 7 * day) } })
      yield* removeAll(SharedEventTable, { id: { lt: firstAt(now - 8 * day) } })
      yield* removeOlder(IntegrationTable, Duration.days(1), ({ lt }) => ({ unpublishedAt: { gt: "", lt } }))
    })
  )
)
