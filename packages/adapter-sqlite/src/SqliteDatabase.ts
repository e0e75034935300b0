/**
 * One database file, opened: a connection that writes and reads, one that reads what is committed while a transaction
 * is open, and the engine of the transaction queue. Write-ahead log, every commit synced (in a thread, see `LogSync`), foreign keys
 * on, what is removed is overwritten.
 */
import { StorageError, type UniqueConflict } from "@lectern/core/storage/Storage"
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { Engine } from "@lectern/core/storage/TransactionEngine"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import Database from "better-sqlite3"
import { Latch } from "effect"
import { constants } from "node:fs"
import { resolve } from "node:path"
import { closedFile } from "./ClosedFile.ts"
import { Connection, type Reader } from "./Connection.ts"
import { DatabaseFile, prepare } from "./DatabaseFile.ts"
import { type CheckpointLog, LogCheckpoints } from "./LogCheckpoints.ts"
import { LogRoom } from "./LogRoom.ts"
import { LogSync } from "./LogSync.ts"
import { migrate } from "./Migrations.ts"
import { RowCache } from "./RowCache.ts"
import { failureOf, isCorrupt } from "./SqliteFailure.ts"
import { applySearchChanges, type SpaceChanges } from "./SqliteSearchIndex.ts"
import { TableLayouts } from "./TableLayouts.ts"

export interface Options {
  /** The file. It is made where there is none, unless `readonly`. */
  readonly filename: string
  /** Refuse every write. Default: false. */
  readonly readonly?: boolean
  /** How long to wait for another process that writes (ms). Default: 10,000. */
  readonly patience?: number
  /** Called before each commit; what it throws fails that commit. For tests and measurements. */
  readonly onCommit?: (transactions: number) => void
  /** Begin anew where a database was used and is gone, or empty. Default: that is refused. */
  readonly anew?: boolean
  /** Nobody else may have the file open meanwhile; refused where somebody has. Default: others may. */
  readonly alone?: boolean
  /** The most pages of 4 KiB that the file may have. Default: as many as there is room for. */
  readonly maxPages?: number
  /**
   * How many pages of 4 KiB the write-ahead log may hold before a commit brings them into the file. Default: 1,000. With
   * more, what is written often is brought there once, and the commit that does it takes longer: for a process in which
   * nobody waits for one.
   */
  readonly logPages?: number
  /**
   * Brings so many pages into the file in place of a commit, which would wait for the disk with all else that this
   * process does: in a thread, which calls `checkpoint` (see `Checkpoint`). Not together with `alone`.
   */
  readonly checkpointLog?: CheckpointLog
}

const logPagesOf = ({ logPages = 1_000 }: Options): number => logPages

/** How many times as many pages the log may hold until a commit brings them into the file all the same. */
const patienceWithThread = 4

/** Pages of the log with which a commit brings them into the file. */
const pagesInCommit = (options: Options): number =>
  Math.floor(logPagesOf(options) * (options.checkpointLog === undefined ? 1 : patienceWithThread))

export class SqliteDatabase {
  /** Commits of all that are open in this process, whatever their files. */
  private static committedHere = 0

  /** Reads what is committed. */
  readonly reader: Reader
  readonly writer: Connection
  readonly layouts: TableLayouts
  readonly searchChanges = new PendingChanges<SpaceChanges>()
  /** Open after commits that changed the search index, and at first: nobody knows what was done before. */
  readonly searchChanged = Latch.makeUnsafe(true)
  readonly rows = new RowCache()
  readonly written = new WrittenRows()
  readonly engine: Engine

  /** How often somebody has committed something: we, and those others of whom `refresh` has learned. */
  private commits = 0
  /** How many rows our writer has changed until its last commit, with those that were undone. */
  private changes = 0
  private version: number | undefined
  private isFresh = false
  /** Commits in this process when the file was last asked. */
  private seenHere = 0
  /** Reads beside a transaction. Undefined where nobody else may have the file open: then all is read by the writer. */
  private readonly apart: Connection | undefined
  /** A transaction is open. */
  private isOpen = false
  /** The connection that reads: all of it is of one moment. */
  private readingOn: Connection | undefined
  private readonly file: DatabaseFile
  private readonly log: LogSync
  private readonly room?: LogRoom
  private readonly checkpoints?: LogCheckpoints
  /** The error that has shown that the database is damaged. */
  private corruption: unknown

