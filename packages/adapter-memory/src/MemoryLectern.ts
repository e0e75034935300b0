/**
 * Opens Lectern in memory, for hosts without Effect (see `EmbeddedLectern`).
 *
 * ```ts
 * const lectern = await MemoryLectern.open()
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { Context, Effect, Layer } from "effect"
import { Checkpoints } from "./Checkpoints.ts"
import { MemoryStorage, type Options } from "./MemoryStorage.ts"

/** Options of Lectern and of the in-memory store. */
export interface OpenOptions extends EmbeddedLectern.OpenOptions, Options {}

export interface MemoryLectern extends EmbeddedLectern.EmbeddedLectern {
  /**
   * Records the current state. Returns a function that resets the store to it, any number of times. For test suites
   * that prepare their data once.
   */
  readonly checkpoint: () => Promise<() => Promise<void>>
}

/** Opens Lectern on an empty store. Its data is lost when it is closed. */
export const open = async ({ onCommit, rerunBodies = false, ...options }: OpenOptions = {}): Promise<MemoryLectern> => {
  let take: Checkpoints["Service"]["create"] = Effect.never
  const storage = MemoryStorage.layerWith({ rerunBodies, ...(onCommit && { onCommit }) }).pipe(
    Layer.tap((stores) => Effect.sync(() => (take = Context.get(stores, Checkpoints).create)))
  )
  const lectern = await EmbeddedLectern.open(storage, options)
  return Object.assign(lectern, {
    checkpoint: () => Effect.runPromise(Effect.map(take, (restore) => () => Effect.runPromise(restore)))
  })
}
