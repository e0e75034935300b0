/**
 * Requests a URL to check that it exists: with HEAD, and with GET as a browser would if HEAD fails, because many
 * servers do not support HEAD. The body is not read.
 *
 * Limits: 10 seconds for each request. A host that does not respond in time is not requested for an hour. A
 * `Retry-After` header is honoured between a minute and a day.
 */
import { Clock, Duration, Effect } from "effect"
import type { HeadResponse, FetchFailed, GuardedFetch } from "../fetch/GuardedFetch.ts"
import * as RetryAfter from "../fetch/RetryAfter.ts"
import type { CheckResult } from "./LinkCheckState.ts"

const timeout = Duration.seconds(10)

/** User agent by which operators of websites identify the requests. */
const userAgent = "Lectern (link check)"

const minute = Duration.toMillis(Duration.minutes(1))
const hour = Duration.toMillis(Duration.hours(1))
const day = Duration.toMillis(Duration.days(1))

/** Returns true if the host demands fewer requests. */
const isBusy = ({ status, retryAfter }: HeadResponse): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined)

/** `now`: milliseconds since the epoch. */
export const ofStatus = (response: HeadResponse, now: number): CheckResult => ({
  isMissing: response.status === 404 || response.status === 410,
  outcome: String(response.status),
  ...(isBusy(response) && { retryAfterMillis: retryDelayOf(response.retryAfter, now), isPostponed: true })
})

export const ofFailure = (reason: FetchFailed["reason"]): CheckResult => ({
  isMissing: reason === "unknown-host",
  outcome: reason,
  ...(reason === "timeout" && { retryAfterMillis: hour })
})

const retryDelayOf = (retryAfter = "", now: number): number => {
  const millis = RetryAfter.millisOf(retryAfter, now)
  return millis === undefined ? hour : Math.min(Math.max(millis, minute), day)
}

/** Checks a URL. Never fails: a failed request is a result. */
export const checkUrl = Effect.fnUntraced(
  function* (fetcher: GuardedFetch["Service"], url: string) {
    const head = yield* fetcher.requestHead(url, { method: "HEAD", timeout, userAgent })
    if (head.status < 400 || isBusy(head)) return head
    // The URL is requested again with GET, since the status may be about the method HEAD.
    return yield* fetcher.requestHead(url, { method: "GET", timeout, userAgent })
  },
  Effect.matchEffect({
    onSuccess: (response) => Effect.map(Clock.currentTimeMillis, (now) => ofStatus(response, now)),
    onFailure: ({ reason }) => Effect.succeed(ofFailure(reason))
  })
)
