/**
 * Schema migrations of the adapter's own tables. Each runs in a transaction and stores its number in the header of the
 * file (`user_version`).
 */
import { StorageError } from "@lectern/core/storage/Storage"
import type Database from "better-sqlite3"

/** "Lect" as a number. Marks the file as a database of Lectern. */
const applicationId = 0x4c656374

/**
 * SQL that creates the tables of the search index (see `SqliteSearchIndex`). All characters of words and the separators
 * of terms are token characters.
 */
export const searchTables = `
  CREATE TABLE lectern_search_space (
    number INTEGER PRIMARY KEY, space TEXT NOT NULL UNIQUE, pages INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE lectern_search_page (
    rid INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, page TEXT NOT NULL, UNIQUE (space, page));
  CREATE TABLE lectern_search_word (
    space INTEGER NOT NULL, backwards TEXT NOT NULL, PRIMARY KEY (space, backwards)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE lectern_search USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '-_./:@$#+=^'");
  CREATE VIRTUAL TABLE lectern_search_entry USING fts5vocab (lectern_search, 'instance');
  CREATE VIRTUAL TABLE lectern_search_term USING fts5vocab (lectern_search, 'row');
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('automerge', 0);
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('deletemerge', 0);
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('crisismerge', 1000);`

interface Step {
  /** Sentence about the migration, for operators. */
  readonly description: string
  readonly sql: string
}

const steps: ReadonlyArray<Step> = [
  {
    description: "Tables for objects, blobs and the layouts of tables are made",
    sql: `CREATE TABLE lectern_table (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE lectern_object (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value TEXT NOT NULL);
   CREATE TABLE lectern_blob (hash TEXT NOT NULL UNIQUE, writtenAt INTEGER NOT NULL, value BLOB NOT NULL);`
  },
  // An earlier form of the search index was removed; a later step rebuilds the index.
  { description: "Nothing is changed", sql: "" },
  {
    // See `SqliteBlobs`.
    description: "Blobs are told apart by where their bytes are",
    sql: "ALTER TABLE lectern_blob ADD COLUMN place INTEGER NOT NULL DEFAULT 0;"
  },
  {
    description: "A table is made that is written to in order to find out whether that works",
    sql: "CREATE TABLE lectern_probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
  },
  {
    description: "The search index is made anew, and filled while the server runs",
    sql: `DROP TABLE IF EXISTS lectern_search;
   DROP TABLE IF EXISTS lectern_search_page;
   DROP TABLE IF EXISTS lectern_search_space;
   ${searchTables}`
  },
  // Existing objects stay readable. See `SqliteObjects`.
  { description: "What is large is compressed from now on", sql: "" }
]

/** Migrations that a file needs. */
export interface Upgrade {
  /** Number of migrations of the file. `newest`: number of all migrations. */
  readonly version: number
  readonly newest: number
  /** Descriptions of the pending migrations. */
  readonly steps: ReadonlyArray<string>
}

/**
 * Returns the pending migrations. Undefined if the file is not a database of Lectern. Throws if it is of a newer
 * version.
 */
export const upgradeOf = (db: Database.Database): Upgrade | undefined => {
  if (number(db, "application_id") !== applicationId) return undefined
  const version = number(db, "user_version")
  rejectNewer(version)
  return { version, newest: steps.length, steps: steps.slice(version).map(({ description }) => description) }
}

const number = (db: Database.Database, pragma: string) => db.pragma(pragma, { simple: true }) as number

const rejectNewer = (version: number) => {
  if (version <= steps.length) return
  throw new StorageError({
    reason: "newer-version",
    message:
      `The database has version ${version}, and this version of Lectern knows those up to ${steps.length}: ` +
      `use the newer Lectern that wrote it`
  })
}

/** Migrates the file to the newest version. Throws if the file cannot be used. */
export const migrate = (db: Database.Database, options: { readonly readonly?: boolean }) => {
  rejectNewer(number(db, "user_version"))
  const foreign =
    number(db, "application_id") !== applicationId &&
    db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() !== undefined
  if (foreign) throw new StorageError({ reason: "failed", message: "The file is a database, but not one of Lectern's" })
  if (options.readonly === true) {
    if (number(db, "user_version") === steps.length) return
    throw new StorageError({ reason: "read-only", message: "The database has to be brought up to date first" })
  }
  while (number(db, "user_version") < steps.length) {
    // Another process may migrate at the same time, so the version is read again under the write lock.
    db.exec("BEGIN IMMEDIATE")
    try {
      const version = number(db, "user_version")
      rejectNewer(version)
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
