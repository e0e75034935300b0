/**
 * Opens Lectern in memory, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await MemoryLectern.open()
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { Context, Effect, Layer } from "effect"
import { Checkpoints } from "./Checkpoints.ts"
import { MemoryStorage, type Options } from "./MemoryStorage.ts"

/** The options of Lectern, and those of the store in memory. */
export interface OpenOptions extends EmbeddedLectern.OpenOptions, Options {}

export interface MemoryLectern extends EmbeddedLectern.EmbeddedLectern {
  /**
   * Remembers what is stored now. The answer sets the store back to that, as often as it is called: a test
   * suite prepares its world once, and each test finds it as it was made.
   */
  readonly checkpoint: () => Promise<() => Promise<void>>
}

/** Opens Lectern on an empty store, which is gone when it is closed. */
export const open = async ({ onCommit, ...options }: OpenOptions = {}): Promise<MemoryLectern> => {
  let take: Checkpoints["Service"]["take"] = Effect.never
  const storage = MemoryStorage.layerWith(onCommit === undefined ? {} : { onCommit }).pipe(
    Layer.tap((stores) => Effect.sync(() => (take = Context.get(stores, Checkpoints).take)))
  )
  const lectern = await EmbeddedLectern.open(storage, options)
  return Object.assign(lectern, {
    checkpoint: () => Effect.runPromise(Effect.map(take, (back) => () => Effect.runPromise(back)))
  })
}
