/** Removes old jobs once a day: done jobs after 7 days, failed jobs after 30. */
import { Clock, Duration, Effect } from "effect"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import * as Job from "./Job.ts"

export const retention = { done: Duration.days(7), failed: Duration.days(30) } as const

export const RemoveOldJobs = Job.recurring("remove-old-jobs", Duration.days(1))

export const removeOldJobs = Effect.gen(function* () {
  const storage = yield* Storage
  return Job.handler(RemoveOldJobs, () =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const status of ["done", "failed"] as const) {
        const removedBefore = Timestamps.at(now - Duration.toMillis(retention[status]))
        yield* removeAll(Job.JobTable, { status, updatedAt: { lt: removedBefore } })
      }
    }).pipe(Effect.provideService(Storage, storage))
  )
})
