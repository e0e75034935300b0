/**
 * State machine of a job. A job waits, runs under a lease, and ends as `done` or `failed`. If the lease ends first,
 * another worker can claim the job. Each run has a claim: a worker whose claim is outdated can neither renew nor end
 * the job.
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
import type { JobRow, JobRules } from "./Job.ts"

export type JobEvent =
  /** A worker starts the job. `lease` in ms. */
  | { readonly type: "claim"; readonly now: Timestamp; readonly claim: string; readonly lease: number }
  | { readonly type: "renew"; readonly now: Timestamp; readonly claim: string; readonly lease: number }
  | { readonly type: "complete"; readonly now: Timestamp; readonly claim: string }
  /** The job continues at `dueAt`. Default: immediately, even if the job was enqueued again. */
  | {
      readonly type: "continue"
      readonly now: Timestamp
      readonly claim: string
      readonly payload: Schema.Json
      readonly dueAt?: Timestamp
    }
  /** An attempt failed. `hopeless`: true if no retry can succeed. */
  | {
      readonly type: "fail"
      readonly now: Timestamp
      readonly claim: string
      readonly reason: string
      readonly nonRetryable: boolean
    }
  /** A worker that shuts down returns the job to the queue. */
  | { readonly type: "release"; readonly now: Timestamp; readonly claim: string }
  /** The operator retries a failed job. */
  | { readonly type: "retry"; readonly now: Timestamp }

export type JobPatch = Patch<JobRow>

const minBackoff = 5_000
const maxBackoff = 3_600_000

/** Returns the backoff after a number of failed attempts (ms). */
export const pause = (attempts: number): number =>
  Math.min(minBackoff * 2 ** Math.min(Math.max(attempts - 1, 0), 30), maxBackoff)

const after = (now: Timestamp, millis: number) => Timestamps.at(Date.parse(now) + millis)

/** Returns the change of the row for an event, or the reason why the event is not allowed. */
export const next = (
  job: Pick<JobRow, "status" | "attempts" | "dueAt" | "claim" | "again">,
  event: JobEvent,
  rules: JobRules = { attempts: 10 }
): Result.Result<JobPatch, string> => {
  const { now } = event
  const ended = { updatedAt: now, claim: undefined, again: undefined }
  const waiting = { ...ended, status: "waiting", dueAt: now } as const

  const failed = (reason: string, nonRetryable: boolean): JobPatch => {
    if (!nonRetryable && job.attempts < rules.attempts) {
      return { ...waiting, again: job.again, failure: reason, dueAt: after(now, pause(job.attempts)) }
    }
    return beginAgain(reason) ?? { ...ended, status: "failed", failure: reason }
  }

  /** Returns the change of a job that runs again after this run, or undefined if it ends. */
  const beginAgain = (failure: string | undefined): JobPatch | undefined => {
    if (rules.every !== undefined) {
      return { ...waiting, failure, attempts: 0, dueAt: after(now, Duration.toMillis(rules.every)) }
    }
    return job.again === true ? { ...waiting, failure, attempts: 0 } : undefined
  }

  if (event.type === "retry") {
    return job.status === "failed"
      ? Result.succeed({ ...waiting, attempts: 0 })
      : Result.fail(`The job is ${job.status}: only a failed one can be tried again`)
  }

  if (event.type === "claim") {
    if (job.status !== "waiting" && job.status !== "running") return Result.fail(`The job is ${job.status}`)
    if (job.dueAt > now) return Result.fail(job.status === "waiting" ? "The job is not due yet" : "The job is running")
    if (job.status === "running" && job.attempts >= rules.attempts) {
      return Result.succeed(failed("The last attempt stopped without an answer, as when its process was killed", true))
    }
    return Result.succeed({
      status: "running",
      attempts: job.attempts + 1,
      claim: event.claim,
      again: undefined,
      dueAt: after(now, event.lease),
      updatedAt: now
    })
  }

  if (job.status !== "running" || job.claim !== event.claim) return Result.fail("The job is no longer this run's")
  switch (event.type) {
    case "renew":
      return Result.succeed({ dueAt: after(now, event.lease) })
    case "complete":
      return Result.succeed(beginAgain(undefined) ?? { ...ended, status: "done", failure: undefined })
    case "continue":
      return Result.succeed({
        ...waiting,
        again: job.again,
        payload: event.payload,
        attempts: 0,
        failure: undefined,
        dueAt: job.again === true ? now : (event.dueAt ?? now)
      })
    case "fail":
      return Result.succeed(failed(event.reason, event.nonRetryable))
    case "release":
      return Result.succeed({ ...waiting, again: job.again, attempts: job.attempts - 1 })
  }
}
