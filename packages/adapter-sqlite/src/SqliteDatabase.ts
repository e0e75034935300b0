/**
 * One open database file: a connection that writes and reads, a second one that reads committed data while a
 * transaction is open, and the engine of the transaction queue. Write-ahead log, every commit synced (see `LogSync`),
 * foreign keys enabled, removed data overwritten (`secure_delete`).
 */
import { StorageError, type UniqueConflict } from "@lectern/core/storage/Storage"
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { TransactionEngine } from "@lectern/core/storage/TransactionEngine"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import Database from "better-sqlite3"
import { Latch } from "effect"
import { constants } from "node:fs"
import { resolve } from "node:path"
import { openFailure } from "./OpenFailure.ts"
import { Connection, type Reader } from "./Connection.ts"
import { DatabaseFile, prepare } from "./DatabaseFile.ts"
import { type CheckpointLog, LogCheckpoints } from "./LogCheckpoints.ts"
import { LogCapacity } from "./LogCapacity.ts"
import { LogSync } from "./LogSync.ts"
import { migrate } from "./Migrations.ts"
import { RowCache } from "./RowCache.ts"
import { failureOf, isCorrupt } from "./SqliteFailure.ts"
import { applySearchChanges, type SpaceChanges } from "./SqliteSearchIndex.ts"
import { TableLayouts } from "./TableLayouts.ts"

export interface Options {
  /** Path of the database. Created if missing, unless `readonly`. */
  readonly filename: string
  /** True to reject every write. Default: false. */
  readonly readonly?: boolean
  /** Maximum wait for another process that writes (ms). Default: 10,000. */
  readonly busyTimeout?: number
  /** Called before each commit. An exception fails the commit. For tests and measurements. */
  readonly onCommit?: (transactions: number) => void
  /**
   * True to create a new database where one is missing or empty that existed before. Default: false, which is an error.
   */
  readonly firstStart?: boolean
  /** True to lock the file for this process only. Fails if another process has it open. Default: false. */
  readonly exclusive?: boolean
  /** Maximum number of pages (4 KiB) of the file. Default: unlimited. */
  readonly maxPages?: number
  /**
   * Number of pages (4 KiB) in the write-ahead log that triggers a checkpoint during a commit. Default: 1,000. With
   * more, pages that are written often are copied once, but the commit with the checkpoint takes longer. For processes
   * in which no caller waits for a commit.
   */
  readonly logPages?: number
  /**
   * Runs checkpoints in place of commits, usually in a thread that calls `checkpoint` (see `Checkpoint`). Cannot be
   * combined with `exclusive`.
   */
  readonly checkpointLog?: CheckpointLog
}

const logPagesOf = ({ logPages = 1_000 }: Options): number => logPages

/** Factor by which the log may exceed its target before a commit runs the checkpoint, if `checkpointLog` is set. */
const threadFactor = 4

/** Returns the number of pages in the log that triggers a checkpoint during a commit. */
const pagesInCommit = (options: Options): number =>
  Math.floor(logPagesOf(options) * (options.checkpointLog === undefined ? 1 : threadFactor))

export class SqliteDatabase {
  /** Number of commits of all databases in this process. */
  private static commitsHere = 0

  /** Reads committed data. */
  readonly reader: Reader
  readonly writer: Connection
  readonly layouts: TableLayouts
  readonly searchChanges = new PendingChanges<SpaceChanges>()
  /** Open if a commit has changed the search index. Open at first, since earlier changes are unknown. */
  readonly searchChanged = Latch.makeUnsafe(true)
  readonly rows = new RowCache()
  readonly writtenRows = new WrittenRows()
  readonly engine: TransactionEngine

  /** Number of commits, by this process and by others as far as `refresh` has seen them. */
  private commits = 0
  /** Number of rows that the writer had changed at its last commit, including rolled-back changes. */
  private changes = 0
  private version: number | undefined
  private isFresh = false
  /** Value of `commitsHere` at the last check of the file. */
  private ownCommits = 0
  /** Connection for reads while a transaction is open. Undefined if `exclusive`: then the writer reads everything. */
  private readonly snapshotReader: Connection | undefined
  /** True if a transaction is open. */
  private isOpen = false
  /** Connection of the open read transaction. All of its reads see one snapshot. */
  private openReader: Connection | undefined
  private readonly file: DatabaseFile
  private readonly log: LogSync
  private readonly capacity?: LogCapacity
  private readonly checkpoints?: LogCheckpoints
  /** Error that revealed the corruption of the database. */
  private corruption: unknown

