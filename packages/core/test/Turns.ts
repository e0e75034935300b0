import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"

/**
 * Lets fibers without timers continue for a number of turns of the event loop. The store may respond in a later turn
 * after a disk operation, so each turn waits for an empty transaction.
 */
export const turns = (count: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    for (let i = 0; i < count; i++) {
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* Effect.ignore(storage.transaction(Effect.void))
    }
  })
