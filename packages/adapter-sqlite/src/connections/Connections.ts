/**
 * Connections of one open database file: one writes and reads, and a second one reads committed data while a
 * transaction is open. Write-ahead log, foreign keys enabled, removed data overwritten (`secure_delete`).
 *
 * Commits are not synced after the migrations (see `DurableTransactions`).
 */
import { constants } from "node:fs"
import { resolve } from "node:path"
import type { OptionNames } from "@lectern/core/schema/OptionNames"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Connection, type Reader } from "./Connection.ts"
import { prepare } from "./DatabaseFile.ts"
import { migrate } from "./Migrations.ts"
import { openFailure } from "./SqliteFailure.ts"

export interface ConnectionOptions {
  /** Path of the database. Created if missing, unless `readonly`. */
  readonly filename: string
  /** True to reject every write. Default: false. */
  readonly readonly?: boolean
  /** Maximum wait for another process that writes (ms). Default: 10,000. */
  readonly busyTimeout?: number
  /**
   * True to create a new database where one is missing or empty that existed before. Default: false, which is an error.
   */
  readonly firstStart?: boolean
  /** True to lock the file for this process only. Fails if another process has it open. Default: false. */
  readonly exclusive?: boolean
  /** Maximum number of pages (4 KiB) of the file. Default: unlimited. */
  readonly maxPages?: number
}

export const connectionOptionNames: OptionNames<ConnectionOptions> = {
  filename: true,
  readonly: true,
  busyTimeout: true,
  firstStart: true,
  exclusive: true,
  maxPages: true
}

export class Connections {
  /** Number of commits of all databases in this process. */
  private static commitsHere = 0

  /** Absolute path of the file. */
  readonly filename: string
  /** Reads committed data. */
  readonly reader: Reader
  readonly writer: Connection
  /** Called when `refresh` sees commits of other connections. */
  onForeignCommit: () => void = () => {}

  /** Number of commits that changed data, by this process and by others as far as `refresh` has seen them. */
  commitCount = 0
  /** True while a transaction of the queue is open. */
  isOpen = false
  /** Number of rows that the writer had changed at its last commit, including rolled-back changes. */
  private changes = 0
  private version: number | undefined
  private isFresh = false
  /** Value of `commitsHere` at the last check of the file. */
  private ownCommits = 0
  /** Connection for reads while a transaction is open. Undefined if `exclusive`: then the writer reads everything. */
  private readonly snapshotReader: Connection | undefined
  private readonly beginSql: string
  /** Connection of the open read transaction. All of its reads see one snapshot. */
  private openReader: Connection | undefined

  /** Opens a database. Throws errors that `failureOf` converts. */
  static open(options: ConnectionOptions): Connections {
    if (options.filename === "" || options.filename.startsWith(":")) {
      throw new StorageError({ reason: "failed", message: "SQLite needs a file: two connections share it" })
    }
    const filename = resolve(options.filename)
    if (options.readonly !== true) prepare(filename, options)
    let writer: Database.Database | undefined
    try {
      writer = connect(options)
      // Must precede every read, which would open a shared log.
      if (options.exclusive === true) writer.pragma("locking_mode = EXCLUSIVE")
      if (options.readonly !== true) {
        writer.pragma("secure_delete = ON")
        writer.pragma("journal_mode = WAL")
        writer.pragma("synchronous = FULL")
        writer.pragma("foreign_keys = ON")
        // Keeps rollback data of savepoints in memory. Otherwise a change of 16 pages creates a temporary file.
        writer.pragma("temp_store = MEMORY")
      }
      migrate(writer, options)
      if (options.maxPages !== undefined) writer.pragma(`max_page_count = ${Math.floor(options.maxPages)}`)
      // From here on the queue waits for locks and the disk. SQLite would block the process.
      writer.pragma("busy_timeout = 0")
      writer.pragma("synchronous = NORMAL")
      if (options.exclusive !== true) return new Connections(options, writer, connectReader(options))
      writer.exec("BEGIN EXCLUSIVE; COMMIT")
      return new Connections(options, writer)
    } catch (thrown) {
      writer?.close()
      const accessMode = options.readonly === true ? constants.R_OK : constants.R_OK | constants.W_OK
      throw openFailure(filename, accessMode, thrown) ?? thrown
    }
  }

  private constructor(options: ConnectionOptions, writer: Database.Database, snapshotReader?: Database.Database) {
    this.filename = resolve(options.filename)
    this.beginSql = options.readonly === true ? "BEGIN" : "BEGIN IMMEDIATE"
    this.writer = new Connection(writer)
    this.snapshotReader = snapshotReader && new Connection(snapshotReader)
    this.reader = {
      pluck: (sql) => this.readingConnection().pluck(sql),
      raw: (sql) => this.readingConnection().raw(sql)
    }
  }

