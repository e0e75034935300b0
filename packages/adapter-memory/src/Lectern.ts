/**
 * Opens Lectern in memory, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await Lectern.open()
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { MemoryStorage, type Options } from "./MemoryStorage.ts"

/** The options of Lectern, and those of the store in memory. */
export interface OpenOptions extends EmbeddedLectern.OpenOptions, Options {}

/** Opens Lectern on an empty store, which is gone when it is closed. */
export const open = ({ onCommit, ...options }: OpenOptions = {}): Promise<EmbeddedLectern.EmbeddedLectern> =>
  EmbeddedLectern.open(MemoryStorage.layerWith(onCommit === undefined ? {} : { onCommit }), options)
