/**
 * Opens Lectern on a SQLite file, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await Lectern.open({ file: "lectern.db" })
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { NodeHasher } from "./NodeHasher.ts"
import { SqliteStorage } from "./SqliteStorage.ts"

export interface OpenOptions extends EmbeddedLectern.OpenOptions {
  /** The database. It is made where there is none; its folder must be there. */
  readonly file: string
}

/** Rejects with a `StorageError` where the file can't be opened. */
export const open = ({ file, ...options }: OpenOptions): Promise<EmbeddedLectern.EmbeddedLectern> =>
  EmbeddedLectern.open(SqliteStorage.layer({ filename: file }), { hasher: NodeHasher.layer, ...options })
