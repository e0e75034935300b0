import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"

/**
 * Lets fibers that need no timer go on for so many turns: a store may answer in a later turn of the event loop, and
 * only once the disk has, for which a transaction waits that changes nothing.
 */
export const turns = (count: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    for (let i = 0; i < count; i++) {
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* Effect.ignore(storage.transaction(Effect.void))
    }
  })
