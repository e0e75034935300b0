/** Limits the calls per minute that the server makes for readers of sites, by address and by site. */
import { rateLimitKey } from "@lectern/core/fetch/Addresses"

export interface RateLimits {
  readonly perAddress: number
  readonly perSite: number
}

export class RateLimiter {
  readonly limits: RateLimits
  #counts = new Map<string, number>()
  #minuteEnd = 0

  constructor(limits: RateLimits) {
    this.limits = limits
  }

  /** Counts a call. Returns the seconds to wait if a limit is reached, otherwise 0. `now`: time (ms). */
  retryAfter([remoteAddress, site]: readonly [address: string, site: string], now: number): number {
    const address = rateLimitKey(remoteAddress)
    if (now >= this.#minuteEnd) {
      this.#counts = new Map()
      this.#minuteEnd = now + 60_000
    }
    const { perAddress, perSite } = this.limits
    const seconds = Math.max(1, Math.ceil((this.#minuteEnd - now) / 1000))
    const countOf = (name: string) => this.#counts.get(name) ?? 0
    if (countOf(`address ${address}`) >= perAddress || countOf(`site ${site}`) >= perSite) return seconds
    for (const name of [`address ${address}`, `site ${site}`]) this.#counts.set(name, countOf(name) + 1)
    return 0
  }
}
