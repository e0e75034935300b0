/**
 * Makes the tables of the search index anew, empty, whatever is wrong with them. Others may have the file open. Whoever
 * fills the index has to be told then that it holds nothing.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { storageFailure } from "./SqliteFailure.ts"
import { searchTableNames, searchTables } from "./SqliteSearchIndex.ts"

/** `patience`: how long it waits for others that write (ms). */
export const reset = (filename: string, patience = 10_000): Effect.Effect<void, StorageError> =>
  Effect.try({
    try: () => {
      const database = new Database(filename, { fileMustExist: true, timeout: patience })
      try {
        database
          .transaction(() => {
            for (const table of searchTableNames) database.exec(`DROP TABLE IF EXISTS ${table}`)
            database.exec(searchTables)
          })
          .immediate()
      } finally {
        database.close()
      }
    },
    catch: storageFailure
  })
