/** Removes events older than 30 days, once a day. The last event is always retained. */
import { Clock, Duration, Effect } from "effect"
import * as Job from "../job/Job.ts"
import { Ids } from "../identity/Ids.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { EventTable } from "./Event.ts"
import { EventId } from "./EventKind.ts"

export const retention = Duration.days(30)

export const RemoveOldEvents = Job.recurring("remove-old-events", Duration.days(1))

export const removeOldEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  return Job.handler(RemoveOldEvents, () =>
    Effect.gen(function* () {
      const firstRetainedId = ids.firstAt((yield* Clock.currentTimeMillis) - Duration.toMillis(retention))
      // The last event is retained, since new ids must follow its id.
      const [lastEvent] = yield* storage.repository(EventTable).list({ where: {}, descending: true, limit: 1 })
      if (lastEvent !== undefined)
        yield* removeAll(EventTable, {
          id: { lt: lastEvent.id < firstRetainedId ? lastEvent.id : EventId.make(firstRetainedId) }
        })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
