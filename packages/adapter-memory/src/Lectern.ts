/**
 * Opens Lectern in memory, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await Lectern.open()
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { MemoryStorage } from "./MemoryStorage.ts"

export const open = (options: EmbeddedLectern.OpenOptions = {}): Promise<EmbeddedLectern.EmbeddedLectern> =>
  EmbeddedLectern.open(MemoryStorage.layer, options)
