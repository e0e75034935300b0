/**
 * A clock of a host that does not use Effect: a function that answers the time in milliseconds since 1970, as `Date.now`
 * does. It tells the time to everything that asks for it. How long to wait is measured by timers as ever: a clock that is
 * set forward wakes nobody.
 */
import { Clock, Context, Effect } from "effect"

export type HostClock = () => number

const nanosOf = (millis: number): bigint => BigInt(Math.round(millis * 1_000)) * 1_000n

/** The time that the function tells, over the timers that are there. */
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
