/**
 * Opens Lectern in memory, for hosts without Effect (see `EmbeddedLectern`).
 *
 * ```ts
 * const lectern = await MemoryLectern.open()
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import type { Extension } from "@lectern/core/Extension"
import { checkOptions, type OptionNames, partitionOptions } from "@lectern/core/schema/OptionNames"
import { Context, Effect, Layer } from "effect"
import { Checkpoints } from "./Checkpoints.ts"
import { MemoryStorage, type Options, storageOptionNames } from "./MemoryStorage.ts"

/** Options of Lectern and of the in-memory store. */
export interface OpenOptions<X extends Extension = never> extends EmbeddedLectern.OpenOptions<X>, Options {}

export type MemoryLectern<X extends Extension = never> = EmbeddedLectern.EmbeddedLectern<X> & {
  /**
   * Records the current state. Returns a function that resets the store to it, any number of times. For test suites
   * that prepare their data once.
   */
  readonly checkpoint: () => Promise<() => Promise<void>>
}

const optionNames: OptionNames<OpenOptions<Extension>> = { ...storageOptionNames, ...EmbeddedLectern.openOptionNames }

/**
 * Opens Lectern on an empty store. Its data is lost when it is closed. Rejects with `InvalidInput` for an unknown option.
 */
export const open = async <X extends Extension = never>(options: OpenOptions<X> = {}): Promise<MemoryLectern<X>> => {
  checkOptions(optionNames, options)
  const [storageOptions, lecternOptions] = partitionOptions(storageOptionNames, options)
  let take: Checkpoints["Service"]["create"] = Effect.never
  const storage = MemoryStorage.layerWith(storageOptions).pipe(
    Layer.tap((stores) => Effect.sync(() => (take = Context.get(stores, Checkpoints).create)))
  )
  const lectern = await EmbeddedLectern.open(storage, { ...lecternOptions })
  return Object.assign(lectern, {
    checkpoint: () => Effect.runPromise(Effect.map(take, (restore) => () => Effect.runPromise(restore)))
  })
}
