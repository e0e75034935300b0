/** Removes events after 7 days, and unpublished integrations after a day. */
import { Clock, Duration, Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { IntegrationTable } from "./Integration.ts"
import { IntegrationEventTable } from "./IntegrationEvent.ts"
import { SharedEventTable } from "./SharedEvent.ts"

const eventRetention = Duration.toMillis(Duration.days(7))
const unpublishedRetention = Duration.toMillis(Duration.days(1))

const RemoveOldIntegrationEvents = Job.recurring("remove-old-integration-events", Duration.hours(24))

export const removeOldIntegrationEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  return Job.handler(RemoveOldIntegrationEvents, () =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* removeAll(IntegrationEventTable, { id: { lt: ids.firstAt(now - eventRetention) } })
      yield* removeAll(SharedEventTable, { id: { lt: ids.firstAt(now - eventRetention - unpublishedRetention) } })
      yield* removeAll(IntegrationTable, { unpublishedAt: { gt: "", lt: Timestamps.at(now - unpublishedRetention) } })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
