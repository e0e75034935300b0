/** Removes events older than 30 days, once a day. The last event is always retained, since new ids must follow its id. */
import { Clock, Duration, Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import { scheduled } from "../job/Schedule.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { eventRetention, EventTable } from "./Event.ts"

export const removeOldEvents = Effect.flatMap(Ids, ({ firstAt }) =>
  scheduled(
    "remove-old-events",
    { days: 1 },
    Effect.gen(function* () {
      const firstRetained = firstAt((yield* Clock.currentTimeMillis) - Duration.toMillis(eventRetention))
      const [last] = yield* (yield* Storage).repository(EventTable).list({ where: {}, descending: true, limit: 1 })
      if (last !== undefined)
        yield* removeAll(EventTable, { id: { lt: last.id < firstRetained ? last.id : firstRetained } })
    })
  )
)
