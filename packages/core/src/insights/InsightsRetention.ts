/** Removes events of visitors after 30 days, and all but the latest 100,000 of a site, once an hour. */
import { Duration, Effect } from "effect"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { SiteTable } from "../site/Site.ts"
import { Storage } from "../storage/Storage.ts"
import { StoredEventTable, retentionDays, maxStored } from "./StoredEvent.ts"

const slice = 1_000

export const removeOldInsights = Effect.gen(function* () {
  const storage = yield* Storage
  const events = storage.repository(StoredEventTable)
  const sites = storage.repository(SiteTable)

  const removeExcess = Effect.fnUntraced(function* (site: string) {
    for (let excess = (yield* events.count({ site })) - maxStored; excess > 0; excess -= slice) {
      const oldestEvents = yield* events.list({ where: { site }, order: ["at"], limit: Math.min(slice, excess) })
      yield* events.remove({ id: { in: oldestEvents.map(({ id }) => id) } })
      yield* Effect.yieldNow
    }
  })

  return yield* scheduled(
    "remove-old-insights",
    { hours: 1 },
    Effect.gen(function* () {
      yield* removeOlder(StoredEventTable, Duration.days(retentionDays), (at) => ({ at }))
      for (let after: ReadonlyArray<string> | undefined; ;) {
        const siteBatch = yield* sites.list({ where: {}, ...(after && { after }), limit: slice })
        for (const { id } of siteBatch) yield* removeExcess(id)
        if (siteBatch.length < slice) return
        after = [siteBatch.at(-1)!.id]
      }
    })
  )
})
