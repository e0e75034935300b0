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

/** A computation that yields at each point where it may be paused. */
export type Steps<A> = Generator<void, A>

const sliceNanos = 4_000_000n

export class Slice {
  /** False in a transaction. */
  readonly mayPause: boolean
  readonly #clock: Clock.Clock
  #begun: bigint

  private constructor(clock: Clock.Clock, mayRest: boolean) {
    this.mayPause = mayRest
    this.#clock = clock
    this.#begun = clock.monotonicTimeNanosUnsafe()
  }

  static readonly start: Effect.Effect<Slice> = Effect.withFiber(({ context }) =>
    Effect.succeed(new Slice(Context.get(context, Clock.Clock), !Context.get(context, Scheduler.PreventSchedulerYield)))
  )

  /** Runs a computation in slices. */
  static readonly run = <A>(steps: Steps<A>): Effect.Effect<A> =>
    Effect.gen(function* () {
      const slice = yield* Slice.start
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
        if (slice.isOver()) yield* slice.pause
      }
    })

  /** Tells whether it is time to rest. The question costs 30 ns. */
  isOver(): boolean {
    return this.mayPause && this.#clock.monotonicTimeNanosUnsafe() - this.#begun >= sliceNanos
  }

  /** Lets others have their turn, and begins the next slice. */
  readonly pause: Effect.Effect<void> = Effect.map(Effect.yieldNow, () => {
    this.#begun = this.#clock.monotonicTimeNanosUnsafe()
  })
}

/** Runs a computation without pauses, if no other work waits or the computation is known to be small. */
export const runSync = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Number of items that are sorted in one piece. */
const sortChunkSize = 1_000

/** Returns the items in order, like `toSorted`, in slices. */
export function* sortInSteps<A>(items: ReadonlyArray<A>, compare: (a: A, b: A) => number): Steps<Array<A>> {
  let parts: Array<Array<A>> = []
  for (let from = 0; from < items.length; from += sortChunkSize) {
    parts.push(items.slice(from, from + sortChunkSize).sort(compare))
    yield
  }
  while (parts.length > 1) {
    const merged: Array<Array<A>> = []
    for (let i = 0; i < parts.length; i += 2) {
      const [left, right] = [parts[i]!, parts[i + 1]]
      merged.push(right === undefined ? left : yield* mergeInSteps(left, right, compare))
    }
    parts = merged
  }
  return parts[0] ?? []
}

function* mergeInSteps<A>(left: ReadonlyArray<A>, right: ReadonlyArray<A>, compare: (a: A, b: A) => number) {
  const merged: Array<A> = []
  let [l, r] = [0, 0]
  while (l < left.length || r < right.length) {
    const isLeft = r >= right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0)
    merged.push(isLeft ? left[l++]! : right[r++]!)
    if (merged.length % sortChunkSize === 0) yield
  }
  return merged
}
