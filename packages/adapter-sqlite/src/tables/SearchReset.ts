/**
 * Recreates the tables of the search index, empty, even if they are damaged. Other processes may have the file open.
 * The caller must then start to fill the index again.
 *
 * SQLite reads a table to drop it, and cannot drop one with damaged pages. Such tables are deleted from SQLite's schema
 * table instead. A `VACUUM` then frees their pages. If that fails (no space, other damage), the pages stay unused.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { searchTables } from "../connections/Migrations.ts"
import { isCorrupt, storageFailure } from "../connections/SqliteFailure.ts"

/** Name of the full-text table. */
export const searchTable = "lectern_search"

/** Names of all tables of the index; views first. */
const searchTableNames = [
  "lectern_search_entry",
  "lectern_search_term",
  searchTable,
  "lectern_search_word",
  "lectern_search_page",
  "lectern_search_space"
]

/** `busyTimeout`: maximum wait for the write lock (ms). */
export const reset = (filename: string, busyTimeout = 10_000): Effect.Effect<void, StorageError> =>
  Effect.try({
    try: () => {
      const database = new Database(filename, { fileMustExist: true, timeout: busyTimeout })
      try {
        if (succeeded(() => database.transaction(() => recreateTables(database)).immediate(), isDamage)) return
        database.unsafeMode(true)
        const recreateWithoutDrop = () => {
          unlinkTables(database)
          recreateTables(database)
        }
        database.transaction(recreateWithoutDrop).immediate()
        succeeded(
          () => database.exec("VACUUM"),
          () => true
        )
      } finally {
        database.close()
      }
    },
    catch: storageFailure
  })

const succeeded = (run: () => void, mayFail: (code: string) => boolean): boolean => {
  try {
    run()
    return true
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError && mayFail(thrown.code)) return false
    throw thrown
  }
}

const recreateTables = (database: Database.Database) => {
  for (const table of searchTableNames) database.exec(`DROP TABLE IF EXISTS ${table}`)
  database.exec(searchTables)
}

/** SQLite reports damaged full-text tables with a generic error code. */
const isDamage = (code: string) => isCorrupt(code) || code === "SQLITE_ERROR"

/** Deletes the tables from SQLite's schema table. */
const unlinkTables = (database: Database.Database) => {
  database.pragma("writable_schema = ON")
  database.exec(`DELETE FROM sqlite_schema WHERE tbl_name GLOB '${searchTable}*'`)
  database.exec(`DELETE FROM sqlite_sequence WHERE name GLOB '${searchTable}*'`)
  // The version of the schema is increased, since other processes reload the schema when its version changes.
  const version = database.pragma("schema_version", { simple: true }) as number
  database.pragma(`schema_version = ${version + 1}`)
  database.pragma("writable_schema = RESET")
}
