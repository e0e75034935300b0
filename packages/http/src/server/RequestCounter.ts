/**
 * Counts requests by whoever makes them: so many in a minute, which begins with the first of them.
 *
 * Limits: counted in memory, by each process for itself, for the 100,000 that came last. `RateLimiter`
 * of `effect` keeps every name for ever, and takes twice as long.
 */
import * as CountedMinute from "@lectern/core/moment/CountedMinute"
import { type HttpServerResponse } from "effect/http"
import { errorResponse } from "./Answers.ts"

const maxNames = 100_000

interface Entry {
  /** Of the requests within the minute. */
  count: number
  readonly resetAt: number
}

export class RequestCounter {
  readonly #limit: () => number
  // In the order in which their minutes end.
  readonly #entries = new Map<string, Entry>()

  /** `limit` is asked at each request, and may change. */
  constructor(limit: () => number) {
    this.#limit = limit
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Counts a request of this name, `now` in milliseconds. */
  count(name: string, now: number): Counted {
    for (const [oldest, { resetAt }] of this.#entries) {
      if (CountedMinute.isOn(resetAt, now) && this.#entries.size < maxNames) break
      this.#entries.delete(oldest)
    }
    const limit = this.#limit()
    let entry = this.#entries.get(name)
    if (entry === undefined) this.#entries.set(name, (entry = { count: 0, resetAt: now + CountedMinute.length }))
    entry.count++
    const seconds = Math.max(1, Math.ceil((entry.resetAt - now) / 1000))
    return {
      name,
      headers: {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(Math.max(0, limit - entry.count)),
        "x-ratelimit-reset": String(Math.ceil(entry.resetAt / 1000))
      },
      refused:
        entry.count <= limit
          ? undefined
          : errorResponse(429, `More than ${limit} requests in a minute: try again in ${seconds} seconds`, {
              headers: { "retry-after": String(seconds) }
            })
    }
  }
}

export interface Counted {
  readonly name: string
  /** Headers that tell a client about the limit, with every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer to a request beyond it. */
  readonly refused: HttpServerResponse.HttpServerResponse | undefined
}
