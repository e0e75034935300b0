/** Removes old jobs once a day: done jobs after 7 days, failed jobs after 30. */
import { Duration, Effect } from "effect"
import { JobTable } from "./Job.ts"
import { removeOlder, scheduled } from "./Schedule.ts"

export const removeOldJobs = scheduled(
  "remove-old-jobs",
  { days: 1 },
  Effect.all([
    removeOlder(JobTable, Duration.days(7), (updatedAt) => ({ status: "done", updatedAt })),
    removeOlder(JobTable, Duration.days(30), (updatedAt) => ({ status: "failed", updatedAt }))
  ])
)
