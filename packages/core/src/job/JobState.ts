/**
 * The states of a job. It waits, runs under a lease, and ends as `done` or `failed`; a run that
 * does not end in time is another worker's to take over. A run is known by its claim, so whoever
 * lost the job can neither renew nor end it.
 *
 * | status  | claim       | renew   | complete | continue | fail            | release | retry   |
 * | ------- | ----------- | ------- | -------- | -------- | --------------- | ------- | ------- |
 * | waiting | running (1) | -       | -        | -        | -               | -       | -       |
 * | running | running (2) | running | done (3) | waiting  | waiting, failed | waiting | -       |
 * | done    | -           | -       | -        | -        | -               | -       | -       |
 * | failed  | -           | -       | -        | -        | -               | -       | waiting |
 *
 * 1. when it is due
 * 2. when its lease is over; failed, where that was its last attempt
 * 3. waiting, where it recurs or was enqueued again
 */
import { Duration, Result, type Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import type { JobRow, JobRules } from "./Job.ts"

export type JobEvent =
  /** A worker begins it; the lease is in milliseconds. */
  | { readonly type: "claim"; readonly now: Timestamp; readonly claim: string; readonly lease: number }
  | { readonly type: "renew"; readonly now: Timestamp; readonly claim: string; readonly lease: number }
  | { readonly type: "complete"; readonly now: Timestamp; readonly claim: string }
  /** It goes on at `dueAt`, by default at once; at once too where it was enqueued again. */
  | {
      readonly type: "continue"
      readonly now: Timestamp
      readonly claim: string
      readonly payload: Schema.Json
      readonly dueAt?: Timestamp
    }
  /** `hopeless`: no further attempt would help. */
  | {
      readonly type: "fail"
      readonly now: Timestamp
      readonly claim: string
      readonly reason: string
      readonly hopeless: boolean
    }
  /** A worker that shuts down gives it back. */
  | { readonly type: "release"; readonly now: Timestamp; readonly claim: string }
  /** The operator gives a failed job another chance. */
  | { readonly type: "retry"; readonly now: Timestamp }

export type JobPatch = Patch<JobRow>

const firstPause = 5_000
const longestPause = 3_600_000

/** How long a job waits after that many attempts have failed (ms). */
export const pause = (attempts: number): number =>
  Math.min(firstPause * 2 ** Math.min(Math.max(attempts - 1, 0), 30), longestPause)

const after = (now: Timestamp, millis: number) => Timestamps.at(Date.parse(now) + millis)

/** Change of the row that an event makes, or the reason why it can't happen. */
export const next = (
  job: Pick<JobRow, "status" | "attempts" | "dueAt" | "claim" | "again">,
  event: JobEvent,
  rules: JobRules = { attempts: 10 }
): Result.Result<JobPatch, string> => {
  const { now } = event
  const ended = { updatedAt: now, claim: undefined, again: undefined }
  const waiting = { ...ended, status: "waiting", dueAt: now } as const

  const failed = (reason: string, hopeless: boolean): JobPatch => {
    if (!hopeless && job.attempts < rules.attempts) {
      return { ...waiting, again: job.again, failure: reason, dueAt: after(now, pause(job.attempts)) }
    }
    return beginAgain(reason) ?? { ...ended, status: "failed", failure: reason }
  }

  /** Change of a row whose job runs once more, whatever became of this run. */
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
      return Result.succeed(failed(event.reason, event.hopeless))
    case "release":
      return Result.succeed({ ...waiting, again: job.again, attempts: job.attempts - 1 })
  }
}
