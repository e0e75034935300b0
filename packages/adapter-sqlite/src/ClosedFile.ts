/** Why SQLite can't open a database, of which it tells only that it can't: somebody else's file, most often. */
import { accessSync } from "node:fs"
import { basename } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"

/** The objection to using a file so (`R_OK`, `W_OK` of `node:fs`); undefined where there is none. */
export const refusedOf = (path: string, how: number): NodeJS.ErrnoException | undefined => {
  try {
    accessSync(path, how)
    return undefined
  } catch (thrown) {
    return thrown as NodeJS.ErrnoException
  }
}

/** The failure behind what was thrown where it was to be used so, as far as the files tell it. */
export const closedFile = (filename: string, how: number, thrown: unknown): StorageError | undefined => {
  if (!(thrown instanceof Database.SqliteError) || !thrown.code.startsWith("SQLITE_CANTOPEN")) return undefined
  for (const path of [filename, `${filename}-wal`, `${filename}-shm`]) {
    const refused = refusedOf(path, how)
    // The log is made anew where there is none.
    if (refused === undefined || refused.code === "ENOENT") continue
    const message = `The database can't be opened: ${basename(path)}, ${fileErrorReason(refused)}`
    return new StorageError({ reason: "unavailable", message, cause: thrown })
  }
  return undefined
}
