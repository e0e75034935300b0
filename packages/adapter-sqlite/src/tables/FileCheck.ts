/**
 * Checks a database file: pages, indexes and the full-text index with SQLite's own checks; dangling references;
 * documents that are not JSON or differ from their indexed columns; consistency of the search index; stray files in the
 * blob folder. Changes nothing. Other processes may write meanwhile.
 *
 * Limits: SQLite runs on the calling thread, so the check needs a process of its own. Reports at most 100 faults.
 */
import { existsSync, readdirSync } from "node:fs"
import { resolve } from "node:path"
import type { StorageError } from "@lectern/core/storage/Storage"
import { allTables, type Table } from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { storageFailure } from "../connections/SqliteFailure.ts"
import { checkRows, type RowReport } from "./RowCheck.ts"
import { searchTable } from "./SearchReset.ts"

const maxListedFaults = 100

export interface FileReport {
  /** True if all rows of every table can be read. */
  readonly isReadable: boolean
  /** Faults as sentences, by SQLite or this check. Empty without faults. */
  readonly faults: ReadonlyArray<string>
  /** Faults of the search index, which can be rebuilt (see `SearchReset`). */
  readonly searchFaults: ReadonlyArray<string>
  /** Files in the blob folder without a row: their write was interrupted. */
  readonly strayFiles: ReadonlyArray<string>
}

/** Checks a database. Tables that are not in `tables` are only checked for valid JSON. */
export const check = (
  filename: string,
  tables: ReadonlyArray<Table> = allTables()
): Effect.Effect<FileReport, StorageError> =>
  Effect.try({
    try: () => {
      const database = new Database(filename, { readonly: true, fileMustExist: true })
      try {
        // Reads rows and their indexes in one snapshot.
        database.exec("BEGIN")
        const { faults, isReadable } = faultsOf(database, tables)
        const search = looking("The search index", () => searchFaultsOf(database)).faults
        return {
          isReadable,
          faults: faults.filter((fault) => !isSearchFault(fault)).slice(0, maxListedFaults),
          searchFaults: [...faults.filter(isSearchFault), ...search].slice(0, maxListedFaults),
          strayFiles: strayFilesOf(database, filename)
        }
      } finally {
        database.close()
      }
    },
    catch: storageFailure
  })

const faultsOf = (database: Database.Database, tables: ReadonlyArray<Table>): RowReport => {
  const looked = [
    looking("The file", () => damageOf(database)),
    looking("The documents", () => unreadableOf(database)),
    ...tables.map((table) => looking(`The table of "${table.name}"`, () => checkRows(database, table)))
  ]
  return { faults: looked.flatMap(({ faults }) => faults), isReadable: looked.every(({ isReadable }) => isReadable) }
}

/** Prefix of SQLite's messages about pages of the search index, which name no table. */
const inSearch = "In the tables of the search index: "

/** True for SQLite's messages about the full-text tables. */
const isSearchFault = (fault: string): boolean =>
  fault.includes(` FTS5 table main.${searchTable}`) || fault.startsWith(inSearch)

/** Runs one check. Damage can stop SQLite anywhere, so an exception becomes a fault and the other checks continue. */
const looking = (position: string, look: () => RowReport): RowReport => {
  try {
    return look()
  } catch (thrown) {
    return { faults: [`${position} can't be read: ${(thrown as Error).message}`], isReadable: false }
  }
}

/** Returns SQLite's messages about the file, or about one table and its indexes. */
const integrityOf = (database: Database.Database, tableOrLimit: string | number): RowReport =>
  looking("The file", () => ({
    faults: (database.pragma(`integrity_check(${tableOrLimit})`) as ReadonlyArray<{ readonly integrity_check: string }>)
      .map((row) => row.integrity_check)
      .filter((messages) => messages !== "ok"),
    isReadable: true
  }))

/** Returns the tables outside of the search index. */
const othersOf = (database: Database.Database) =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '${searchTable}*'`)
    .pluck()
    .all() as ReadonlyArray<string>

const danglingOf = (database: Database.Database, table?: string): ReadonlyArray<string> =>
  (
    database.pragma(table === undefined ? "foreign_key_check" : `foreign_key_check("${table}")`) as ReadonlyArray<{
      readonly table: string
      readonly parent: string
    }>
  ).map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that isn't there`)