  /** Throws what `failureOf` understands. */
  static open(options: Options): SqliteDatabase {
    if (options.filename === "" || options.filename.startsWith(":")) {
      throw new StorageError({ reason: "failed", message: "SQLite needs a file: two connections share it" })
    }
    if (options.readonly !== true) prepare(resolve(options.filename), options)
    const writer = connect(options)
    try {
      // Before anything is read: a log that others share would be opened, too.
      if (options.alone === true) writer.pragma("locking_mode = EXCLUSIVE")
      if (options.readonly !== true) {
        writer.pragma("secure_delete = ON")
        writer.pragma("journal_mode = WAL")
        writer.pragma(`wal_autocheckpoint = ${pagesInCommit(options)}`)
        writer.pragma("synchronous = FULL")
        writer.pragma("foreign_keys = ON")
        // For what a savepoint may bring back: else a change of 16 pages and more makes a file of its own for that.
        writer.pragma("temp_store = MEMORY")
      }
      migrate(writer, options)
      if (options.maxPages !== undefined) writer.pragma(`max_page_count = ${Math.floor(options.maxPages)}`)
      // From here on the queue waits, for others and for the disk: SQLite would block the whole process.
      writer.pragma("busy_timeout = 0")
      writer.pragma("synchronous = NORMAL")
      if (options.alone !== true) return new SqliteDatabase(writer, connectApart(options), options)
      writer.exec("BEGIN EXCLUSIVE; COMMIT")
      return new SqliteDatabase(writer, undefined, options)
    } catch (thrown) {
      writer.close()
      throw refused(options, thrown)
    }
  }

  private constructor(writer: Database.Database, apart: Database.Database | undefined, options: Options) {
    this.writer = new Connection(writer)
    this.apart = apart && new Connection(apart)
    this.reader = { pluck: (sql) => this.reading().pluck(sql), raw: (sql) => this.reading().raw(sql) }
    this.layouts = new TableLayouts(this.reader, this.writer, this.rows)
    const pageSize = writer.pragma("page_size", { simple: true }) as number
    const filename = resolve(options.filename)
    this.file = new DatabaseFile(filename, () => pageSize * this.pages())
    this.log = new LogSync(`${filename}-wal`)
    const { checkpointLog, readonly } = options
    if (readonly !== true) {
      this.room = new LogRoom(filename, pageSize, pagesInCommit(options), (pages, kept) => {
        writer.pragma(`wal_autocheckpoint = ${pages}`)
        writer.pragma(`journal_size_limit = ${kept === undefined ? -1 : kept * pageSize}`)
      })
    }
    if (checkpointLog !== undefined && readonly !== true) {
      this.checkpoints = new LogCheckpoints(filename, checkpointLog, logPagesOf(options), () => this.pagesInLog())
    }
    this.engine = this.makeEngine(options)
  }

  /** Undoes the writes of an operation that throws. */
  atomically<A>(run: () => A): A {
    this.writer.run("SAVEPOINT operation")
    try {
      const answer = run()
      this.writer.run("RELEASE operation")
      return answer
    } catch (thrown) {
      // Some failures end the whole transaction: then there is nothing left to go back to.
      if (this.writer.db.inTransaction) {
        this.writer.run("ROLLBACK TO operation")
        this.writer.run("RELEASE operation")
        this.layouts.onRollback()
      }
      throw thrown
    }
  }

  /**
   * Learns whether somebody else has committed: what only our own writer commits does not change its
   * `data_version`. Asked once in a turn of the event loop, since it takes a tenth of a read: all that is answered
   * in a turn was there when it began, and nothing tells whether another process was a moment earlier or later.
   * Who has the file open in this process is known to have committed at once.
   */
  refresh() {
    if (this.isFresh && this.seenHere === SqliteDatabase.committedHere) return
    this.endReading()
    const version = this.writer.pluck("PRAGMA data_version").get() as number
    if (!this.isFresh) setImmediate(this.ageing)
    this.isFresh = true
    this.seenHere = SqliteDatabase.committedHere
    if (version === this.version) return
    this.version = version
    this.commits++
    this.rows.clear()
    this.written.invalidateAll(this.commits)
  }

