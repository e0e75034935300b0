/**
 * Writes records of events in groups, one transaction for all that came within a moment: a program
 * answers many more events in a second than there can be commits.
 *
 * Limits: what waits is written after 200 ms, or when it is 250 records; until then who
 * adds another waits.
 */
import { Context, Effect, Semaphore } from "effect"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"

const flushAfter = "200 millis"
const flushAt = 250

type Write = Effect.Effect<unknown, StorageError>

export class IntegrationRecords extends Context.Service<
  IntegrationRecords,
  {
    /** Writes a record a moment later, in the transaction of those around it. One that can't be written is logged. */
    readonly later: (write: Write) => Effect.Effect<void>
    /** Writes what waits; all that was noted before is committed then. */
    readonly flush: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/integration/IntegrationRecords") {
  static readonly layer = wired(
    IntegrationRecords,
    Effect.gen(function* () {
      const storage = yield* Storage
      const layerScope = yield* Effect.scope
      // What was taken by another flush is committed before the next one ends.
      const oneByOne = yield* Semaphore.make(1)
      let waiting: Array<Write> = []
      let isPlanned = false

      const flush = oneByOne.withPermit(
        Effect.suspend(() => {
          const writes = waiting
          waiting = []
          return writes.length === 0
            ? Effect.void
            : storage.transaction(Effect.forEach(writes, (write) => write, { discard: true }))
        })
      )

      const flushLogged = Effect.catchCause(flush, (cause) =>
        Effect.logError("Records of integrations could not be written", cause)
      )

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

      return IntegrationRecords.of({
        flush,

        later: (write) =>
          Effect.suspend(() => {
            waiting.push(write)
            if (waiting.length >= flushAt) return flushLogged
            if (isPlanned) return Effect.void
            isPlanned = true
            return Effect.asVoid(planned)
          })
      })
    })
  )
}
