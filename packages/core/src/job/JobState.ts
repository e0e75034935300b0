/**
 * State machine of a job. A job waits, runs under a lease, and ends as `done` or `failed`. If the lease ends first,
 * another worker can claim the job. A worker with an outdated claim can't end the job. See `LeasedWork` for renewals.
 *
 * | status  | claim       | complete | continue | fail            | release | retry   |
 * | ------- | ----------- | -------- | -------- | --------------- | ------- | ------- |
 * | waiting | running (1) | -        | -        | -               | -       | -       |
 * | running | running (2) | done (3) | waiting  | waiting, failed | waiting | -       |
 * | done    | -           | -        | -        | -               | -       | -       |
 * | failed  | -           | -        | -        | -               | -       | waiting |
 *
 * - (1) if the job is due
 * - (2) if the lease has ended; failed if that was the last attempt
 * - (3) waiting if the job recurs or was enqueued again
 */
import { Duration, Result, type Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import { isUnfinished, type JobRow, type JobRules } from "./Job.ts"
import * as Lease from "./Lease.ts"
import * as LeasedWork from "./LeasedWork.ts"

export type JobEvent =
  /** A worker starts the job. `duration` of the lease in ms. */
  | { readonly type: "claim"; readonly now: Timestamp; readonly holder: string; readonly duration: number }
  | { readonly type: "complete"; readonly now: Timestamp; readonly claim: Lease.Claim }
  /** The job continues at `dueAt`. Default: immediately, even if the job was enqueued again. */
  | {
      readonly type: "continue"
      readonly now: Timestamp
      readonly claim: Lease.Claim
      readonly payload: Schema.Json
      readonly dueAt?: Timestamp
    }
  /** An attempt failed. `nonRetryable`: true if no retry can succeed. */
  | {
      readonly type: "fail"
      readonly now: Timestamp
      readonly claim: Lease.Claim
      readonly reason: string
      readonly nonRetryable: boolean
    }
  /** A worker that shuts down returns the job to the queue. */
  | { readonly type: "release"; readonly now: Timestamp; readonly claim: Lease.Claim }
  /** The operator retries a failed job. */
  | { readonly type: "retry"; readonly now: Timestamp }

export type JobPatch = Patch<JobRow>

/** Returns the change of the row for an event, or the reason why the event is not allowed. */
export const next = (
  job: Pick<JobRow, "status" | "attempts" | "lease" | "again">,
  event: JobEvent,
  rules: JobRules = { attempts: 10 }
): Result.Result<JobPatch, string> => {
  const { now } = event
  /** Returns the change of a job that waits for `millis` from now, with all its attempts. */
  const waitingPatch = (millis = 0) =>
    ({
      updatedAt: now,
      again: undefined,
      status: "waiting",
      ...LeasedWork.succeed(job, Timestamps.after(now, millis))
    }) as const

  /** Returns the change of a job that runs again after this run, or undefined if the job ends. */
  const repeatPatch = (failure: string | undefined): JobPatch | undefined => {
    if (rules.every !== undefined) return { ...waitingPatch(Duration.toMillis(rules.every)), failure }
    return job.again === true ? { ...waitingPatch(), failure } : undefined
  }

  /** Returns the change of a job that ends. */
  const endPatch = { updatedAt: now, again: undefined, lease: Lease.release(job.lease, now) }

  const failedPatch = (reason: string, nonRetryable: boolean): JobPatch =>
    !nonRetryable && job.attempts < rules.attempts
      ? { updatedAt: now, status: "waiting", ...LeasedWork.fail(job, now, reason) }
      : (repeatPatch(reason) ?? { ...endPatch, status: "failed", failure: reason })

  if (event.type === "retry") {
    return job.status === "failed"
      ? Result.succeed({ updatedAt: now, status: "waiting", lease: Lease.release(job.lease, now), attempts: 0 })
      : Result.fail(`The job is ${job.status}. Only failed jobs can be retried`)
  }

  if (event.type === "claim") {
    if (!isUnfinished(job)) return Result.fail(`The job is ${job.status}`)
    if (!Lease.isExpired(job.lease, now))
      return Result.fail(job.status === "waiting" ? "The job is not due" : "Another worker runs the job")
    if (job.status === "running" && job.attempts >= rules.attempts) {
      return Result.succeed(failedPatch("The worker of the last attempt ended before the job", true))
    }
    return Result.succeed({
      updatedAt: now,
      again: undefined,
      status: "running",
      ...LeasedWork.claim(job, event.holder, now, event.duration)
    })
  }

  if (job.status !== "running" || !Lease.isHeld(job.lease, event.claim))
    return Result.fail("The run no longer holds the lease of the job")
  switch (event.type) {
    case "complete":
      return Result.succeed(repeatPatch(undefined) ?? { ...endPatch, status: "done", failure: undefined })
    case "continue":
      return Result.succeed({
        ...waitingPatch(),
        ...(job.again === undefined && { lease: Lease.release(job.lease, event.dueAt ?? now) }),
        again: job.again,
        payload: event.payload
      })
    case "fail":
      return Result.succeed(failedPatch(event.reason, event.nonRetryable))
    case "release":
      return Result.succeed({ updatedAt: now, status: "waiting", ...LeasedWork.release(job, now) })
  }
}