  /** Reads and writes for real; gives what was thrown. */
  probe(): { readonly thrown?: unknown } {
    const { reader, writer } = this
    try {
      this.checkFile()
      this.file.checkRoom()
      if (this.log.isHeldUp) throw diskIsSilent
      reader.pluck("SELECT count(*) FROM lectern_probe").get()
      // A transaction in steps is open, which writes for real.
      if (this.isOpen) return {}
      this.endReading()
      writer.run("BEGIN IMMEDIATE")
      writer.run("INSERT INTO lectern_probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1")
      writer.run("COMMIT")
      return {}
    } catch (thrown) {
      if (writer.db.inTransaction) writer.run("ROLLBACK")
      return { thrown: this.noticed(thrown) }
    }
  }

  /** How often something was committed. */
  get committed(): number {
    return this.commits
  }

  /**
   * Writes what changes no answer, in a transaction beside the queue: it is no commit for those who keep what they have
   * read, and nobody waits for it to be on the disk. Tells by how many rows; undefined where somebody else writes. Throws
   * what `failureOf` understands.
   */
  beside(write: () => void): number | undefined {
    const { writer } = this
    if (this.isOpen || this.checkpoints?.isHolding === true) return undefined
    try {
      this.checkFile()
      this.file.checkRoom()
      this.endReading()
      const before = this.totalChanges()
      writer.run("BEGIN IMMEDIATE")
      write()
      const changes = this.totalChanges() - before
      this.room?.check(changes, this.pages)
      writer.run("COMMIT")
      this.changes += changes
      this.checkpoints?.committed(changes)
      return changes
    } catch (thrown) {
      if (writer.db.inTransaction) writer.run("ROLLBACK")
      if (thrown instanceof Database.SqliteError && thrown.code.startsWith("SQLITE_BUSY")) return undefined
      throw this.noticed(thrown)
    }
  }

  /** How many pages of the log are not in the file; 0 where that can't be told, as in a transaction. */
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

  /** Pages of the database, with those that the log holds and those of an open transaction. */
  private readonly pages = () => this.writer.pluck("PRAGMA page_count").get() as number

  /** Pages of a transaction for which there was no room stand in the log for nothing, and take it from others. */
  private giveBack() {
    try {
      this.writer.db.pragma("wal_checkpoint(TRUNCATE)")
    } catch {
      // Whoever reads meanwhile, or too little room: the next one tries again.
    }
  }

  private totalChanges() {
    return this.writer.pluck("SELECT total_changes()").get() as number
  }

  private checkFile() {
    if (this.corruption !== undefined) throw this.corruption
    // Whoever still asks is told that by SQLite.
    if (!this.writer.db.open) return
    this.file.check()
  }

  private noticed(thrown: unknown): unknown {
    if (!(thrown instanceof Database.SqliteError && isCorrupt(thrown.code))) return thrown
    return (this.corruption ??= this.lacking() ?? thrown)
  }

  /** The error that says what the file lacks, which SQLite only knows as damage. */
  private lacking(): StorageError | undefined {
    try {
      this.file.check()
    } catch (thrown) {
      if (thrown instanceof StorageError) return thrown
    }
    return undefined
  }

  /** The disk has refused what is committed. Nobody knows what it kept, so nothing is written on top of it. */
  private lost(error: Error): StorageError {
    const message = "The disk did not keep what was written: nothing is written any more until the server is restarted"
    const failure = new StorageError({ reason: "damaged", message, cause: error })
    this.corruption ??= failure
    return failure
  }

  private readonly ageing = () => {
    this.isFresh = false
  }

  /**
   * The connection to read by. The writer knows its own commits, and another has to read all pages anew behind each of
   * them. What it has not committed yet is read by nobody else, so while it has a transaction open the other reads.
   */
  private reading(): Connection {
    if (this.apart === undefined) return this.writer
    const connection = this.isOpen ? this.apart : this.writer
    if (this.readingOn !== connection) this.beginReading(connection)
    return connection
  }

