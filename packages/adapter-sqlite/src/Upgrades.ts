/** Looks at a database that may be older or newer than this version of Lectern, and changes nothing. */
import { existsSync } from "node:fs"
import type { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { type Upgrade, upgradeOf } from "./Migrations.ts"
import { failureOf } from "./SqliteFailure.ts"

/** Tells how far a database is; undefined where there is none. A newer one is a `newer-version`. */
export const look = (filename: string): Effect.Effect<Upgrade | undefined, StorageError> =>
  Effect.try({
    try: () => {
      if (!existsSync(filename)) return undefined
      const database = new Database(filename, { readonly: true, fileMustExist: true })
      try {
        return upgradeOf(database)
      } finally {
        database.close()
      }
    },
    catch: (thrown) => {
      const failure = failureOf(thrown)
      if (failure === undefined || failure._tag !== "StorageError") throw thrown
      return failure
    }
  })
