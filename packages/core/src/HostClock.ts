/**
 * A clock of a host that does not use Effect: a function that returns the time in milliseconds since the epoch, like
 * `Date.now`. It provides the time to all services. Waiting uses timers, so setting the clock forward ends no wait.
 */
import { Clock, Context, Effect } from "effect"

export type HostClock = () => number

const nanosOf = (millis: number): bigint => BigInt(Math.round(millis * 1_000)) * 1_000n

/** Combines the time of the function with existing timers. */
const over = (timers: Clock.Clock, millis: HostClock): Clock.Clock => ({
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => nanosOf(millis()),
  currentTimeNanos: Effect.sync(() => nanosOf(millis())),
  monotonicTimeNanosUnsafe: () => timers.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: timers.monotonicTimeNanos,
  sleep: (duration) => timers.sleep(duration)
})

export const references = (clock: HostClock): Context.Context<never> =>
  Context.make(Clock.Clock, over(Context.get(Context.empty(), Clock.Clock), clock)) as Context.Context<never>
