/**
 * A long computation in slices, so that the event loop is never held for long: whoever goes over
 * many things asks after each of them whether the slice is over, and rests then.
 *
 * ```ts
 * const slice = yield* Slice.begin
 * for (const page of pages) {
 *   visit(page)
 *   if (slice.isOver()) yield* slice.rest
 * }
 * ```
 *
 * Limit: a slice computes for 4 ms, so a short computation never rests. Neither does one in a
 * transaction, which waits for nothing.
 */
import { Clock, Context, Effect, Scheduler } from "effect"

const sliceNanos = 4_000_000n

export class Slice {
  /** False in a transaction. */
  readonly mayRest: boolean
  readonly #clock: Clock.Clock
  #begun: bigint

  private constructor(clock: Clock.Clock, mayRest: boolean) {
    this.mayRest = mayRest
    this.#clock = clock
    this.#begun = clock.monotonicTimeNanosUnsafe()
  }

  static readonly begin: Effect.Effect<Slice> = Effect.withFiber(({ context }) =>
    Effect.succeed(new Slice(Context.get(context, Clock.Clock), !Context.get(context, Scheduler.PreventSchedulerYield)))
  )

  /** Tells whether it is time to rest. The question costs 30 ns. */
  isOver(): boolean {
    return this.mayRest && this.#clock.monotonicTimeNanosUnsafe() - this.#begun >= sliceNanos
  }

  /** Lets others have their turn, and begins the next slice. */
  readonly rest: Effect.Effect<void> = Effect.map(Effect.yieldNow, () => {
    this.#begun = this.#clock.monotonicTimeNanosUnsafe()
  })
}
