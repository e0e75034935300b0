/**
 * The tables of the adapter itself, as numbered steps. Each is one transaction with the number it
 * brings the file to, which SQLite keeps in its header (`user_version`).
 */
import { StorageError } from "@lectern/core/storage/Storage"
import type Database from "better-sqlite3"
import { searchTables } from "./SqliteSearchIndex.ts"

/** "Lect" as a number: marks the file as one of Lectern's. */
const applicationId = 0x4c656374

interface Step {
  /** A sentence for whoever asks before an upgrade. */
  readonly says: string
  readonly sql: string
}

const steps: ReadonlyArray<Step> = [
  {
    says: "Tables for objects, blobs and the layouts of tables are made",
    sql: `CREATE TABLE lectern_table (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE lectern_object (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value TEXT NOT NULL);
   CREATE TABLE lectern_blob (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value BLOB NOT NULL);`
  },
  // The search index had tables of another form, which had nothing that isn't made anew.
  { says: "Nothing is changed", sql: "" },
  {
    // See SqliteBlobs.
    says: "Blobs are told apart by where their bytes are",
    sql: "ALTER TABLE lectern_blob ADD COLUMN place INTEGER NOT NULL DEFAULT 0;"
  },
  {
    says: "A table is made that is written to in order to find out whether that works",
    sql: "CREATE TABLE lectern_probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
  },
  {
    says: "The search index is made anew, and filled while the server runs",
    sql: `DROP TABLE IF EXISTS lectern_search;
   DROP TABLE IF EXISTS lectern_search_page;
   DROP TABLE IF EXISTS lectern_search_space;
   ${searchTables}`
  },
  // Rows that are there are read as they are. See ObjectText.
  { says: "What is large is compressed from now on", sql: "" }
]

/** Steps until a file is as this version of Lectern has it. */
export interface Upgrade {
  /** The number of steps that the file has seen, and of those that there are. */
  readonly version: number
  readonly newest: number
  /** A sentence about each step that is to come. */
  readonly steps: ReadonlyArray<string>
}

/** Throws where the file is newer than this version; undefined where it is none of Lectern's. */
export const upgradeOf = (db: Database.Database): Upgrade | undefined => {
  if (number(db, "application_id") !== applicationId) return undefined
  const version = number(db, "user_version")
  refuseNewer(version)
  return { version, newest: steps.length, steps: steps.slice(version).map(({ says }) => says) }
}

const number = (db: Database.Database, pragma: string) => db.pragma(pragma, { simple: true }) as number

const refuseNewer = (version: number) => {
  if (version <= steps.length) return
  throw new StorageError({
    reason: "newer-version",
    message:
      `The database has version ${version}, and this version of Lectern knows those up to ${steps.length}: ` +
      `use the newer Lectern that wrote it`
  })
}

/** Brings the file to the newest version. Throws where it can't be used. */
export const migrate = (db: Database.Database, options: { readonly readonly?: boolean }) => {
  refuseNewer(number(db, "user_version"))
  const foreign =
    number(db, "application_id") !== applicationId &&
    db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() !== undefined
  if (foreign) throw new StorageError({ reason: "failed", message: "The file is a database, but not one of Lectern's" })
  if (options.readonly === true) {
    if (number(db, "user_version") === steps.length) return
    throw new StorageError({ reason: "read-only", message: "The database has to be brought up to date first" })
  }
  while (number(db, "user_version") < steps.length) {
    // Another process may be at it too: what is to do is read again once the file is ours.
    db.exec("BEGIN IMMEDIATE")
    try {
      const version = number(db, "user_version")
      refuseNewer(version)
      const step = steps[version]
      if (step !== undefined) {
        db.exec(step.sql)
        db.pragma(`application_id = ${applicationId}`)
        db.pragma(`user_version = ${version + 1}`)
      }
      db.exec("COMMIT")
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK")
    }
  }
}
