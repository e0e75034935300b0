/**
 * Counts requests per caller in windows of a minute. A window starts with its first request.
 *
 * Limits: counters are in the memory of each process, for the 100,000 most recent callers. `RateLimiter` of `effect`
 * never forgets a name and takes twice as long.
 */
import * as MinuteWindow from "@lectern/core/time/MinuteWindow"
import { type HttpServerResponse } from "effect/http"
import { errorResponse } from "./Responses.ts"

const maxCallers = 100_000

interface Entry {
  /** Number of requests in the window. */
  count: number
  readonly resetAt: number
}

export class RequestCounter {
  readonly #limit: () => number
  // Entries, ordered by the end of their windows.
  readonly #entries = new Map<string, Entry>()

  /** `limit` is read at each request and may change. */
  constructor(limit: () => number) {
    this.#limit = limit
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Counts a request of a caller. `now` is in ms. */
  count(name: string, now: number): CountedRequest {
    for (const [oldest, { resetAt }] of this.#entries) {
      if (MinuteWindow.isCurrent(resetAt, now) && this.#entries.size < maxCallers) break
      this.#entries.delete(oldest)
    }
    const limit = this.#limit()
    let entry = this.#entries.get(name)
    if (entry === undefined) this.#entries.set(name, (entry = { count: 0, resetAt: now + MinuteWindow.length }))
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
          : errorResponse(429, `More than ${limit} requests in a minute: retry in ${seconds} seconds`, {
              headers: { "retry-after": String(seconds) }
            })
    }
  }
}

export interface CountedRequest {
  readonly name: string
  /** Rate limit headers for every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Error response if the limit is exceeded. */
  readonly refused: HttpServerResponse.HttpServerResponse | undefined
}
