/**
 * Asks whether something is at a URL: for the headers alone, and where that fails as a reader's
 * browser would, since many servers know GET only. No body is read.
 *
 * Limits: 10 seconds for each request. A host that does not answer in time is left alone for an
 * hour; one that asks for it, as long as it asks for, from a minute to a day.
 */
import { Clock, Duration, Effect } from "effect"
import type { Answer, FetchFailed, GuardedFetch } from "../fetch/GuardedFetch.ts"
import * as RetryAfter from "../fetch/RetryAfter.ts"
import type { LinkAnswer } from "./LinkCheckState.ts"

const timeout = Duration.seconds(10)

/** Name of the requester: an operator of a website finds it in the log. */
const userAgent = "Lectern (link check)"

const minute = Duration.toMillis(Duration.minutes(1))
const hour = Duration.toMillis(Duration.hours(1))
const day = Duration.toMillis(Duration.days(1))

/** It asks not to be asked again at once. */
const isBusy = ({ status, retryAfter }: Answer): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined)

/** `now` in milliseconds. */
export const ofStatus = (found: Answer, now: number): LinkAnswer => ({
  gone: found.status === 404 || found.status === 410,
  answer: String(found.status),
  ...(isBusy(found) && { rest: restOf(found.retryAfter, now), isPutOff: true })
})

export const ofFailure = (reason: FetchFailed["reason"]): LinkAnswer => ({
  gone: reason === "unknown-host",
  answer: reason,
  ...(reason === "timeout" && { rest: hour })
})

const restOf = (retryAfter = "", now: number): number => {
  const millis = RetryAfter.millisOf(retryAfter, now)
  return millis === undefined ? hour : Math.min(Math.max(millis, minute), day)
}

/** Never fails: that nothing came of it is an answer too. */
export const ask = Effect.fnUntraced(
  function* (fetcher: GuardedFetch["Service"], url: string) {
    const head = yield* fetcher.answer(url, { method: "HEAD", timeout, userAgent })
    if (head.status < 400 || isBusy(head)) return head
    // It may be an answer to the method rather than to the URL.
    return yield* fetcher.answer(url, { method: "GET", timeout, userAgent })
  },
  Effect.matchEffect({
    onSuccess: (found) => Effect.map(Clock.currentTimeMillis, (now) => ofStatus(found, now)),
    onFailure: ({ reason }) => Effect.succeed(ofFailure(reason))
  })
)
