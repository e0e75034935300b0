/** Looks at a database that may be older or newer than this version of Lectern, and changes nothing. */
import { existsSync } from "node:fs"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { type Upgrade, upgradeOf } from "./Migrations.ts"
import { storageFailure } from "./SqliteFailure.ts"
import { layoutOf } from "./TableLayout.ts"

/** A table whose rows are written anew when it is first used, since it is laid out otherwise than it was. */
export interface Relaid {
  readonly name: string
  readonly rows: number
}

const relaidOf = (database: Database.Database, tables: ReadonlyArray<Table>): ReadonlyArray<Relaid> => {
  const recorded = new Map(
    database.prepare("SELECT name, fingerprint FROM lectern_table").raw().all() as Array<[string, string]>
  )
  return tables.flatMap((table) => {
    const layout = layoutOf(table)
    const fingerprint = recorded.get(table.name)
    if (fingerprint === undefined || fingerprint === layout.fingerprint) return []
    const rows = database.prepare(`SELECT count(*) FROM ${layout.name}`).pluck().get() as number
    return [{ name: table.name, rows }]
  })
}

/**
 * Tells how far a database is, and which of these tables will be laid out anew; undefined where there is none. A newer
 * one is a `newer-version`.
 */
export const look = (
  filename: string,
  tables: ReadonlyArray<Table> = []
): Effect.Effect<(Upgrade & { readonly relaid: ReadonlyArray<Relaid> }) | undefined, StorageError> =>
  Effect.try({
    try: () => {
      if (!existsSync(filename)) return undefined
      const database = new Database(filename, { readonly: true, fileMustExist: true })
      try {
        const upgrade = upgradeOf(database)
        if (upgrade === undefined) return undefined
        return { ...upgrade, relaid: upgrade.version === 0 ? [] : relaidOf(database, tables) }
      } finally {
        database.close()
      }
    },
    catch: storageFailure
  })
