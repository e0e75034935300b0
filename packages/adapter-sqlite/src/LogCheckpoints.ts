/**
 * When the write-ahead log is brought into the file by what the host has for that, once so many pages of it wait. The
 * next commit begins the log anew if all of it is there. So it is done twice: beside commits, and then, for what they
 * have added, while none are made, which takes as long as the disk takes for little.
 *
 * A log that somebody still reads is not waited for: it is tried again when as many pages more are there.
 *
 * How many pages wait is asked once a part of them may have come since, by the rows that were written: to ask takes
 * longer than to write one. Rows may be large, and then the log grows longer than it should, until the next are written.
 */

/** One row in so many pages that may wait is reason to ask how many do. */
const pagesARow = 32

/** Brings the log of a database into its file; rejects where that can't be. */
export type CheckpointLog = (filename: string) => Promise<void>

export class LogCheckpoints {
  readonly #filename: string
  readonly #checkpoint: CheckpointLog
  readonly #pages: number
  readonly #waiting: () => number
  /** How many pages may wait until it is tried. */
  #wanted: number
  /** Rows written since it was asked how many pages wait. */
  #rows = 0
  #running: Promise<void> | undefined
  #isHolding = false
  #isClosed = false

  /** `pages`: how many may wait in the log; `waiting` tells how many do. */
  constructor(filename: string, checkpoint: CheckpointLog, pages: number, waiting: () => number) {
    this.#filename = filename
    this.#checkpoint = checkpoint
    this.#pages = pages
    this.#waiting = waiting
    this.#wanted = pages
  }

  /** Nobody may write for now. */
  get isHolding(): boolean {
    return this.#isHolding
  }

  /** To be called behind a commit, with how many rows it has changed. */
  committed(rows: number): void {
    this.#rows += rows
    if (this.#running !== undefined || this.#isClosed || this.#rows * pagesARow < this.#pages) return
    this.#rows = 0
    const waiting = this.#waiting()
    if (waiting < this.#pages) this.#wanted = this.#pages
    if (waiting < this.#wanted) return
    this.#running = this.#run().finally(() => {
      this.#isHolding = false
      this.#wanted = this.#waiting() + this.#pages
      this.#running = undefined
    })
  }

  /** Begins no more, and waits for the one that runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      await this.#checkpoint(this.#filename)
      const added = this.#waiting()
      if (added === 0 || added >= this.#pages || this.#isClosed) return
      this.#isHolding = true
      await this.#checkpoint(this.#filename)
    } catch {
      // The log keeps what was not brought into the file. At last SQLite itself does it with a commit.
    }
  }
}
