/** A clock for the fibers of a process that can be paused: no timer ends between `pause` and `resume`. */
import { Clock, type Duration, Effect, Latch } from "effect"

export const pausableClock = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const running = yield* Latch.make(true)
  const sleep = (duration: Duration.Duration) => Effect.andThen(clock.sleep(duration), running.await)
  return {
    clock: Object.assign(Object.create(clock), { sleep }) as Clock.Clock,
    pause: running.close,
    resume: running.open
  }
})
