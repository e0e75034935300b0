/**
 * Questions about the time whose answers hold for a known while: whether a moment has passed, in which window
 * of time it is now. A plain look at the clock says nothing of how long what came of it holds; after one of
 * these, a `WatchedClock` knows it, so that an answer can be kept until then.
 */
import { Clock, type Duration, Effect } from "effect"

/** Notes until when holds whatever was made while it told the time. */
export class WatchedClock implements Clock.Clock {
  readonly #clock: Clock.Clock
  #until = Infinity

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** The first moment (epoch ms) at which the time may make a difference; 0 where nothing is known of it. */
  get holdsUntil(): number {
    return this.#until
  }

  /** Tells the time to a question that holds until then. */
  ask(until: (now: number) => number): number {
    const now = this.#clock instanceof WatchedClock ? this.#clock.ask(until) : this.#clock.currentTimeMillisUnsafe()
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

  // How long something takes is measured in nanoseconds, and is part of no answer.
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

  /** Whoever waits may do otherwise for what comes first. */
  sleep(duration: Duration.Duration): Effect.Effect<void> {
    this.#until = 0
    return this.#clock.sleep(duration)
  }
}

/** Answers a question about the time, and notes until when that holds. */
const ask = <A>(until: (now: number) => number, answer: (now: number) => A): Effect.Effect<A> =>
  Effect.clockWith((clock) =>
    Effect.succeed(answer(clock instanceof WatchedClock ? clock.ask(until) : clock.currentTimeMillisUnsafe()))
  )

/** Tells whether a moment (epoch ms) has come. */
export const hasCome = (moment: number): Effect.Effect<boolean> =>
  ask(
    (now) => (now < moment ? moment : Infinity),
    (now) => now >= moment
  )

/** The number of the window of this length (ms) that it is now, counted from 1970. */
export const windowOf = (length: number): Effect.Effect<number> =>
  ask(
    (now) => (Math.floor(now / length) + 1) * length,
    (now) => Math.floor(now / length)
  )
