/**
 * Counts attempts by key, and makes those who try often wait. After some free attempts each further one doubles the
 * pause, up to a maximum. An attempt counts when it starts, so parallel attempts get no more tries.
 *
 * Counters are in the memory of each process. An hour without an attempt, or a success, clears a counter. Limit: the
 * 100,000 most recent keys.
 */

const maxKeys = 100_000
const forgetAfter = 60 * 60_000
const firstPause = 1_000

export interface AttemptLimits {
  /** Number of attempts without a pause. */
  readonly free: number
  /** Maximum pause in ms. */
  readonly maxPause: number
}

interface Counter {
  count: number
  last: number
  /** Time (epoch ms) from which the next attempt is allowed. */
  until: number
}

export class Attempts {
  readonly #limits: AttemptLimits
  // Counters, ordered by their last attempt.
  readonly #counters = new Map<string, Counter>()

  constructor(limits: AttemptLimits) {
    this.#limits = limits
  }

  /** Returns the milliseconds until the next attempt with a key is allowed. 0 if it is allowed now. */
  pauseOf(key: string, now: number): number {
    return Math.max(0, (this.#counters.get(key)?.until ?? 0) - now)
  }

  /** Counts an attempt that is allowed. */
  start(key: string, now: number): void {
    for (const [oldest, { last }] of this.#counters) {
      if (now - last < forgetAfter && this.#counters.size < maxKeys) break
      this.#counters.delete(oldest)
    }
    const counter = this.#counters.get(key) ?? { count: 0, last: now, until: 0 }
    counter.count++
    counter.last = now
    const excess = counter.count - this.#limits.free
    if (excess >= 0) counter.until = now + Math.min(this.#limits.maxPause, firstPause * 2 ** Math.min(excess, 30))
    this.#counters.delete(key)
    this.#counters.set(key, counter)
  }

  /** Clears the counter of a key after a success. */
  clear(key: string): void {
    this.#counters.delete(key)
  }
}
