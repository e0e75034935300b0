/**
 * Runs checkpoints with the host's function when enough pages are in the write-ahead log. The next commit restarts the
 * log if all of it was copied. So each checkpoint runs twice: concurrently with commits, and then, for the few pages
 * they added, while commits are blocked.
 *
 * A log that a reader still uses cannot be restarted. The next attempt follows after the same number of new pages.
 *
 * Counting pages takes longer than writing one, so the count runs only when the number of written rows suggests it.
 * With large rows the log grows beyond its target until the next write.
 */
import Database from "better-sqlite3"

/** The pages of the log are counted only after enough writes: one row for each number of pages of the target. */
const pagesARow = 32

/** Copies the log of a database into its file. Rejects on failure. */
export type CheckpointLog = (filename: string) => Promise<void>

export class LogCheckpoints {
  /** True while commits are blocked. */
  isBlocking = false
  readonly #filename: string
  readonly #checkpoint: CheckpointLog
  readonly #pages: number
  readonly #logPages: () => number
  /** Number of pages that triggers the next checkpoint. */
  #targetPages: number
  /** Rows written since the last count. */
  #rows = 0
  #runningCheckpoint: Promise<void> | undefined
  #isClosed = false

  /** `pages`: number of pages that triggers a checkpoint. `logPages` returns the number of pages in the log. */
  constructor(filename: string, checkpoint: CheckpointLog, pages: number, logPages: () => number) {
    this.#filename = filename
    this.#checkpoint = checkpoint
    this.#pages = pages
    this.#logPages = logPages
    this.#targetPages = pages
  }

  /** Called after a commit with its number of changed rows. */
  onCommit(rows: number): void {
    this.#rows += rows
    if (this.#runningCheckpoint !== undefined || this.#isClosed || this.#rows * pagesARow < this.#pages) return
    this.#rows = 0
    const pageCount = this.#logPages()
    if (pageCount < this.#pages) this.#targetPages = this.#pages
    if (pageCount < this.#targetPages) return
    this.#runningCheckpoint = this.#run().finally(() => {
      this.isBlocking = false
      this.#targetPages = this.#logPages() + this.#pages
      this.#runningCheckpoint = undefined
    })
  }

  /** Prevents further checkpoints and waits for the running one. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#runningCheckpoint
  }

  async #run(): Promise<void> {
    try {
      await this.#checkpoint(this.#filename)
      const added = this.#logPages()
      if (added === 0 || added >= this.#pages || this.#isClosed) return
      this.isBlocking = true
      await this.#checkpoint(this.#filename)
    } catch {
      // A failed checkpoint leaves the pages in the log, and a later commit copies them.
    }
  }
}

/**
 * Copies the log into the database file, which takes two syncs of the disk. For a thread, so that no caller waits.
 * Throws if the database is missing or the disk rejects the write. The log then keeps all committed data.
 */
export const checkpoint = (filename: string): void => {
  const database = new Database(filename, { fileMustExist: true })
  try {
    database.pragma("synchronous = NORMAL")
    database.pragma("wal_checkpoint(PASSIVE)")
  } finally {
    database.close()
  }
}
