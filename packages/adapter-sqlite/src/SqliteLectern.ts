/**
 * Opens Lectern on a SQLite file, for hosts that do not use Effect: see `EmbeddedLectern`.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { StorageError } from "@lectern/core/storage/Storage"
import { Redacted } from "effect"
import { NodeCipher } from "./NodeCipher.ts"
import { NodeHasher } from "./NodeHasher.ts"
import { SqliteStorage, type StorageOptions } from "./SqliteStorage.ts"

/** The options of Lectern, and those of the database (see `SqliteDatabase`). */
export interface OpenOptions extends EmbeddedLectern.OpenOptions, Omit<StorageOptions, "filename" | "secretKey"> {
  /** The database. It is made where there is none; its folder must be there. */
  readonly file: string
  /**
   * The key that secrets are sealed with: 32 to 256 characters, always the same for the same database.
   * Default: a file beside it, `<file>-key`, which is made with it.
   */
  readonly secretKey?: string
}

/**
 * Opens the database and Lectern on it. One that is `readonly` does no work in the background. Rejects
 * with a `StorageError` where the file is not named, or can't be opened.
 */
export const open = (options: OpenOptions): Promise<EmbeddedLectern.EmbeddedLectern> => {
  const { file, secretKey, readonly, patience, onCommit, anew, alone, maxPages, logPages, checkpointLog, ...others } =
    options
  if (typeof file !== "string" || file === "") {
    const message = 'SqliteLectern.open needs the option file, the path of the database: open({ file: "lectern.db" })'
    return Promise.reject(new StorageError({ reason: "failed", message }))
  }
  const storage = SqliteStorage.layer({
    filename: file,
    ...(secretKey !== undefined && { secretKey: SecretKey.given(Redacted.make(secretKey)) }),
    ...(readonly !== undefined && { readonly }),
    ...(patience !== undefined && { patience }),
    ...(onCommit !== undefined && { onCommit }),
    ...(anew !== undefined && { anew }),
    ...(alone !== undefined && { alone }),
    ...(maxPages !== undefined && { maxPages }),
    ...(logPages !== undefined && { logPages }),
    ...(checkpointLog !== undefined && { checkpointLog })
  })
  return EmbeddedLectern.open(storage, {
    hasher: NodeHasher.layer,
    cipher: NodeCipher.layer,
    background: readonly !== true,
    ...others
  })
}
