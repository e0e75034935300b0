/**
 * Looks through the file of a database as SQLite does: its pages, indexes and the full-text index, rows
 * that refer to none, documents that are no JSON; and the folder beside it, for files that no row knows.
 * It changes nothing, and others may go on writing meanwhile.
 *
 * Limits: SQLite works on the thread that asks, so this is for a process of its own. 100 faults are named.
 */
import { existsSync, readdirSync } from "node:fs"
import { resolve } from "node:path"
import type { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { failureOf } from "./SqliteFailure.ts"

const named = 100

export interface FileReport {
  /** Sentences of SQLite's, and ours; none where all is well. */
  readonly faults: ReadonlyArray<string>
  /** Files in the folder of large blobs that no row knows: they were being written when a process ended. */
  readonly strayFiles: ReadonlyArray<string>
}

export const check = (filename: string): Effect.Effect<FileReport, StorageError> =>
  Effect.try({
    try: () => {
      const database = new Database(filename, { readonly: true, fileMustExist: true })
      try {
        return { faults: faultsOf(database).slice(0, named), strayFiles: strayFilesOf(database, filename) }
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

const faultsOf = (database: Database.Database): ReadonlyArray<string> => {
  const damage = (database.pragma(`integrity_check(${named})`) as ReadonlyArray<{ readonly integrity_check: string }>)
    .map((row) => row.integrity_check)
    .filter((said) => said !== "ok")
  const dangling = (
    database.pragma("foreign_key_check") as ReadonlyArray<{ readonly table: string; readonly parent: string }>
  )
    .slice(0, named)
    .map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that isn't there`)
  const tables = database
    .prepare("SELECT t.name FROM sqlite_master t WHERE t.type = 'table' AND t.name GLOB 't_*' ORDER BY t.name")
    .pluck()
    .all() as ReadonlyArray<string>
  const unreadable = tables.flatMap((table) => {
    const columns = database.pragma(`table_info("${table}")`) as ReadonlyArray<{ readonly name: string }>
    if (!columns.some(({ name }) => name === "doc")) return []
    const count = database.prepare(`SELECT count(*) FROM "${table}" WHERE NOT json_valid(doc)`).pluck().get() as number
    return count === 0 ? [] : [`${count} rows of ${table} are no JSON`]
  })
  return [...damage, ...dangling, ...unreadable]
}

const strayFilesOf = (database: Database.Database, filename: string): ReadonlyArray<string> => {
  const folder = `${resolve(filename)}-blobs`
  if (!existsSync(folder)) return []
  const isKnown = database.prepare("SELECT 1 FROM lectern_blob WHERE hash = ?").pluck()
  return readdirSync(folder)
    .filter((name) => isKnown.get(name) === undefined)
    .slice(0, named)
}
