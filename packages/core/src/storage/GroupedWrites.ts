/**
 * Writes what nobody waits for in groups, one transaction for all that came within a moment: events of
 * programs and visitors come many more in a second than there can be commits, and each commit empties what is
 * kept of answers.
 *
 * ```ts
 * static readonly layer = wired(InsightsRecords, GroupedWrites.make("Events of visitors could not be written"))
 * ```
 *
 * Limits: what waits is written after 200 ms, or when it is 250 rows; until then who adds another waits. It is
 * lost where the process is killed.
 */
import { Effect, identity, Semaphore } from "effect"
import { Storage, type StorageError } from "./Storage.ts"

const flushAfter = "200 millis"
const flushAt = 250

type Write = Effect.Effect<unknown, StorageError>
/** Makes a write, of what has to be computed first. */
type Making = Effect.Effect<Write>

export interface GroupedWrites {
  /**
   * Writes about so many rows (default: one) a moment later, in the transaction of those around them. What can't
   * be written is logged.
   */
  readonly later: (write: Write, rows?: number) => Effect.Effect<void>
  /** The same for one row, which is made when its group is written, ahead of the transaction. */
  readonly laterMade: (making: Making) => Effect.Effect<void>
  /** Writes what waits; all that was noted before is committed then. */
  readonly flush: Effect.Effect<void, StorageError>
}

/** Writes of one kind; `failed` says in the log that some could not be written. What waits is written when the scope ends. */
export const make = Effect.fnUntraced(function* (failed: string) {
  const storage = yield* Storage
  const layerScope = yield* Effect.scope
  // What was taken by another flush is committed before the next one ends.
  const oneByOne = yield* Semaphore.make(1)
  let waiting: Array<Making> = []
  let waitingRows = 0
  let isPlanned = false

  const flush = oneByOne.withPermit(
    Effect.suspend(() => {
      const writes = waiting
      waiting = []
      waitingRows = 0
      return writes.length === 0
        ? Effect.void
        : Effect.flatMap(Effect.forEach(writes, identity), (made) =>
            storage.transaction(Effect.forEach(made, identity, { discard: true }))
          )
    })
  )

  const flushLogged = Effect.catchCause(flush, (cause) => Effect.logError(failed, cause))

  const planned = Effect.sleep(flushAfter).pipe(
    Effect.andThen(
      Effect.suspend(() => {
        isPlanned = false
        return flushLogged
      })
    ),
    Effect.forkIn(layerScope, { startImmediately: true })
  )

  yield* Effect.addFinalizer(() => flushLogged)

  const laterMade = (making: Making, rows = 1) =>
    Effect.suspend(() => {
      waiting.push(making)
      waitingRows += rows
      if (waitingRows >= flushAt) return flushLogged
      if (isPlanned) return Effect.void
      isPlanned = true
      return Effect.asVoid(planned)
    })

  const grouped: GroupedWrites = {
    flush,
    laterMade,
    later: (write, rows) => laterMade(Effect.succeed(write), rows)
  }
  return grouped
})
