/**
 * State of a checked URL, as a pure function. A single result that the URL is missing may be wrong: a link is `broken`
 * after two in a row, at least six hours apart. Any other result (success, a refusal, an error, no response) leaves the
 * link `ok`, since it does not prove that the URL is missing.
 *
 * | from | missing | anything else |
 * | --- | --- | --- |
 * | unchecked, ok | doubtful | ok |
 * | doubtful | broken, or doubtful if less than six hours passed | ok |
 * | broken | broken | ok |
 *
 * Interval to the next check: 7 days for ok, 12 hours for doubtful, a day for broken, or the delay that a busy host
 * requests.
 */
import { Duration } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import type { LinkCheckRow } from "./LinkCheck.ts"

/** Result of one check of a URL. */
export interface CheckResult {
  /** True if the host reports that the URL does not exist, or the host does not exist. */
  readonly isMissing: boolean
  /** A status, or the reason of a failure. */
  readonly outcome: string
  /** Time in milliseconds during which the host is not requested. */
  readonly retryAfterMillis?: number
  /** True if the URL is checked again after `rest`, because the host did not process the request. */
  readonly isPostponed?: true
}

export const minInterval = Duration.toMillis(Duration.hours(6))

const recheckAfter = {
  ok: Duration.toMillis(Duration.days(7)),
  doubtful: Duration.toMillis(Duration.hours(12)),
  broken: Duration.toMillis(Duration.days(1))
}

export type LinkCheckPatch = Patch<Omit<LinkCheckRow, "organization" | "url" | "host">>

export const next = (
  { state, goneAt }: Pick<LinkCheckRow, "state" | "goneAt">,
  { isMissing, outcome, retryAfterMillis: rest, isPostponed: isPutOff }: CheckResult,
  now: Timestamp
): LinkCheckPatch => {
  const after = (millis: number) => Timestamps.after(now, millis)
  const checked = { answer: outcome, checkedAt: now }
  if (!isMissing) {
    const dueAt = after(isPutOff === true && rest !== undefined ? rest : recheckAfter.ok)
    return { ...checked, state: "ok", goneAt: undefined, dueAt }
  }
  const missingSince = state === "doubtful" || state === "broken" ? (goneAt ?? now) : now
  const isCertain = state === "broken" || Date.parse(now) - Date.parse(missingSince) >= minInterval
  const verdict = isCertain ? "broken" : "doubtful"
  return { ...checked, state: verdict, goneAt: missingSince, dueAt: after(recheckAfter[verdict]) }
}
