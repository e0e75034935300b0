/**
 * Transactions whose commits survive a loss of power: each commit is synced (see `LogSync`) and fits on the disk (see
 * `LogCapacity`), checkpoints keep the log short (see `LogCheckpoints`), and nothing is written after the file was
 * removed, the disk lost a commit, or SQLite found the file corrupt.
 */
import type { OptionNames } from "@lectern/core/schema/OptionNames"
import { StorageError, type UniqueConflict } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import type { Connections } from "../connections/Connections.ts"
import { DatabaseFile } from "../connections/DatabaseFile.ts"
import { failureOf, isCorrupt } from "../connections/SqliteFailure.ts"
import { LogCapacity } from "./LogCapacity.ts"
import { type CheckpointLog, LogCheckpoints } from "./LogCheckpoints.ts"
import { LogSync } from "./LogSync.ts"

export interface DurabilityOptions {
  /** Called before each commit. An exception fails the commit. For tests and measurements. */
  readonly onCommit?: (transactions: number) => void
  /**
   * Number of pages (4 KiB) in the write-ahead log that triggers a checkpoint during a commit. Default: 1,000. With
   * more, pages that are written often are copied once, but the commit with the checkpoint takes longer. For processes
   * in which no caller waits for a commit.
   */
  readonly logPages?: number
  /**
   * Runs checkpoints in place of commits, usually in a thread that calls `checkpoint` (see `LogCheckpoints`). Cannot be
   * combined with `exclusive`.
   */
  readonly checkpointLog?: CheckpointLog
}

export const durabilityOptionNames: OptionNames<DurabilityOptions> = {
  onCommit: true,
  logPages: true,
  checkpointLog: true
}

/** Factor by which the log may exceed its target before a commit runs the checkpoint, if `checkpointLog` is set. */
const threadFactor = 4

export class DurableTransactions {
  private readonly connections: Connections
  private readonly options: DurabilityOptions
  private readonly file: DatabaseFile
  private readonly log: LogSync
  private readonly capacity?: LogCapacity
  private readonly checkpoints?: LogCheckpoints
  /** Error that revealed the corruption of the database. */
  private corruption: unknown
  /** Last error. Some errors, such as a full disk, roll back the whole group, and are then the reason of the rollback. */
  private lastError: StorageError | UniqueConflict | undefined
  /** True if the last commit changed data. */
  private isUnsynced = false

  constructor(connections: Connections, options: DurabilityOptions & { readonly readonly?: boolean }) {
    const { filename, writer } = connections
    const { checkpointLog, logPages = 1_000 } = options
    const pageSize = writer.db.pragma("page_size", { simple: true }) as number
    this.connections = connections
    this.options = options
    this.file = new DatabaseFile(filename, () => pageSize * connections.pages)
    this.log = new LogSync(`${filename}-wal`)
    if (options.readonly === true) return
    const pagesInCommit = Math.floor(logPages * (checkpointLog === undefined ? 1 : threadFactor))
    writer.db.pragma(`wal_autocheckpoint = ${pagesInCommit}`)
    this.capacity = new LogCapacity(filename, pageSize, pagesInCommit, (pages, retainedPages) => {
      writer.db.pragma(`wal_autocheckpoint = ${pages}`)
      writer.db.pragma(`journal_size_limit = ${retainedPages === undefined ? -1 : retainedPages * pageSize}`)
    })
    if (checkpointLog === undefined) return
    this.checkpoints = new LogCheckpoints(filename, checkpointLog, logPages, () => this.pagesInLog())
  }

  begin() {
    this.lastError = undefined
    this.checkFile()
    if (this.checkpoints?.isBlocking === true) throw logIsBlocked
    this.connections.begin()
  }

  /** Throws if SQLite has rolled back the transaction. */
  check() {
    if (this.connections.writer.db.inTransaction) return
    throw this.lastError ?? new StorageError({ reason: "failed", message: "The database gave the transaction up" })
  }

  /** Commits a group of transactions. The commit is durable after `flush`. */
  commit(transactions: number) {
    this.options.onCommit?.(transactions)
    const changedRows = this.connections.commit(this.acceptSize)
    this.isUnsynced = changedRows !== 0
    this.checkpoints?.onCommit(changedRows)
  }

