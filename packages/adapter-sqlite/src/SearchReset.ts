/**
 * Makes the tables of the search index anew, empty, whatever is wrong with them. Others may have the file open. Whoever
 * fills the index has to be told then that it holds nothing.
 *
 * SQLite reads a table that it drops, and can't drop one whose pages are damaged. Such tables are taken out of its list
 * of tables instead. Their pages are nobody's then, and go when the file is packed anew. Where that can't be done,
 * for want of room or for damage elsewhere, they stay and are of no use.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { isCorrupt, storageFailure } from "./SqliteFailure.ts"
import { searchTable, searchTableNames, searchTables } from "./SqliteSearchIndex.ts"

/** `patience`: how long it waits for others that write (ms). */
export const reset = (filename: string, patience = 10_000): Effect.Effect<void, StorageError> =>
  Effect.try({
    try: () => {
      const database = new Database(filename, { fileMustExist: true, timeout: patience })
      try {
        if (succeeded(() => database.transaction(() => makeAnew(database)).immediate(), isDamage)) return
        database.unsafeMode(true)
        const makeAnewWithoutDrop = () => {
          forget(database)
          makeAnew(database)
        }
        database.transaction(makeAnewWithoutDrop).immediate()
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

const makeAnew = (database: Database.Database) => {
  for (const table of searchTableNames) database.exec(`DROP TABLE IF EXISTS ${table}`)
  database.exec(searchTables)
}

/** A full-text table that SQLite can't make sense of is an error of its own kind. */
const isDamage = (code: string) => isCorrupt(code) || code === "SQLITE_ERROR"

/** Takes the tables out of SQLite's list. */
const forget = (database: Database.Database) => {
  database.pragma("writable_schema = ON")
  database.exec(`DELETE FROM sqlite_schema WHERE tbl_name GLOB '${searchTable}*'`)
  database.exec(`DELETE FROM sqlite_sequence WHERE name GLOB '${searchTable}*'`)
  // Others that have the file open go by its list of tables as they know it.
  const version = database.pragma("schema_version", { simple: true }) as number
  database.pragma(`schema_version = ${version + 1}`)
  database.pragma("writable_schema = RESET")
}
