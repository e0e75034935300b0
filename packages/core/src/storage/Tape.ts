/**
 * Recorded input of a transaction's body: the random values and times that it took. A body may run more than once
 * before its commit (see `Storage.transaction`). Each run rewinds the tape and takes the values of the first run, so it
 * generates the same ids and secrets.
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

let playing: Tape | undefined

export class Tape {
  /** Random values and times have separate tracks, since a run may read the time more often than another run. */
  private readonly randomValues = new Track<unknown>()
  private readonly times = new Track<number>()

  /** Rewinds a tape and plays it while `run` runs. */
  static play<A>(tape: Tape, run: () => A): A {
    const previous = playing
    playing = tape
    tape.randomValues.rewind()
    tape.times.rewind()
    try {
      return run()
    } finally {
      playing = previous
    }
  }

  /** Returns a clock that reads the time of day from the tape. */
  clock(clock: Clock.Clock): Clock.Clock {
    return new TapedClock(clock, (make) => this.times.take(make))
  }

  /** Takes a random value from the tape that is playing, or a new value without a tape. */
  static random<A>(make: () => A): A {
    return playing === undefined ? make() : (playing.randomValues.take(make) as A)
  }
}

class TapedClock implements Clock.Clock {
  private readonly clock: Clock.Clock
  private readonly take: (make: () => number) => number

  constructor(clock: Clock.Clock, take: (make: () => number) => number) {
    this.clock = clock
    this.take = take
  }

  currentTimeMillisUnsafe(): number {
    return this.take(() => this.clock.currentTimeMillisUnsafe())
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
