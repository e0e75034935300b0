/**
 * Keeps what was found out from the store, for as long as it certainly holds: until something is written that it was
 * read from (`Reads`), however much else is, or a moment comes that counted (`Moment`).
 *
 * ```ts
 * const kept = yield* ReadCache.make<Found>(1_000)
 * const found = yield* kept(key, look(key))
 * ```
 *
 * Limits: those used last, as large as they are said to be in all. Inside a transaction nothing is kept or known.
 */
import { Clock, Context, Effect } from "effect"
import { WatchedClock } from "../moment/Moment.ts"
import { LruCache } from "./LruCache.ts"
import { untracked, CurrentReads, Reads } from "./Reads.ts"
import { Storage, type StorageError } from "./Storage.ts"

export interface ReadCacheOptions<A> {
  /** For how long it may be kept (ms), in place of what was asked of the clock. */
  readonly ttl?: number
  /** Default: 1. */
  readonly sizeOf?: (value: A) => number
}

/** Gives the value that is kept under the key, else finds it now. `of`: it is kept for these very values only. */
export type ReadCache<A> = <E, R>(
  key: string,
  find: Effect.Effect<A, E, R>,
  of?: ReadonlyArray<unknown>
) => Effect.Effect<A, E | StorageError, R>

interface Entry<A> {
  readonly value: A
  readonly reads: Reads
  readonly expiresAt: number
  readonly values: ReadonlyArray<unknown>
  /** The generation in which it was last known to hold. */
  validAt: number
}

const noValues: ReadonlyArray<unknown> = []

export const make = Effect.fnUntraced(function* <A>(limit: number, options: ReadCacheOptions<A> = {}) {
  const { generation, changedSince } = yield* Storage
  const { ttl: lasts, sizeOf = () => 1 } = options
  const entries = new LruCache<string, Entry<A>>(limit)
  const now = untracked(generation)
  // From now on it is known what is written.
  changedSince(new Reads(), 0)

  const isValid = (entry: Entry<A>, asOf: number, of: ReadonlyArray<unknown>, clock: Clock.Clock): boolean => {
    const now = clock instanceof WatchedClock ? clock.ask(() => entry.expiresAt) : clock.currentTimeMillisUnsafe()
    if (entry.expiresAt <= now || entry.values.some((value, i) => value !== of[i])) return false
    if (entry.validAt !== asOf && changedSince(entry.reads, entry.validAt)) return false
    entry.validAt = asOf
    return true
  }

  const kept: ReadCache<A> = (key, find, of = noValues) =>
    Effect.withFiber((fiber) => {
      const around = Context.get(fiber.context, CurrentReads)
      const clock = Context.get(fiber.context, Clock.Clock)
      return Effect.flatMap(now, (asOf) => {
        if (asOf === undefined) return find
        const entry = entries.get(key)
        if (entry !== undefined && isValid(entry, asOf, of, clock)) {
          around?.add(entry.reads)
          return Effect.succeed(entry.value)
        }
        const watched = new WatchedClock(clock)
        const reads = new Reads()
        const begun = clock.currentTimeMillisUnsafe()
        const keep = (value: A) => {
          around?.add(reads)
          const until = lasts === undefined ? watched.holdsUntil : begun + lasts
          if (until > begun)
            entries.set(key, { value, reads, expiresAt: until, values: of, validAt: asOf }, sizeOf(value))
          return value
        }
        return Effect.updateContext(Effect.map(find, keep), (context: Context.Context<any>) =>
          Context.add(Context.add(context, Clock.Clock, watched), CurrentReads, reads)
        )
      })
    })
  return kept
})
