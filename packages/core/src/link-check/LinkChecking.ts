/**
 * Checks due URLs, once a minute. Hosts that have waited longest come first, and a host with many URLs does not delay
 * others.
 *
 * Limits: 8 hosts at once, one request at a time for each host with a pause of a second, for 20 seconds a minute, so at
 * most 20 URLs of a host. The rest follows in the next run.
 */
import { Clock, Duration, Effect } from "effect"
import { Events } from "../event/Events.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import * as LinkRequests from "./LinkRequests.ts"
import { type LinkCheckRow, LinkCheckTable, type LinkHostRow, LinkHostTable, pause } from "./LinkCheck.ts"
import { type CheckResult, next } from "./LinkCheckState.ts"

export const CheckLinks = Job.recurring("check-links", { minutes: 1 })

const hostsAtOnce = 8
const hostsPerRun = 500
const urlsPerVisit = 20
const runMillis = 20_000

export const checkLinks = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const fetcher = yield* GuardedFetch
  const checks = storage.repository(LinkCheckTable)
  const hosts = storage.repository(LinkHostTable)

  const write = ({ organization, url }: LinkCheckRow, result: CheckResult) =>
    storage.transaction(
      Effect.gen(function* () {
        const existing = yield* checks.get({ organization, url })
        if (existing === undefined) return
        const patch = next(existing, result, yield* Timestamps.now)
        yield* checks.update({ organization, url }, patch)
        if (existing.state !== "broken" && patch.state === "broken")
          yield* events.emit({ type: "external_link_broken", organization, url })
        if (existing.state === "broken" && patch.state === "ok")
          yield* events.emit({ type: "external_link_restored", organization, url })
      })
    )

  /** Stores the time of the next visit of a host. Removes a host without URLs. */
  const scheduleHost = (host: string, retryAfterMillis: number | undefined) =>
    storage.transaction(
      Effect.gen(function* () {
        const [first] = yield* checks.list({ where: { host }, order: ["dueAt"], limit: 1 })
        if (first === undefined) return yield* hosts.remove({ host })
        const now = yield* Clock.currentTimeMillis
        const notBefore = Timestamps.at(now + (retryAfterMillis ?? Duration.toMillis(pause)))
        return yield* hosts.update({ host }, { notBefore, dueAt: first.dueAt > notBefore ? first.dueAt : notBefore })
      })
    )

  /** Checks the due URLs of one host, until the time `until` (ms since the epoch). */
  const visit = Effect.fnUntraced(function* ({ host, notBefore }: LinkHostRow, until: number) {
    if ((yield* Clock.currentTimeMillis) >= until) return
    const now = yield* Timestamps.now
    // A URL that was added in the meantime may have made the host due before `notBefore`. The host is then postponed
    // again.
    if (notBefore !== undefined && notBefore > now) return yield* hosts.update({ host }, { dueAt: notBefore })
    const due = yield* checks.list({ where: { host, dueAt: { lte: now } }, order: ["dueAt"], limit: urlsPerVisit })
    let retryAfterMillis: number | undefined
    for (const [i, check] of due.entries()) {
      if (i > 0) {
        yield* Effect.sleep(pause)
        if ((yield* Clock.currentTimeMillis) >= until) break
      }
      const result = yield* LinkRequests.checkUrl(fetcher, check.url)
      yield* write(check, result)
      retryAfterMillis = result.retryAfterMillis
      if (retryAfterMillis !== undefined) break
    }
    return yield* scheduleHost(host, retryAfterMillis)
  })

  return Job.handler(CheckLinks, () =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + runMillis
      const now = yield* Timestamps.now
      const due = yield* hosts.list({ where: { dueAt: { lte: now } }, order: ["dueAt"], limit: hostsPerRun })
      yield* Effect.forEach(due, (host) => visit(host, until), { concurrency: hostsAtOnce, discard: true })
    })
  )
})