  /** Opens a database. Throws errors that `failureOf` converts. */
  static open(options: Options): SqliteDatabase {
    if (options.filename === "" || options.filename.startsWith(":")) {
      throw new StorageError({ reason: "failed", message: "SQLite needs a file: two connections share it" })
    }
    if (options.readonly !== true) prepare(resolve(options.filename), options)
    const writer = connect(options)
    try {
      // Must precede every read, which would open a shared log.
      if (options.exclusive === true) writer.pragma("locking_mode = EXCLUSIVE")
      if (options.readonly !== true) {
        writer.pragma("secure_delete = ON")
        writer.pragma("journal_mode = WAL")
        writer.pragma(`wal_autocheckpoint = ${pagesInCommit(options)}`)
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
      if (options.exclusive !== true) return new SqliteDatabase(writer, connectReader(options), options)
      writer.exec("BEGIN EXCLUSIVE; COMMIT")
      return new SqliteDatabase(writer, undefined, options)
    } catch (thrown) {
      writer.close()
      throw openRefusal(options, thrown)
    }
  }

  private constructor(writer: Database.Database, snapshotReader: Database.Database | undefined, options: Options) {
    this.writer = new Connection(writer)
    this.snapshotReader = snapshotReader && new Connection(snapshotReader)
    this.reader = { pluck: (sql) => this.reading().pluck(sql), raw: (sql) => this.reading().raw(sql) }
    this.layouts = new TableLayouts(this.reader, this.writer, this.rows)
    const pageSize = writer.pragma("page_size", { simple: true }) as number
    const filename = resolve(options.filename)
    this.file = new DatabaseFile(filename, () => pageSize * this.pages())
    this.log = new LogSync(`${filename}-wal`)
    const { checkpointLog, readonly } = options
    if (readonly !== true) {
      this.capacity = new LogCapacity(filename, pageSize, pagesInCommit(options), (pages, retainedPages) => {
        writer.pragma(`wal_autocheckpoint = ${pages}`)
        writer.pragma(`journal_size_limit = ${retainedPages === undefined ? -1 : retainedPages * pageSize}`)
      })
    }
    if (checkpointLog !== undefined && readonly !== true) {
      this.checkpoints = new LogCheckpoints(filename, checkpointLog, logPagesOf(options), () => this.pagesInLog())
    }
    this.engine = this.makeEngine(options)
  }

  /** Rolls back the writes of an operation that throws. */
  atomically<A>(run: () => A): A {
    this.writer.run("SAVEPOINT operation")
    try {
      const result = run()
      this.writer.run("RELEASE operation")
      return result
    } catch (thrown) {
      // Some errors roll back the whole transaction, so there is no savepoint left.
      if (this.writer.db.inTransaction) {
        this.writer.run("ROLLBACK TO operation")
        this.writer.run("RELEASE operation")
        this.layouts.onRollback()
      }
      throw thrown
    }
  }

  /**
   * Ends the read transaction if another connection committed since the last check. Only commits of other connections
   * change `data_version`. The check runs once per turn of the event loop, since a check takes a tenth of a read. All
   * reads of one turn may see the state at its start. Commits of other databases in this process trigger a check
   * immediately.
   */
  refresh() {
    if (this.isFresh && this.ownCommits === SqliteDatabase.commitsHere) return
    this.endReading()
    const version = this.writer.pluck("PRAGMA data_version").get() as number
    if (!this.isFresh) setImmediate(this.markStale)
    this.isFresh = true
    this.ownCommits = SqliteDatabase.commitsHere
    if (version === this.version) return
    this.version = version
    this.commits++
    this.rows.clear()
    this.writtenRows.invalidateAll(this.commits)
  }

  /** Reads and writes as a health check. Returns the exception, if any. */
  probe(): { readonly thrown?: unknown } {
    const { reader, writer } = this
    try {
      this.checkFile()
      this.file.checkFreeSpace()
      if (this.log.isStalled) throw diskIsStalled
      reader.pluck("SELECT count(*) FROM lectern_probe").get()
      // An open transaction in steps already writes.
      if (this.isOpen) return {}
      this.endReading()
      writer.run("BEGIN IMMEDIATE")
      writer.run("INSERT INTO lectern_probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1")
      writer.run("COMMIT")
      return {}
    } catch (thrown) {
      if (writer.db.inTransaction) writer.run("ROLLBACK")
      return { thrown: this.recordCorruption(thrown) }
    }
  }

  /** Number of commits. */
  get commitCount(): number {
    return this.commits
  }

  /**
   * Writes maintenance data that affects no result, in a transaction outside the queue. It counts as no commit for
   * caches and is not synced. Returns the number of changed rows, or undefined if another transaction is open. Throws
   * errors that `failureOf` converts.
   */
  writeOutsideQueue(write: () => void): number | undefined {
    const { writer } = this
    if (this.isOpen || this.checkpoints?.isHolding === true) return undefined
    try {
      this.checkFile()
      this.file.checkFreeSpace()
      this.endReading()
      const before = this.totalChanges()
      writer.run("BEGIN IMMEDIATE")
      write()
      const changes = this.totalChanges() - before
      this.capacity?.check(changes, this.pages)
      writer.run("COMMIT")
      this.changes += changes
      this.checkpoints?.onCommit(changes)
      return changes
    } catch (thrown) {
      if (writer.db.inTransaction) writer.run("ROLLBACK")
      if (thrown instanceof Database.SqliteError && thrown.code.startsWith("SQLITE_BUSY")) return undefined
      throw this.recordCorruption(thrown)
    }
  }

  /** Returns the number of pages in the log that are not in the file. 0 if unknown, as inside a transaction. */
  private pagesInLog(): number {
    if (this.isOpen) return 0
    try {
      this.endReading()
      const [, log, checkpointed] = this.writer.raw("PRAGMA wal_checkpoint(NOOP)").get() as [number, number, number]
      return log - checkpointed
    } catch {
      return 0
    }
  }

  /** Returns the number of pages of the database, including the log and the open transaction. */
  private readonly pages = () => this.writer.pluck("PRAGMA page_count").get() as number

  /** Truncates the log after a transaction that did not fit, whose pages occupy disk space for nothing. */
  private truncateLog() {
    try {
      this.writer.db.pragma("wal_checkpoint(TRUNCATE)")
    } catch {
      // Truncation can fail while readers use the log, or on a full disk. It is repeated after the next transaction
      // that does not fit.
    }
  }

  private totalChanges() {
    return this.writer.pluck("SELECT total_changes()").get() as number
  }

  private checkFile() {
    if (this.corruption !== undefined) throw this.corruption
    // A closed connection reports the error itself.
    if (!this.writer.db.open) return
    this.file.check()
  }

  private recordCorruption(thrown: unknown): unknown {
    if (!(thrown instanceof Database.SqliteError && isCorrupt(thrown.code))) return thrown
    return (this.corruption ??= this.fileError() ?? thrown)
  }

  /** Returns the error that explains the corruption that SQLite reports, if the file is missing or replaced. */
  private fileError(): StorageError | undefined {
    try {
      this.file.check()
    } catch (thrown) {
      if (thrown instanceof StorageError) return thrown
    }
    return undefined
  }

  /** Handles a failed sync. The state on the disk is unknown, so no further writes are accepted. */
  private onLostCommit(error: Error): StorageError {
    const message = "The disk did not keep what was written: nothing is written any more until the server is restarted"
    const failure = new StorageError({ reason: "damaged", message, cause: error })
    this.corruption ??= failure
    return failure
  }

  private readonly markStale = () => {
    this.isFresh = false
  }

  /**
   * Returns the connection for reads. The writer is preferred: its page cache stays valid after its own commits, while
   * the second connection must read all pages again. While the writer has a transaction open, the second connection
   * reads.
   */
  private reading(): Connection {
    if (this.snapshotReader === undefined) return this.writer
    const connection = this.isOpen ? this.snapshotReader : this.writer
    if (this.openReader !== connection) this.beginReading(connection)
    return connection
  }

  /**
   * Starts a read transaction for all reads of one turn, since locking for each statement takes longer than finding a
   * row. It ends before a write or commit of this process, and when a commit of another process is seen.
   */
  private beginReading(connection: Connection) {
    this.endReading()
    this.openReader = connection
    queueMicrotask(this.endReading)
    if (!connection.db.inTransaction) connection.run("BEGIN")
  }

  private readonly endReading = () => {
    const connection = this.openReader
    if (connection === undefined) return
    this.openReader = undefined
    // Some errors have already ended the transaction. `ROLLBACK` is used instead of `COMMIT`, since a commit fails on a
    // damaged file.
    if (connection.db.open && connection.db.inTransaction) connection.run("ROLLBACK")
  }

  async close(): Promise<void> {
    await this.checkpoints?.close()
    this.log.close()
    this.snapshotReader?.db.close()
    this.writer.db.close()
  }

  private makeEngine(options: Options): TransactionEngine {
    const { writer, layouts, searchChanges, rows, writtenRows } = this
    const begin = options.readonly === true ? "BEGIN" : "BEGIN IMMEDIATE"
    // The last error. Some errors, such as a full disk, roll back the whole group, and are then the reason of the
    // rollback.
    let lastError: StorageError | UniqueConflict | undefined
    let unsynced = false
    const check = () => {
      if (writer.db.inTransaction) return
      throw lastError ?? new StorageError({ reason: "failed", message: "The database gave the transaction up" })
    }
    return {
      generation: () => {
        this.refresh()
        return this.commits
      },
      begin: () => {
        lastError = undefined
        this.checkFile()
        if (this.checkpoints?.isHolding === true) throw logIsBlocked
        this.endReading()
        writer.run(begin)
        this.isOpen = true
        // The write lock is held, so no other process commits from here on.
        this.isFresh = false
        try {
          this.refresh()
        } catch (thrown) {
          this.isOpen = false
          if (writer.db.inTransaction) writer.run("ROLLBACK")
          throw thrown
        }
      },
      savepoint: (depth) => {
        check()
        writer.run(`SAVEPOINT s${depth}`)
        searchChanges.savepoint(depth)
      },
      release: (depth) => {
        check()
        writer.run(`RELEASE s${depth}`)
      },
      rollbackTo: (depth) => {
        check()
        writer.run(`ROLLBACK TO s${depth}`)
        writer.run(`RELEASE s${depth}`)
        searchChanges.rollbackTo(depth)
        layouts.onRollback()
        rows.invalidatePending()
      },
      check,
      commit: (transactions) => {
        options.onCommit?.(transactions)
        const search = searchChanges.take()
        applySearchChanges(writer, search)
        this.endReading()
        const changes = this.totalChanges()
        const changed = changes - this.changes
        this.capacity?.check(changed, this.pages)
        writer.run("COMMIT")
        this.isOpen = false
        this.ownCommits = ++SqliteDatabase.commitsHere
        if (search.length > 0) this.searchChanged.openUnsafe()
        unsynced = changed !== 0
        if (unsynced) this.commits++
        this.changes = changes
        layouts.onCommit()
        rows.commit()
        writtenRows.commit(this.commits)
        this.checkpoints?.onCommit(changed)
      },
      flush: (onSynced) => {
        // Without changes, the transaction may have read data whose sync is still running, so it waits for that sync.
        if (!unsynced && !this.log.isRunning) return onSynced()
        this.log.run((error) => onSynced(error === null ? undefined : this.onLostCommit(error)))
      },
      rollback: () => {
        unsynced = false
        this.isOpen = false
        if (writer.db.inTransaction) writer.run("ROLLBACK")
        if (lastError instanceof StorageError && lastError.reason === "full") this.truncateLog()
        searchChanges.rollback()
        layouts.onRollback()
        rows.rollback()
        writtenRows.rollback()
      },
      failure: (thrown) => (lastError = failureOf(this.recordCorruption(thrown)))
    }
  }
}

/** Raised while a sync is stalled. New writes would wait, too. */
const diskIsStalled = new StorageError({ reason: "unavailable", message: "The disk does not answer" })

/** Raised while a checkpoint blocks commits. `unavailable`, so that the queue retries. */
const logIsBlocked = new StorageError({ reason: "unavailable", message: "The log is brought into the database" })

const connect = ({ filename, readonly = false, busyTimeout = 10_000 }: Options) => {
  try {
    return new Database(filename, { readonly, timeout: busyTimeout })
  } catch (thrown) {
    throw openRefusal({ filename, readonly }, thrown)
  }
}

const openRefusal = ({ filename, readonly = false }: Options, thrown: unknown) =>
  openFailure(resolve(filename), readonly ? constants.R_OK : constants.R_OK | constants.W_OK, thrown) ?? thrown

/** Opens the connection for reads. A small page cache suffices: it is outdated after each commit. */
const connectReader = (options: Options) => {
  const db = connect({ ...options, readonly: true })
  db.pragma("cache_size = -2000")
  return db
}
