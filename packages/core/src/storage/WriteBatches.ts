/**
 * Buffers writes that no caller waits for and writes them in batches, one transaction each. Events of programs and
 * visitors arrive faster than commits are possible, and each commit invalidates caches.
 *
 * ```ts
 * const records = yield* WriteBatches.make("Events of visitors could not be written")
 * ```
 *
 * Limits: a batch is written after 200 ms, or at 250 rows; at that size `add` waits for the write. Buffered writes are
 * lost if the process is killed.
 */
import { type Context, Effect, identity, Semaphore } from "effect"
import { unfenced } from "./Fence.ts"
import { Storage, type StorageError } from "./Storage.ts"

const flushDelay = "200 millis"
const maxRows = 250

type Write = Effect.Effect<unknown, StorageError>

export interface WriteBatches<A = Write> {
  /** Adds an item to the next batch. `rows` is the approximate number of rows that the item writes (default: 1). */
  readonly add: (item: A, rows?: number) => Effect.Effect<void>
  /** Writes all buffered items. They are committed when the effect completes. */
  readonly flush: Effect.Effect<void, StorageError>
  /** True if a matching item is not yet written. */
  readonly isPending: (is: (item: A) => boolean) => boolean
}

/**
 * Creates a buffer of items of one kind. `write` writes a batch in one transaction. Items are kept in memory until
 * then, with everything that they reference. `message` is logged if a write fails. The buffer is flushed when the scope
 * closes.
 */
export const makeOf = Effect.fnUntraced(function* <A>(message: string, write: (items: ReadonlyArray<A>) => Write) {
  const layerScope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  // A second flush waits for the first, so that all earlier items are committed when it completes.
  const mutex = yield* Semaphore.make(1)
  let pending: Array<A> = []
  let writing: ReadonlyArray<A> = []
  let pendingRows = 0
  let isScheduled = false

  const flush = mutex.withPermit(
    // Other callers depend on the write, so the caller's interruption or lost lease does not stop it.
    Effect.uninterruptible(
      unfenced(
        Effect.suspend(() => {
          const items = pending
          pending = []
          pendingRows = 0
          if (items.length === 0) return Effect.void
          writing = items
          return Effect.ensuring(
            Effect.asVoid(write(items)),
            Effect.sync(() => (writing = []))
          )
        })
      )
    )
  )

  const flushLogged = Effect.catchCause(flush, (cause) => Effect.logError(message, cause))

  const flushLater = Effect.sleep(flushDelay).pipe(
    Effect.andThen(
      Effect.suspend(() => {
        isScheduled = false
        return flushLogged
      })
    ),
    // Several callers share the batch, so it runs with the services of the layer.
    Effect.updateContext((_: Context.Context<never>) => context),
    Effect.forkIn(layerScope, { startImmediately: true })
  )

  yield* Effect.addFinalizer(() => flushLogged)

  const grouped: WriteBatches<A> = {
    flush,
    isPending: (is) => pending.some(is) || writing.some(is),
    add: (item, rows = 1) =>
      Effect.suspend(() => {
        pending.push(item)
        pendingRows += rows
        if (pendingRows >= maxRows) return flushLogged
        if (isScheduled) return Effect.void
        isScheduled = true
        return Effect.asVoid(flushLater)
      })
  }
  return grouped
})

/** Creates a buffer of writes. */
export const make = (failed: string) =>
  Effect.flatMap(Storage, (storage) =>
    makeOf<Write>(failed, (writes) => storage.transaction(Effect.forEach(writes, identity, { discard: true })))
  )
