/**
 * Syncs the write-ahead log to the disk in a thread: a disk takes milliseconds for it, in which nothing else would
 * be answered. Commits that come while one sync runs share the next.
 */
import { close, fdatasync, openSync } from "node:fs"

/** Told once all that was committed before is on the disk, or why it may not be. */
type Told = (error: Error | null) => void

export class LogSync {
  readonly #filename: string
  #waiting: Array<Told> = []
  #isRunning = false
  #isClosed = false
  #file: number | undefined

  /** `filename`: of the log, which may not be there before the first commit. */
  constructor(filename: string) {
    this.#filename = filename
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Syncs what is committed by now. */
  run(told: Told): void {
    this.#waiting.push(told)
    if (!this.#isRunning) this.#begin()
  }

  /** Lets go of the file once nobody waits. */
  close(): void {
    this.#isClosed = true
    if (!this.#isRunning) this.#release()
  }

  #begin(): void {
    const due = this.#waiting
    this.#waiting = []
    const done: Told = (error) => {
      this.#isRunning = false
      if (this.#waiting.length > 0) this.#begin()
      else if (this.#isClosed) this.#release()
      for (const told of due) told(error)
    }
    this.#isRunning = true
    try {
      // The log has no locks of SQLite's, which to close it would take away.
      this.#file ??= openSync(this.#filename, "r+")
      fdatasync(this.#file, done)
    } catch (thrown) {
      done(thrown as Error)
    }
  }

  #release(): void {
    if (this.#file !== undefined) close(this.#file, () => {})
    this.#file = undefined
  }
}
