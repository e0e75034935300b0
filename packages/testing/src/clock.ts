/**
 * A clock that a test moves. Nothing else moves it.
 *
 * ```ts
 * const clock = testClock()
 * const lectern = await MemoryLectern.open({ clock, background: false })
 * clock.advance({ days: 8 })
 * await lectern.jobs.worker.runDue()
 * ```
 *
 * Waits use timers, so moving the clock does not end them. `background: false` leaves due jobs to `runDue`.
 *
 * Default: the clock starts at 2030-01-01T00:00:00Z.
 */
import type { HostClock } from "@lectern/core/HostClock"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import * as Duration from "effect/Duration"

export interface TestClock extends HostClock {
  /** Moves the clock forward. */
  readonly advance: (duration: DurationLike) => void
  /** Sets the time: a `Date` or an ISO string. Throws a `RangeError` for an invalid time. */
  readonly set: (time: Date | string) => void
}

const millisOf = (time: Date | string): number => {
  const millis = new Date(time).getTime()
  if (Number.isNaN(millis)) throw new RangeError(`Invalid time: ${time}. Expected a Date or an ISO string`)
  return millis
}

/** Returns a clock for the option `clock` of `open`. Throws a `RangeError` for an invalid time. */
export const testClock = (start: Date | string = "2030-01-01T00:00:00Z"): TestClock => {
  let now = millisOf(start)
  return Object.assign(() => now, {
    advance: (duration: DurationLike) => {
      now += Duration.toMillis(duration)
    },
    set: (time: Date | string) => {
      now = millisOf(time)
    }
  })
}