  /** Number of pages of the database, including the log and the open transaction. */
  get pages(): number {
    return this.writer.pluck("PRAGMA page_count").get() as number
  }

  /**
   * Ends the read transaction if another connection committed since the last check. Only commits of other connections
   * change `data_version`. The check runs once per turn of the event loop, since a check takes a tenth of a read. All
   * reads of one turn may see the state at its start. Commits of other databases in this process trigger a check
   * immediately.
   */
  refresh() {
    if (this.isFresh && this.ownCommits === Connections.commitsHere) return
    this.endReading()
    const version = this.writer.pluck("PRAGMA data_version").get() as number
    if (!this.isFresh) setImmediate(this.markStale)
    this.isFresh = true
    this.ownCommits = Connections.commitsHere
    if (version === this.version) return
    this.version = version
    this.commitCount++
    this.onForeignCommit()
  }

  /** Starts a transaction. Throws while another process holds the write lock. */
  begin() {
    this.endReading()
    this.writer.run(this.beginSql)
    this.isOpen = true
    // The write lock is held, so no other process commits from here on.
    this.isFresh = false
    try {
      this.refresh()
    } catch (thrown) {
      this.rollback()
      throw thrown
    }
  }

  /** Commits, unless `accept` throws. Returns the number of changed rows. */
  commit(accept: (changedRows: number) => void): number {
    this.endReading()
    const changedRows = this.commitChanges(accept)
    this.isOpen = false
    this.ownCommits = ++Connections.commitsHere
    if (changedRows !== 0) this.commitCount++
    return changedRows
  }

  rollback() {
    this.isOpen = false
    if (this.writer.db.inTransaction) this.writer.run("ROLLBACK")
  }

  /** Runs a transaction that affects no result, so it counts as no commit. Otherwise like `begin` and `commit`. */
  runUncounted(write: () => void, accept: (changedRows: number) => void): number {
    this.endReading()
    try {
      this.writer.run("BEGIN IMMEDIATE")
      write()
      return this.commitChanges(accept)
    } catch (thrown) {
      if (this.writer.db.inTransaction) this.writer.run("ROLLBACK")
      throw thrown
    }
  }

  /** Ends the read transaction, so that the next read sees the last commit. */
  readonly endReading = () => {
    const connection = this.openReader
    if (connection === undefined) return
    this.openReader = undefined
    // Some errors have already ended the transaction. `ROLLBACK` is used instead of `COMMIT`, since a commit fails on a
    // damaged file.
    if (connection.db.open && connection.db.inTransaction) connection.run("ROLLBACK")
  }

  close() {
    this.snapshotReader?.db.close()
    this.writer.db.close()
  }

  /** Counts a change of the schema, which changes no row, so that its commit is synced. */
  countSchemaChange() {
    this.changes--
  }

  private commitChanges(accept: (changedRows: number) => void): number {
    const changes = this.writer.pluck("SELECT total_changes()").get() as number
    const changedRows = changes - this.changes
    accept(changedRows)
    this.writer.run("COMMIT")
    this.changes = changes
    return changedRows
  }

  private readonly markStale = () => {
    this.isFresh = false
  }

  /**
   * Returns the connection for reads, in a read transaction for all reads of one turn, since locking for each statement
   * takes longer than finding a row. The transaction ends before a write or commit of this process, and when a commit of
   * another process is seen.
   *
   * The writer is preferred: its page cache stays valid after its own commits, while the second connection must read all
   * pages again. While the writer has a transaction open, the second connection reads.
   */
  readingConnection(): Connection {
    if (this.snapshotReader === undefined) return this.writer
    const connection = this.isOpen ? this.snapshotReader : this.writer
    if (this.openReader === connection) return connection
    this.endReading()
    this.openReader = connection
    queueMicrotask(this.endReading)
    if (!connection.db.inTransaction) connection.run("BEGIN")
    return connection
  }
}

const connect = ({ filename, readonly = false, busyTimeout = 10_000 }: ConnectionOptions) =>
  new Database(filename, { readonly, timeout: busyTimeout })

/** Opens the connection for reads. A small page cache suffices: it is outdated after each commit. */
const connectReader = (options: ConnectionOptions) => {
  const db = connect({ ...options, readonly: true })
  db.pragma("cache_size = -2000")
  return db
}
