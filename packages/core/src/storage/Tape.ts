/**
 * Records the random values and the time of day that a transaction's body reads. A body may run more than once before
 * its commit (see `Storage.transaction`). Each run rewinds the tape and reads the recorded values, so that all runs
 * generate equal ids and secrets. The time of day stands still while a body runs, because one run may read it more often
 * than the next.
 *
 * Bodies run synchronously, one after another, so at most one tape plays at a time in a process.
 */
import { type Clock, type Duration, Effect } from "effect"

/** Values in the order in which the first run took them. */
class Track<A> {
  private readonly values: Array<A> = []
  private position = 0

  rewind() {
    this.position = 0
  }

  take(make: () => A): A {
    if (this.position === this.values.length) this.values.push(make())
    return this.values[this.position++]!
  }
}

let playingTape: Tape | undefined

export class Tape {
  private readonly randomValues = new Track<unknown>()
  private time: number | undefined

  /** Rewinds a tape and plays it while `run` runs. */
  static play<A>(tape: Tape, run: () => A): A {
    const previous = playingTape
    playingTape = tape
    tape.randomValues.rewind()
    try {
      return run()
    } finally {
      playingTape = previous
    }
  }

  /** Returns a clock whose time of day is that of its first read. */
  clock(clock: Clock.Clock): Clock.Clock {
    return new TapedClock(clock, () => (this.time ??= clock.currentTimeMillisUnsafe()))
  }

  /** Takes a random value from the tape that is playing, or a new value without a tape. */
  static random<A>(make: () => A): A {
    return playingTape === undefined ? make() : (playingTape.randomValues.take(make) as A)
  }
}

class TapedClock implements Clock.Clock {
  private readonly clock: Clock.Clock
  private readonly timeOfDay: () => number

  constructor(clock: Clock.Clock, timeOfDay: () => number) {
    this.clock = clock
    this.timeOfDay = timeOfDay
  }

  currentTimeMillisUnsafe(): number {
    return this.timeOfDay()
  }

  get currentTimeMillis(): Effect.Effect<number> {
    return Effect.sync(() => this.currentTimeMillisUnsafe())
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  }

  get currentTimeNanos(): Effect.Effect<bigint> {
    return Effect.sync(() => this.currentTimeNanosUnsafe())
  }

  /** Not recorded: code may measure durations with it, but must not store its value. */
  monotonicTimeNanosUnsafe(): bigint {
    return this.clock.monotonicTimeNanosUnsafe()
  }

  get monotonicTimeNanos(): Effect.Effect<bigint> {
    return this.clock.monotonicTimeNanos
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.clock.sleep(duration)
  }
}
