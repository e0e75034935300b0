/**
 * How much of what is told of a site goes on: all of it up to so many a minute, then one in ten, in a hundred
 * and so on. So a flood takes little more than its beginning, and still shows. Views, feedback and the rest are
 * counted apart.
 *
 * Limits: counted in memory, by each process for itself, for the 10,000 sites that came last.
 */
import * as CountedMinute from "../moment/CountedMinute.ts"
import { LruCache } from "../storage/LruCache.ts"

/** How many of a kind go on whole, for each site and minute. */
export const wholeAMinute = { view: 600, feedback: 60, other: 600 } as const
export type Sampled = keyof typeof wholeAMinute

const maxSites = 10_000

interface Minute {
  readonly endsAt: number
  readonly counts: { [K in Sampled]: number }
}

export class InsightsSampling {
  readonly #sites = new LruCache<string, Minute>(maxSites)

  /** Counts one, and says for how many it goes on; 0: it doesn't. */
  weigh(site: string, kind: Sampled, now: number): number {
    let minute = this.#sites.get(site)
    if (minute === undefined || !CountedMinute.isOn(minute.endsAt, now)) {
      minute = { endsAt: now + CountedMinute.length, counts: { view: 0, feedback: 0, other: 0 } }
      this.#sites.set(site, minute, 1)
    }
    const count = ++minute.counts[kind]
    let [room, every] = [wholeAMinute[kind] as number, 1]
    for (; count > room; room *= 10) every *= 10
    return count % every === 0 ? every : 0
  }
}
