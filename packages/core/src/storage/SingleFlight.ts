/**
 * Makes a value once for all callers that need the same one at the same time: the first call starts the work in a fiber of its
 * own, later calls with the same key wait for that fiber. The work goes on when the first caller is interrupted, and is
 * interrupted when the last one is. A failure reaches all callers that wait, and the next call starts again.
 *
 * The work runs with the services of the first caller, so the key names all that the value depends on. It must not need a
 * scope of that caller. What the work reads of the store and of the clock counts as read by each caller (see `Reads`).
 *
 * Inside a transaction every call makes the value itself, since a transaction waits for nothing but the store.
 */
import { Clock, Context, Effect, Fiber, Scheduler } from "effect"
import { WatchedClock } from "../moment/Moment.ts"
import { CurrentReads, Reads } from "./Reads.ts"

interface Flight<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly clock: WatchedClock
  readonly reads: Reads
  /** Callers that wait now. */
  callers: number
  /** True once a second caller has joined. */
  isShared: boolean
}

export class SingleFlight<K, A, E = never> {
  readonly #flights = new Map<K, Flight<A, E>>()

  /** Number of values that are being made. */
  get size(): number {
    return this.#flights.size
  }

  has(key: K): boolean {
    return this.#flights.has(key)
  }

  run<R>(key: K, make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.withFiber(({ context }) => {
      if (Context.get(context, Scheduler.PreventSchedulerYield)) return make
      const joined = this.#flights.get(key)
      const flight = joined ?? this.#begin(key, make, context as Context.Context<R>)
      flight.callers++
      flight.isShared ||= joined !== undefined
      const awaited = Effect.onExit(Fiber.await(flight.fiber), () => Effect.sync(() => this.#leave(key, flight)))
      return Effect.flatMap(awaited, (exit) => {
        noteReads(context, flight)
        // All callers resume in the same turn of the event loop: each goes on in its own, since much may follow.
        return flight.isShared ? Effect.andThen(Effect.yieldNow, exit) : exit
      })
    })
  }

  #begin<R>(key: K, make: Effect.Effect<A, E, R>, context: Context.Context<R>): Flight<A, E> {
    const clock = new WatchedClock(Context.get(context, Clock.Clock))
    const reads = new Reads()
    const around = Context.add(Context.add(context, Clock.Clock, clock), CurrentReads, reads)
    const flight: Flight<A, E> = { fiber: Effect.runForkWith(around)(make), clock, reads, callers: 0, isShared: false }
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

/** Counts the reads of the work as those of a caller. */
const noteReads = (context: Context.Context<never>, { clock, reads }: Flight<unknown, unknown>): void => {
  Context.get(context, CurrentReads)?.add(reads)
  const own = Context.get(context, Clock.Clock)
  if (own instanceof WatchedClock && clock.holdsUntil !== Infinity) own.ask(() => clock.holdsUntil)
}
