/**
 * Samples the events of a site: all up to a number per minute, then one in ten, one in a hundred and so on. So a flood
 * of events costs little and is still visible. Views, feedback and other events are counted separately.
 *
 * Limits: counts are kept in memory, by each process, for the 10,000 most recent sites.
 */
import * as MinuteWindow from "../time/MinuteWindow.ts"
import { LruCache } from "../storage/LruCache.ts"

/** Number of events per site and minute up to which all are stored, by kind. */
export const unsampledPerMinute = { view: 600, feedback: 60, other: 600 } as const
export type SampledKind = keyof typeof unsampledPerMinute

const maxSites = 10_000

interface MinuteCounts {
  readonly endsAt: number
  readonly counts: { [K in SampledKind]: number }
}

export class InsightsSampling {
  readonly #sites = new LruCache<string, MinuteCounts>(maxSites)

  /** Counts an event. Returns the number of events that it represents, or 0 if it is dropped. */
  weightOf(site: string, kind: SampledKind, now: number): number {
    let minute = this.#sites.get(site)
    if (minute === undefined || !MinuteWindow.isCurrent(minute.endsAt, now)) {
      minute = { endsAt: now + MinuteWindow.length, counts: { view: 0, feedback: 0, other: 0 } }
      this.#sites.set(site, minute, 1)
    }
    const count = ++minute.counts[kind]
    let [limit, every] = [unsampledPerMinute[kind] as number, 1]
    for (; count > limit; limit *= 10) every *= 10
    return count % every === 0 ? every : 0
  }
}
