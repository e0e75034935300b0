/**
 * Cache of values that are computed from the store. An entry is valid until a row that it was computed from is written
 * (see `Reads`), or until a time that its computation depended on (see `TimeDependency`). Writes to other rows do not
 * invalidate it.
 *
 * ```ts
 * const cached = yield* ReadCache.make<Installation>(1_000)
 * const installation = yield* cached(key, compute(key))
 * ```
 *
 * Inside a transaction, an entry is valid unless the transaction wrote one of the rows, and a value is stored only if it
 * was computed from committed rows.
 *
 * Limit: least recently used entries are evicted above the given total size.
 */
import { Clock, Context, Effect, Scheduler } from "effect"
import { WatchedClock } from "../time/TimeDependency.ts"
import { LruCache } from "./LruCache.ts"
import { CurrentArrival } from "./LearnedCommits.ts"
import { untracked, CurrentReads, Reads } from "./Reads.ts"
import { Storage, type StorageError } from "./Storage.ts"

export interface ReadCacheOptions<A> {
  /** Time to live (ms). Replaces the time at which the computation reads the clock as changed. */
  readonly ttl?: number
  /** Returns the size of a value, in units of the limit. Default: 1. */
  readonly sizeOf?: (value: A) => number
}

/**
 * Returns the cached value of the key, or computes it. An entry is valid only for the `values` that it was computed
 * with (compared by identity).
 */
export type ReadCache<A> = <E, R>(
  key: string,
  compute: Effect.Effect<A, E, R>,
  values?: ReadonlyArray<unknown>
) => Effect.Effect<A, E | StorageError, R>

interface Entry<A> {
  readonly value: A
  readonly reads: Reads
  readonly expiresAt: number
  readonly values: ReadonlyArray<unknown>
  /** Last `Storage.generation` in which the entry was valid. */
  validAt: number
}

const noValues: ReadonlyArray<unknown> = []

/** Returns the time. A computation of the caller that is cached, too, is valid until the given time. */
const readUntil = (clock: Clock.Clock, until: (now: number) => number): number =>
  clock instanceof WatchedClock ? clock.readUntil(until) : clock.currentTimeMillisUnsafe()

export const make = Effect.fnUntraced(function* <A>(limit: number, options: ReadCacheOptions<A> = {}) {
  const { lastCommit, learnedCommit, changedSince } = yield* Storage
  const { ttl, sizeOf = () => 1 } = options
  const entries = new LruCache<string, Entry<A>>(limit)
  const currentCommit = untracked(lastCommit)
  // Starts the recording of written rows in the store. Without it, the first check would invalidate every entry.
  changedSince(new Reads(), 0)

  const isValid = (
    entry: Entry<A>,
    commit: number,
    isInside: boolean,
    values: ReadonlyArray<unknown>,
    clock: Clock.Clock
  ): boolean => {
    const now = readUntil(clock, () => entry.expiresAt)
    if (entry.expiresAt <= now || entry.values.some((value, i) => value !== values[i])) return false
    if ((isInside || entry.validAt !== commit) && changedSince(entry.reads, entry.validAt)) return false
    entry.validAt = commit
    return true
  }

  const cached: ReadCache<A> = (key, compute, values = noValues) =>
    Effect.withFiber((fiber) => {
      const callerReads = Context.get(fiber.context, CurrentReads)
      const clock = Context.get(fiber.context, Clock.Clock)
      // Only bodies of transactions run with this setting.
      const isInside = Context.get(fiber.context, Scheduler.PreventSchedulerYield)
      const find = (commit: number): typeof compute => {
        const entry = entries.get(key)
        if (entry !== undefined && isValid(entry, commit, isInside, values, clock)) {
          callerReads?.add(entry.reads)
          return Effect.succeed(entry.value)
        }
        const watchedClock = new WatchedClock(clock)
        const reads = new Reads()
        const startedAt = readUntil(clock, (now) => (ttl === undefined ? Infinity : now + ttl))
        const store = (value: A) => {
          callerReads?.add(reads)
          const expiresAt = ttl === undefined ? watchedClock.validUntil : startedAt + ttl
          const isCommitted = !isInside || !changedSince(reads, commit)
          if (expiresAt > startedAt && isCommitted)
            entries.set(key, { value, reads, expiresAt, values, validAt: commit }, sizeOf(value))
          return value
        }
        return Effect.updateContext(Effect.map(compute, store), (context: Context.Context<any>) =>
          Context.add(Context.add(context, Clock.Clock, watchedClock), CurrentReads, reads)
        )
      }
      // Without an effect, since most calls are hits.
      const commit = isInside ? undefined : learnedCommit(Context.get(fiber.context, CurrentArrival))
      return commit === undefined ? Effect.flatMap(currentCommit, find) : find(commit)
    })
  return cached
})
