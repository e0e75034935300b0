/**
 * Writes what nobody waits for in groups, one transaction for all that came within a moment: events of
 * programs and visitors come many more in a second than there can be commits, and each commit empties what is
 * kept of answers.
 *
 * ```ts
 * static readonly layer = wired(InsightsRecords, WriteBatches.make("Events of visitors could not be written"))
 * ```
 *
 * Limits: what waits is written after 200 ms, or when it is 250 rows; until then who adds another waits. It is
 * lost where the process is killed.
 */
import { type Context, Effect, identity, Semaphore } from "effect"
import { Storage, type StorageError } from "./Storage.ts"

const flushDelay = "200 millis"
const maxRows = 250

type Write = Effect.Effect<unknown, StorageError>

export interface WriteBatches<A = Write> {
  /** Notes what is to be written with those around it, which is about so many rows (default: one). */
  readonly add: (item: A, rows?: number) => Effect.Effect<void>
  /** Writes what waits; all that was noted before is committed then. */
  readonly flush: Effect.Effect<void, StorageError>
  /** Tells whether such an item was noted that is not written yet. */
  readonly isPending: (is: (item: A) => boolean) => boolean
}

/**
 * Items of one kind, which wait as they are until `write` makes one transaction of a group of them: whatever an item
 * refers to is kept until then. `failed` says in the log that some could not be written. What waits is written when
 * the scope ends.
 */
export const makeOf = Effect.fnUntraced(function* <A>(message: string, write: (items: ReadonlyArray<A>) => Write) {
  const layerScope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  // What was taken by another flush is committed before the next one ends.
  const mutex = yield* Semaphore.make(1)
  let pending: Array<A> = []
  let writing: ReadonlyArray<A> = []
  let pendingRows = 0
  let isScheduled = false

  const flush = mutex.withPermit(
    // Whoever asks for it may go, and what was taken is others'.
    Effect.uninterruptible(
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

  const flushLogged = Effect.catchCause(flush, (cause) => Effect.logError(message, cause))

  const flushLater = Effect.sleep(flushDelay).pipe(
    Effect.andThen(
      Effect.suspend(() => {
        isScheduled = false
        return flushLogged
      })
    ),
    // It is nobody's of those whose items it writes.
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

/** Writes of one kind. */
export const make = (failed: string) =>
  Effect.flatMap(Storage, (storage) =>
    makeOf<Write>(failed, (writes) => storage.transaction(Effect.forEach(writes, identity, { discard: true })))
  )
