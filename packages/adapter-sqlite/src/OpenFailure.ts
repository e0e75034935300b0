/**
 * Finds the reason why SQLite cannot open a database, which SQLite does not report. Usually a file belongs to another
 * user.
 */
import { accessSync } from "node:fs"
import { basename } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"

/** Returns the error of accessing a file with a mode (`R_OK`, `W_OK` of `node:fs`). Undefined if access is allowed. */
export const accessError = (path: string, accessMode: number): NodeJS.ErrnoException | undefined => {
  try {
    accessSync(path, accessMode)
    return undefined
  } catch (thrown) {
    return thrown as NodeJS.ErrnoException
  }
}

/** Returns the failure of opening a database with a mode, if the permissions of its files explain it. */
export const openFailure = (filename: string, accessMode: number, thrown: unknown): StorageError | undefined => {
  if (!(thrown instanceof Database.SqliteError) || !thrown.code.startsWith("SQLITE_CANTOPEN")) return undefined
  for (const path of [filename, `${filename}-wal`, `${filename}-shm`]) {
    const denial = accessError(path, accessMode)
    // A missing log is created by SQLite.
    if (denial === undefined || denial.code === "ENOENT") continue
    const message = `The database can't be opened: ${basename(path)}, ${fileErrorReason(denial)}`
    return new StorageError({ reason: "unavailable", message, cause: thrown })
  }
  return undefined
}
