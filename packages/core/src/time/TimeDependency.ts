/**
 * Queries of the current time whose result is valid until a known time: has a given time passed, which time window is
 * current. A `WatchedClock` records that time, so that results can be cached until then. A direct read of the clock
 * makes the result uncacheable.
 */
import { Clock, type Duration, Effect } from "effect"

/** Clock that records until when the results of its reads are valid. */
export class WatchedClock implements Clock.Clock {
  readonly #clock: Clock.Clock
  #until = Infinity

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Time (epoch ms) until which results are valid. 0 if unknown; Infinity if nothing depended on the time. */
  get validUntil(): number {
    return this.#until
  }

  /** Returns the current time for a query whose result is valid until `until`. */
  readUntil(until: (now: number) => number): number {
    const now =
      this.#clock instanceof WatchedClock ? this.#clock.readUntil(until) : this.#clock.currentTimeMillisUnsafe()
    this.#until = Math.min(this.#until, until(now))
    return now
  }

  currentTimeMillisUnsafe(): number {
    this.#until = 0
    return this.#clock.currentTimeMillisUnsafe()
  }

  get currentTimeMillis(): Effect.Effect<number> {
    this.#until = 0
    return this.#clock.currentTimeMillis
  }

  // Durations are measured in nanoseconds and do not affect results.
  currentTimeNanosUnsafe(): bigint {
    return this.#clock.currentTimeNanosUnsafe()
  }

  get currentTimeNanos(): Effect.Effect<bigint> {
    return this.#clock.currentTimeNanos
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.#clock.monotonicTimeNanosUnsafe()
  }

  get monotonicTimeNanos(): Effect.Effect<bigint> {
    return this.#clock.monotonicTimeNanos
  }

  /** A sleep may order concurrent work differently, so its result is not cacheable. */
  sleep(duration: Duration.Duration): Effect.Effect<void> {
    this.#until = 0
    return this.#clock.sleep(duration)
  }
}

/** Runs a query of the current time and records until when its result is valid. */
const queryTime = <A>(until: (now: number) => number, resultAt: (now: number) => A): Effect.Effect<A> =>
  Effect.clockWith((clock) =>
    Effect.succeed(resultAt(clock instanceof WatchedClock ? clock.readUntil(until) : clock.currentTimeMillisUnsafe()))
  )

/** True if the time (epoch ms) has passed. */
export const hasPassed = (time: number): Effect.Effect<boolean> =>
  queryTime(
    (now) => (now < time ? time : Infinity),
    (now) => now >= time
  )

/** Returns the number of the current time window of `length` ms, counted from 1970. */
export const windowOf = (length: number): Effect.Effect<number> =>
  queryTime(
    (now) => (Math.floor(now / length) + 1) * length,
    (now) => Math.floor(now / length)
  )
