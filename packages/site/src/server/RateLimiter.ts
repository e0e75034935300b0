/** Limits the calls per minute that the server makes for readers of sites, by address and by site. */
import { rateLimitKey } from "@lectern/core/fetch/Addresses"

export interface MostInAMinute {
  readonly perAddress: number
  readonly perSite: number
}

export class CallCounter {
  readonly #most: MostInAMinute
  #counts = new Map<string, number>()
  #endsAt = 0

  constructor(most: MostInAMinute) {
    this.#most = most
  }

  /** Counts a call. Returns the seconds to wait if a limit is reached, otherwise 0. `now`: time (ms). */
  wait([from, site]: readonly [address: string, site: string], now: number): number {
    const address = rateLimitKey(from)
    if (now >= this.#endsAt) {
      this.#counts = new Map()
      this.#endsAt = now + 60_000
    }
    const { perAddress, perSite } = this.#most
    const seconds = Math.max(1, Math.ceil((this.#endsAt - now) / 1000))
    const of = (name: string) => this.#counts.get(name) ?? 0
    if (of(`address ${address}`) >= perAddress || of(`site ${site}`) >= perSite) return seconds
    for (const name of [`address ${address}`, `site ${site}`]) this.#counts.set(name, of(name) + 1)
    return 0
  }
}
