/**
 * Opens Lectern on a SQLite file, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await Lectern.open({ file: "lectern.db" })
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { Redacted } from "effect"
import { NodeCipher } from "./NodeCipher.ts"
import { NodeHasher } from "./NodeHasher.ts"
import { SqliteStorage } from "./SqliteStorage.ts"

export interface OpenOptions extends EmbeddedLectern.OpenOptions {
  /** The database. It is made where there is none; its folder must be there. */
  readonly file: string
  /**
   * The key that secrets are sealed with: 32 to 256 characters, always the same for the same database.
   * Default: a file beside it, `<file>-key`, which is made with it.
   */
  readonly secretKey?: string
  /** Begin anew where a database was used and is gone, or empty. Default: that is refused. */
  readonly anew?: boolean
}

/** Rejects with a `StorageError` where the file can't be opened. */
export const open = ({ file, secretKey, anew, ...options }: OpenOptions): Promise<EmbeddedLectern.EmbeddedLectern> =>
  EmbeddedLectern.open(
    SqliteStorage.layer({
      filename: file,
      ...(anew !== undefined && { anew }),
      ...(secretKey !== undefined && { secretKey: SecretKey.given(Redacted.make(secretKey)) })
    }),
    { hasher: NodeHasher.layer, cipher: NodeCipher.layer, ...options }
  )
