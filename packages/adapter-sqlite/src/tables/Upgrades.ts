/** Inspects a database of any version without changing it. */
import { existsSync } from "node:fs"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { type Upgrade, upgradeOf } from "../connections/Migrations.ts"
import { storageFailure } from "../connections/SqliteFailure.ts"
import { layoutOf } from "./TableLayout.ts"

/** Table whose rows will be rewritten on first use, since its layout has changed. */
export interface TableRebuild {
  readonly name: string
  readonly rows: number
}

const rebuildsOf = (database: Database.Database, tables: ReadonlyArray<Table>): ReadonlyArray<TableRebuild> => {
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
 * Returns the version of a database and the tables that will be rebuilt. Undefined if there is no database. Fails with
 * `newer-version` if a newer Lectern wrote it.
 */
export const inspect = (
  filename: string,
  tables: ReadonlyArray<Table> = []
): Effect.Effect<(Upgrade & { readonly rebuilds: ReadonlyArray<TableRebuild> }) | undefined, StorageError> =>
  Effect.try({
    try: () => {
      if (!existsSync(filename)) return undefined
      const database = new Database(filename, { readonly: true, fileMustExist: true })
      try {
        const upgrade = upgradeOf(database)
        if (upgrade === undefined) return undefined
        return { ...upgrade, rebuilds: upgrade.version === 0 ? [] : rebuildsOf(database, tables) }
      } finally {
        database.close()
      }
    },
    catch: storageFailure
  })
