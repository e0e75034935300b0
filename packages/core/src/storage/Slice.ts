/**
 * Runs a long computation in time slices, so that it does not block the event loop. A loop checks after each item
 * whether the slice is over, and then pauses.
 *
 * ```ts
 * const slice = yield* Slice.start
 * for (const page of pages) {
 *   visit(page)
 *   if (slice.isOver()) yield* slice.pause
 * }
 * ```
 *
 * Limit: a slice lasts 4 ms, so a short computation never pauses. A computation inside a transaction never pauses
 * either, since a transaction waits only for the store.
 */
import { Clock, Context, Effect, Scheduler } from "effect"

/** A computation that yields at each point where it may be paused. */
export type Steps<A> = Generator<void, A>

const sliceNanos = 4_000_000n

export class Slice {
  /** True outside of transactions. */
  readonly mayPause: boolean
  readonly #clock: Clock.Clock
  #startedAt: bigint

  private constructor(clock: Clock.Clock, mayPause: boolean) {
    this.mayPause = mayPause
    this.#clock = clock
    this.#startedAt = clock.monotonicTimeNanosUnsafe()
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

  /** Yields to other fibers, except inside a transaction. */
  static readonly yieldNow: Effect.Effect<void> = Effect.withFiber(({ context }) =>
    Context.get(context, Scheduler.PreventSchedulerYield) ? Effect.void : Effect.yieldNow
  )

  /** True if the slice is over. The check costs 30 ns. */
  isOver(): boolean {
    return this.mayPause && this.#clock.monotonicTimeNanosUnsafe() - this.#startedAt >= sliceNanos
  }

  /** Yields to other fibers and starts the next slice. */
  readonly pause: Effect.Effect<void> = Effect.map(Effect.yieldNow, () => {
    this.#startedAt = this.#clock.monotonicTimeNanosUnsafe()
  })
}

/** Runs a computation without pauses. For small computations, or if no other work waits. */
export const runSync = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Number of items that are sorted without a pause. */
const sortChunkSize = 1_000

/** Returns the items sorted, like `toSorted`, as a computation that can pause. */
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