  /**
   * All that is read in one go is read in one transaction: each statement by itself would ask for its locks and give them
   * back, which takes longer than to find a row. It ends before anything is written or committed here, and where
   * somebody else is seen to have committed.
   */
  private beginReading(connection: Connection) {
    this.endReading()
    this.readingOn = connection
    queueMicrotask(this.endReading)
    if (!connection.db.inTransaction) connection.run("BEGIN")
  }

  private readonly endReading = () => {
    const connection = this.readingOn
    if (connection === undefined) return
    this.readingOn = undefined
    // Some failures have ended it. Where the file is damaged, it can't be committed, though it has written nothing.
    if (connection.db.open && connection.db.inTransaction) connection.run("ROLLBACK")
  }

  async close(): Promise<void> {
    await this.checkpoints?.close()
    this.log.close()
    this.apart?.db.close()
    this.writer.db.close()
  }

  private makeEngine(options: Options): Engine {
    const { writer, layouts, searchChanges, rows, written } = this
    const begin = options.readonly === true ? "BEGIN" : "BEGIN IMMEDIATE"
    // Some failures (a full disk) end the transaction of the whole group: then this is why it failed.
    let last: StorageError | UniqueConflict | undefined
    let unsynced = false
    const check = () => {
      if (writer.db.inTransaction) return
      throw last ?? new StorageError({ reason: "failed", message: "The database gave the transaction up" })
    }
    return {
      generation: () => {
        this.refresh()
        return this.commits
      },
      begin: () => {
        last = undefined
        this.checkFile()
        if (this.checkpoints?.isHolding === true) throw logIsHeld
        this.endReading()
        writer.run(begin)
        this.isOpen = true
        // From here on nobody else commits.
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
        rows.doubt()
      },
      check,
      commit: (transactions) => {
        options.onCommit?.(transactions)
        const search = searchChanges.take()
        applySearchChanges(writer, search)
        this.endReading()
        const changes = this.totalChanges()
        const changed = changes - this.changes
        this.room?.check(changed, this.pages)
        writer.run("COMMIT")
        this.isOpen = false
        this.seenHere = ++SqliteDatabase.committedHere
        if (search.length > 0) this.searchChanged.openUnsafe()
        unsynced = changed !== 0
        if (unsynced) this.commits++
        this.changes = changes
        layouts.onCommit()
        rows.commit()
        written.commit(this.commits)
        this.checkpoints?.committed(changed)
      },
      flush: (done) => {
        // One that has changed nothing may have seen what is not on the disk yet.
        if (!unsynced && !this.log.isRunning) return done()
        this.log.run((error) => done(error === null ? undefined : this.lost(error)))
      },
      rollback: () => {
        unsynced = false
        this.isOpen = false
        if (writer.db.inTransaction) writer.run("ROLLBACK")
        if (last instanceof StorageError && last.reason === "full") this.giveBack()
        searchChanges.rollback()
        layouts.onRollback()
        rows.rollback()
        written.rollback()
      },
      failure: (thrown) => (last = failureOf(this.noticed(thrown)))
    }
  }
}

/** A commit waits for it, and so would whatever is written now. */
const diskIsSilent = new StorageError({ reason: "unavailable", message: "The disk does not answer" })

/** As where somebody else writes: whoever waits for that tries again. */
const logIsHeld = new StorageError({ reason: "unavailable", message: "The log is brought into the database" })

const connect = ({ filename, readonly = false, patience = 10_000 }: Options) => {
  try {
    return new Database(filename, { readonly, timeout: patience })
  } catch (thrown) {
    throw refused({ filename, readonly }, thrown)
  }
}

const refused = ({ filename, readonly = false }: Options, thrown: unknown) =>
  closedFile(resolve(filename), readonly ? constants.R_OK : constants.R_OK | constants.W_OK, thrown) ?? thrown

/** Few are read by it, and what it keeps in memory is out of date behind the next commit. */
const connectApart = (options: Options) => {
  const db = connect({ ...options, readonly: true })
  db.pragma("cache_size = -2000")
  return db
}
