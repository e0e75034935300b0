/**
 * Opens Lectern on a SQLite file, for hosts without Effect (see `EmbeddedLectern`).
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * ```
 */
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Extension } from "@lectern/core/Extension"
import { Redacted } from "effect"
import { NodeCipher } from "./NodeCipher.ts"
import { NodeHasher } from "./NodeHasher.ts"
import { SqliteStorage, type StorageOptions } from "./SqliteStorage.ts"

/** Options of Lectern and of the database (see `Connections` and `DurableTransactions`). */
export interface OpenOptions<X extends Extension = never>
  extends EmbeddedLectern.OpenOptions<X>, Omit<StorageOptions, "filename" | "secretKey"> {
  /** Path of the database. Created if missing; its folder must exist. */
  readonly file: string
  /**
   * Secret key for encryption: 32 to 256 characters, equal at every start with one database. Default: the key in
   * `<file>-key`, which is created with the database.
   */
  readonly secretKey?: string
}

/**
 * Opens a database and Lectern on it. With `readonly`, no background work runs. Rejects with a `StorageError` if `file`
 * is missing or cannot be opened.
 */
export const open = <X extends Extension = never>(
  options: OpenOptions<X>
): Promise<EmbeddedLectern.EmbeddedLectern<X>> => {
  const { file, secretKey, ...otherOptions } = options
  if (typeof file !== "string" || file === "") {
    const message = 'SqliteLectern.open needs the option file, the path of the database: open({ file: "lectern.db" })'
    return Promise.reject(new StorageError({ reason: "failed", message }))
  }
  const storage = SqliteStorage.layer({
    ...otherOptions,
    filename: file,
    ...(secretKey !== undefined && { secretKey: SecretKey.fromKeys(Redacted.make(secretKey)) })
  })
  return EmbeddedLectern.open(storage, {
    hasher: NodeHasher.layer,
    cipher: NodeCipher.layer,
    background: otherOptions.readonly !== true,
    ...otherOptions
  })
}
