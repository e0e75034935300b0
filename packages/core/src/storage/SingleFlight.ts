/**
 * Deduplicates concurrent computations of one value. The first call starts the computation in a fiber of its own; later
 * calls with an equal key wait for that fiber. The computation continues if the first caller is interrupted. It is
 * interrupted when its last waiting caller is interrupted. A failure reaches all waiting callers, and the next call
 * starts again.
 *
 * The computation runs with the services of the first caller, so the key must name every dependency of the value. The
 * computation must not use the scope of the first caller. Its reads of the store and the clock count as reads of each
 * caller (see `Reads`).
 *
 * Inside a transaction every call computes the value itself, since a transaction waits only for the store.
 */
import { Clock, Context, Effect, Fiber, Scheduler } from "effect"
import { WatchedClock } from "../time/TimeDependency.ts"
import { CurrentFence } from "./Fence.ts"
import { CurrentReads, Reads } from "./Reads.ts"

interface Flight<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly clock: WatchedClock
  readonly reads: Reads
  /** Number of waiting callers. */
  callers: number
  /** True once a second caller has joined. */
  isShared: boolean
}

export class SingleFlight<K, A, E = never> {
  readonly #flights = new Map<K, Flight<A, E>>()

  /** Number of computations in progress. */
  get size(): number {
    return this.#flights.size
  }

  has(key: K): boolean {
    return this.#flights.has(key)
  }

  run<R>(key: K, make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.withFiber(({ context }) => {
      if (Context.get(context, Scheduler.PreventSchedulerYield)) return make
      const existingFlight = this.#flights.get(key)
      const flight = existingFlight ?? this.#begin(key, make, context as Context.Context<R>)
      flight.callers++
      flight.isShared ||= existingFlight !== undefined
      const exitOfFlight = Effect.onExit(Fiber.await(flight.fiber), () => Effect.sync(() => this.#leave(key, flight)))
      return Effect.flatMap(exitOfFlight, (exit) => {
        noteReads(context, flight)
        // All callers resume in one turn of the event loop. Each caller yields and continues in a separate turn, since
        // long work may follow.
        return flight.isShared ? Effect.andThen(Effect.yieldNow, exit) : exit
      })
    })
  }

  #begin<R>(key: K, make: Effect.Effect<A, E, R>, context: Context.Context<R>): Flight<A, E> {
    const clock = new WatchedClock(Context.get(context, Clock.Clock))
    const reads = new Reads()
    const flightContext = context.pipe(
      Context.add(Clock.Clock, clock),
      Context.add(CurrentReads, reads),
      Context.add(CurrentFence, undefined)
    )
    const flight: Flight<A, E> = {
      fiber: Effect.runForkWith(flightContext)(make),
      clock,
      reads,
      callers: 0,
      isShared: false
    }
    if (flight.fiber.pollUnsafe() === undefined) {
      this.#flights.set(key, flight)
      flight.fiber.addObserver(() => this.#forget(key, flight))
    }
    return flight
  }

  #leave(key: K, flight: Flight<A, E>): void {
    if (--flight.callers > 0 || flight.fiber.pollUnsafe() !== undefined) return
    this.#forget(key, flight)
    flight.fiber.interruptUnsafe()
  }

  #forget(key: K, flight: Flight<A, E>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}

/** Adds the reads of the computation to those of a caller. */
const noteReads = (context: Context.Context<never>, { clock, reads }: Flight<unknown, unknown>): void => {
  Context.get(context, CurrentReads)?.add(reads)
  const callerClock = Context.get(context, Clock.Clock)
  if (callerClock instanceof WatchedClock && clock.validUntil !== Infinity)
    callerClock.readUntil(() => clock.validUntil)
}