  /** Calls `onSynced` when the last commit is durable, or with the failure. */
  flush(onSynced: (failure?: StorageError) => void) {
    // Without changes, the transaction may have read data whose sync is still running, so it waits for that sync.
    if (!this.isUnsynced && !this.log.isRunning) return onSynced()
    this.log.run((error) => {
      if (error === null) return onSynced()
      // The state on the disk is unknown, so no further writes are accepted.
      const message =
        "The disk did not keep what was written: nothing is written any more until the server is restarted"
      const failure = new StorageError({ reason: "damaged", message, cause: error })
      this.corruption ??= failure
      onSynced(failure)
    })
  }

  rollback() {
    this.isUnsynced = false
    this.connections.rollback()
    if (this.lastError instanceof StorageError && this.lastError.reason === "full") this.truncateLog()
  }

  /** Converts an exception to a failure. Undefined: the exception is a defect. */
  failure(thrown: unknown): StorageError | UniqueConflict | undefined {
    return (this.lastError = failureOf(this.recordCorruption(thrown)))
  }

  /** Reads and writes as a health check. Throws errors that `failureOf` converts. */
  probe() {
    const { connections } = this
    try {
      this.checkDisk()
      if (this.log.isStalled) throw diskIsStalled
      connections.reader.pluck("SELECT count(*) FROM lectern_probe").get()
      // An open transaction in steps already writes.
      if (!connections.isOpen) connections.runUncounted(() => connections.writer.run(probeSql), this.acceptSize)
    } catch (thrown) {
      throw this.recordCorruption(thrown)
    }
  }

  /**
   * Writes maintenance data that affects no result, in a transaction outside the queue. It counts as no commit for
   * caches and is not synced. Returns the number of changed rows, or undefined if another transaction is open. Throws
   * errors that `failureOf` converts.
   */
  writeOutsideQueue(write: () => void): number | undefined {
    if (this.connections.isOpen || this.checkpoints?.isBlocking === true) return undefined
    try {
      this.checkDisk()
      const changedRows = this.connections.runUncounted(write, this.acceptSize)
      this.checkpoints?.onCommit(changedRows)
      return changedRows
    } catch (thrown) {
      if (thrown instanceof Database.SqliteError && thrown.code.startsWith("SQLITE_BUSY")) return undefined
      throw this.recordCorruption(thrown)
    }
  }

  async close(): Promise<void> {
    await this.checkpoints?.close()
    this.log.close()
    this.connections.close()
  }

  private readonly acceptSize = (changedRows: number) => this.capacity?.check(changedRows, () => this.connections.pages)

  /** Returns the number of pages in the log that are not in the file. 0 if unknown, as inside a transaction. */
  private pagesInLog(): number {
    if (this.connections.isOpen) return 0
    try {
      this.connections.endReading()
      const counts = this.connections.writer.raw("PRAGMA wal_checkpoint(NOOP)").get()
      const [, log, checkpointed] = counts as [number, number, number]
      return log - checkpointed
    } catch {
      return 0
    }
  }

  /** Truncates the log after a transaction that did not fit, whose pages occupy disk space for nothing. */
  private truncateLog() {
    try {
      this.connections.writer.db.pragma("wal_checkpoint(TRUNCATE)")
    } catch {
      // Truncation can fail while readers use the log, or on a full disk. It is repeated after the next transaction
      // that does not fit.
    }
  }

  private checkFile() {
    if (this.corruption !== undefined) throw this.corruption
    // A closed connection reports the error itself.
    if (this.connections.writer.db.open) this.file.check()
  }

  private checkDisk() {
    this.checkFile()
    this.capacity?.checkFree()
  }

  private recordCorruption(thrown: unknown): unknown {
    if (!(thrown instanceof Database.SqliteError && isCorrupt(thrown.code))) return thrown
    if (this.corruption !== undefined) return this.corruption
    try {
      // A missing or replaced file explains the corruption that SQLite reports.
      this.file.check()
      return (this.corruption = thrown)
    } catch (fileError) {
      return (this.corruption = fileError)
    }
  }
}

const probeSql = "INSERT INTO lectern_probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1"

/** Raised while a sync is stalled. New writes would wait, too. */
const diskIsStalled = new StorageError({ reason: "unavailable", message: "The disk does not answer" })

/** Raised while a checkpoint blocks commits. `unavailable`, so that the queue retries. */
const logIsBlocked = new StorageError({ reason: "unavailable", message: "The log is brought into the database" })
