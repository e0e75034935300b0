/**
 * The tables of the adapter itself, as numbered steps. Each is one transaction with the number it
 * brings the file to, which SQLite keeps in its header (`user_version`).
 */
import { StorageError } from "@lectern/core/storage/Storage"
import type Database from "better-sqlite3"
import { searchTables } from "./SqliteSearchIndex.ts"

/** "Lect" as a number: marks the file as one of Lectern's. */
const applicationId = 0x4c656374

const steps: ReadonlyArray<string> = [
  `CREATE TABLE lectern_table (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE lectern_object (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value TEXT NOT NULL);
   CREATE TABLE lectern_blob (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value BLOB NOT NULL);`,
  // The search index had tables of another form, which had nothing that isn't made anew.
  "",
  // Where the bytes are: see SqliteBlobs.
  "ALTER TABLE lectern_blob ADD COLUMN place INTEGER NOT NULL DEFAULT 0;",
  // Written to find out whether that works.
  "CREATE TABLE lectern_probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);",
  `DROP TABLE IF EXISTS lectern_search;
   DROP TABLE IF EXISTS lectern_search_page;
   DROP TABLE IF EXISTS lectern_search_space;
   ${searchTables}`
]

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
        db.exec(step)
        db.pragma(`application_id = ${applicationId}`)
        db.pragma(`user_version = ${version + 1}`)
      }
      db.exec("COMMIT")
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK")
    }
  }
}