const damageOf = (database: Database.Database): RowReport => {
  const { faults: messages, isReadable } = integrityOf(database, maxListedFaults)
  const otherTables = othersOf(database)
  const isSearchAlone =
    messages.length > 0 &&
    !/freelist/i.test(messages.join()) &&
    ["sqlite_schema", ...otherTables].every((table) => integrityOf(database, `"${table}"`).faults.length === 0)
  const damage = isSearchAlone
    ? messages.map((message) => (isSearchFault(message) ? message : inSearch + message))
    : messages
  if (!isReadable && !isSearchAlone) return { faults: damage, isReadable }
  const dangling = isSearchAlone ? otherTables.flatMap((table) => danglingOf(database, table)) : danglingOf(database)
  return { faults: [...damage, ...dangling.slice(0, maxListedFaults)], isReadable: true }
}

const unreadableOf = (database: Database.Database): RowReport => {
  const tables = database
    .prepare("SELECT t.name FROM sqlite_master t WHERE t.type = 'table' AND t.name GLOB 't_*' ORDER BY t.name")
    .pluck()
    .all() as ReadonlyArray<string>
  const faults = tables.flatMap((table) => {
    const columns = database.pragma(`table_info("${table}")`) as ReadonlyArray<{ readonly name: string }>
    if (!columns.some(({ name }) => name === "doc")) return []
    const count = database.prepare(`SELECT count(*) FROM "${table}" WHERE NOT json_valid(doc)`).pluck().get() as number
    return count === 0 ? [] : [`${count} rows of ${table} are no JSON`]
  })
  return { faults, isReadable: faults.length === 0 }
}

/** Queries that count inconsistencies between parts of the search index. */
const searchFaults = [
  {
    sql:
      "SELECT count(*) FROM lectern_search_space s WHERE pages <> " +
      "(SELECT count(*) FROM lectern_search_page p WHERE p.space = s.number)",
    says: "spaces of the search index have other pages than it counts"
  },
  {
    sql: "SELECT count(*) FROM lectern_search_page WHERE space NOT IN (SELECT number FROM lectern_search_space)",
    says: "pages of the search index are of no space"
  },
  {
    sql: "SELECT count(*) FROM lectern_search_page WHERE rid NOT IN (SELECT id FROM lectern_search_docsize)",
    says: "pages of the search index have no words"
  },
  {
    sql: "SELECT count(*) FROM lectern_search_docsize WHERE id NOT IN (SELECT rid FROM lectern_search_page)",
    says: "entries of the search index are of no page"
  },
  {
    sql:
      "SELECT count(*) FROM lectern_search_docsize LEFT JOIN (SELECT doc, count(*) AS words FROM lectern_search_entry " +
      "GROUP BY doc) ON doc = id WHERE word_count(sz) <> ifnull(words, 0)",
    says: "pages of the search index have other words than were written"
  }
]

/** Decodes a varint of FTS5: seven bits per byte, with the high bit set in all but the last byte. */
const readVarint = (bytes: Uint8Array): number => {
  let count = 0
  for (const byte of bytes) {
    count = count * 128 + (byte & 127)
    if (byte < 128) break
  }
  return count
}

const searchFaultsOf = (database: Database.Database): RowReport => {
  // Words are counted here, since SQLite's own check does not find missing words in a contentless index.
  database.function("word_count", { deterministic: true }, (bytes) => readVarint(bytes as Uint8Array))
  const faults = searchFaults.flatMap(({ sql, says }) => {
    const count = database.prepare(sql).pluck().get() as number
    return count === 0 ? [] : [`${count} ${says}`]
  })
  return { faults, isReadable: true }
}

const strayFilesOf = (database: Database.Database, filename: string): ReadonlyArray<string> => {
  const folder = `${resolve(filename)}-blobs`
  if (!existsSync(folder)) return []
  const isKnown = database.prepare("SELECT 1 FROM lectern_blob WHERE hash = ?").pluck()
  return readdirSync(folder)
    .filter((name) => isKnown.get(name) === undefined)
    .slice(0, maxListedFaults)
}
