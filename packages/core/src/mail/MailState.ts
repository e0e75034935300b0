/**
 * State machine of a mail. A mail waits, is attempted under a lease, and ends as sent, dropped or failed.
 *
 * | status  | claim       | sent | drop    | fail                | postpone | release | retry       |
 * | ------- | ----------- | ---- | ------- | ------------------- | -------- | ------- | ----------- |
 * | waiting | waiting (1) | sent | dropped | waiting, failed (2) | (3)      | waiting | waiting (4) |
 * | sent    | -           | -    | -       | -                   | -        | -       | -           |
 * | dropped | -           | -    | -       | -                   | -        | -       | -           |
 * | failed  | -           | -    | -       | -                   | -        | -       | waiting     |
 *
 * - (1) held by a worker, if the mail is due
 * - (2) failed if the failure is permanent or the time for attempts is over
 * - (3) waiting without an attempt; failed if the time for attempts is over. Only for a mail that no worker holds
 * - (4) if an attempt failed and no worker holds the mail
 */
import { Duration, Result } from "effect"
import * as Lease from "../job/Lease.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import type { MailRow } from "./Mail.ts"

/** Time for attempts (ms). */
export const attemptMillis = Duration.toMillis(Duration.days(1))

export type MailEvent =
  /**
   * A worker starts an attempt. `recipient`: address in lower case, undefined for a user who no longer exists.
   * `duration` of the lease in ms.
   */
  | {
      readonly type: "claim"
      readonly now: Timestamp
      readonly holder: string
      readonly duration: number
      readonly recipient: string | undefined
    }
  | { readonly type: "sent" | "drop" | "release"; readonly now: Timestamp; readonly claim: Lease.Claim }
  /** An attempt failed. `isPermanent`: true if no retry can succeed. */
  | {
      readonly type: "fail"
      readonly now: Timestamp
      readonly claim: Lease.Claim
      readonly reason: string
      readonly isPermanent: boolean
    }
  /** A limit allows no attempt before `until`. */
  | { readonly type: "postpone"; readonly now: Timestamp; readonly until: Timestamp; readonly reason: string }
  /** The operator retries a mail. */
  | { readonly type: "retry"; readonly now: Timestamp }

export type MailPatch = Patch<MailRow>

type State = Pick<MailRow, "status" | "attempts" | "lease" | "expiresAt">

/** Returns the change of the row for an event, or the reason why the event is not allowed. */
export const next = (mail: State, event: MailEvent): Result.Result<MailPatch, string> => {
  const { now } = event
  const { status, lease } = mail
  const end = { updatedAt: now, lease: Lease.release(lease, now) }
  const failed = (reason: string): MailPatch => ({ ...end, status: "failed", failure: reason })

  if (event.type === "retry") {
    const isRetryable = status === "failed" || (status === "waiting" && mail.attempts > 0 && lease.holder === undefined)
    return isRetryable
      ? Result.succeed({
          updatedAt: now,
          status: "waiting",
          attempts: 0,
          lease: Lease.release(lease, now),
          expiresAt: Timestamps.after(now, attemptMillis)
        })
      : Result.fail("Only mails that failed can be retried")
  }

  if (status !== "waiting") return Result.fail(`The mail is ${status}`)
  switch (event.type) {
    case "claim":
      return Lease.isExpired(lease, now)
        ? Result.succeed({
            updatedAt: now,
            recipient: event.recipient,
            attemptedAt: now,
            ...LeasedWork.claim(mail, event.holder, now, event.duration)
          })
        : Result.fail(lease.holder === undefined ? "The mail is not due" : "Another worker sends the mail")
    case "postpone":
      if (!Lease.isExpired(lease, now)) return Result.fail("Another worker sends the mail")
      return Result.succeed(
        mail.expiresAt <= now
          ? failed(event.reason)
          : { updatedAt: now, lease: Lease.release(lease, event.until), failure: event.reason }
      )
    default:
  }

  if (!Lease.isHeld(lease, event.claim)) return Result.fail("The worker no longer holds the mail")
  switch (event.type) {
    case "sent":
      return Result.succeed({ ...end, status: "sent", failure: undefined, payload: undefined })
    case "drop":
      // A mail that was not sent does not count toward the limits.
      return Result.succeed({ ...end, status: "dropped", payload: undefined, attemptedAt: undefined })
    case "fail":
      return Result.succeed(
        event.isPermanent || mail.expiresAt <= now
          ? failed(event.reason)
          : { updatedAt: now, ...LeasedWork.fail(mail, now, event.reason) }
      )
    case "release":
      return Result.succeed({ updatedAt: now, ...LeasedWork.release(mail, now) })
  }
}
