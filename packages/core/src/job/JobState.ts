/**
 * State machine of a job. A job waits, runs under a lease, and ends as `done` or `failed`. If the lease ends first,
 * another worker can claim the job. A worker with an outdated claim can neither renew nor end the job.
 *
 * | status  | claim       | renew   | complete | continue | fail            | release | retry   |
 * | ------- | ----------- | ------- | -------- | -------- | --------------- | ------- | ------- |
 * | waiting | running (1) | -       | -        | -        | -               | -       | -       |
 * | running | running (2) | running | done (3) | waiting  | waiting, failed | waiting | -       |
 * | done    | -           | -       | -        | -        | -               | -       | -       |
 * | failed  | -           | -       | -        | -        | -               | -       | waiting |
 *
 * - (1) if the job is due
 * - (2) if the lease has ended; failed if that was the last attempt
 * - (3) waiting if the job recurs or was enqueued again
 */
import { Duration, Result, type Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import { backoff } from "./Backoff.ts"
import type { JobRow, JobRules } from "./Job.ts"
import * as Lease from "./Lease.ts"

export type JobEvent =
  /** A worker starts the job. `duration` of the lease in ms. */
  | { readonly type: "claim"; readonly now: Timestamp; readonly holder: string; readonly duration: number }
  | { readonly type: "renew"; readonly now: Timestamp; readonly claim: Lease.Claim; readonly duration: number }
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
  const endPatch = { updatedAt: now, lease: Lease.release(job.lease, now), again: undefined }
  /** Returns the change of a job that waits for `millis` from now. */
  const waitingPatch = (millis = 0) =>
    ({ ...endPatch, status: "waiting", lease: Lease.release(job.lease, Timestamps.after(now, millis)) }) as const

  const failedPatch = (reason: string, nonRetryable: boolean): JobPatch => {
    if (!nonRetryable && job.attempts < rules.attempts) {
      return { ...waitingPatch(backoff(job.attempts)), again: job.again, failure: reason }
    }
    return beginAgain(reason) ?? { ...endPatch, status: "failed", failure: reason }
  }

  /** Returns the change of a job that runs again after this run, or undefined if it ends. */
  const beginAgain = (failure: string | undefined): JobPatch | undefined => {
    if (rules.every !== undefined) {
      return { ...waitingPatch(Duration.toMillis(rules.every)), failure, attempts: 0 }
    }
    return job.again === true ? { ...waitingPatch(), failure, attempts: 0 } : undefined
  }

  if (event.type === "retry") {
    return job.status === "failed"
      ? Result.succeed({ ...waitingPatch(), attempts: 0 })
      : Result.fail(`The job is ${job.status}: only a failed one can be tried again`)
  }

  if (event.type === "claim") {
    if (job.status !== "waiting" && job.status !== "running") return Result.fail(`The job is ${job.status}`)
    if (!Lease.isExpired(job.lease, now))
      return Result.fail(job.status === "waiting" ? "The job is not due yet" : "The job is running")
    if (job.status === "running" && job.attempts >= rules.attempts) {
      return Result.succeed(
        failedPatch("The last attempt stopped without an answer, as when its process was killed", true)
      )
    }
    return Result.succeed({
      status: "running",
      attempts: job.attempts + 1,
      lease: Lease.claim(job.lease, event.holder, now, event.duration),
      again: undefined,
      updatedAt: now
    })
  }

  if (job.status !== "running" || !Lease.isHeld(job.lease, event.claim))
    return Result.fail("The job is no longer this run's")
  switch (event.type) {
    case "renew":
      return Result.succeed({ lease: Lease.renew(job.lease, now, event.duration) })
    case "complete":
      return Result.succeed(beginAgain(undefined) ?? { ...endPatch, status: "done", failure: undefined })
    case "continue":
      return Result.succeed({
        ...waitingPatch(),
        ...(job.again === undefined && { lease: Lease.release(job.lease, event.dueAt ?? now) }),
        again: job.again,
        payload: event.payload,
        attempts: 0,
        failure: undefined
      })
    case "fail":
      return Result.succeed(failedPatch(event.reason, event.nonRetryable))
    case "release":
      return Result.succeed({ ...waitingPatch(), again: job.again, attempts: job.attempts - 1 })
  }
}
