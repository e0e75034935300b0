/**
 * Syncs the write-ahead log to the disk. Most disks take up to milliseconds for it, in which nothing else would be
 * answered, so a thread waits for them; commits that come while one sync runs share the next. Where the disk is done at
 * once (memory, or a controller that keeps what it was given), to hand the sync to a thread and to hear of it takes
 * several times as long as the sync, and it is done in place.
 *
 * Which of the two it is, is seen by how long it takes in place. Two in a row that took more than `quick` each (one may
 * be a process that had to give its core away) are followed by so many in a thread that waiting in place costs a commit
 * no more than `share` on the average, and by twice as many as before where that was so the last time, too: a slow disk
 * is tried about twenty times in a million commits.
 */
import { close, fdatasync, fdatasyncSync, openSync } from "node:fs"

/** Told once all that was committed before is on the disk, or why it may not be. */
type Told = (error: Error | null) => void

export interface Disk {
  /** Milliseconds since whenever. */
  readonly now: () => number
  /** Throws where the disk didn't take it. */
  readonly sync: (file: number) => void
  readonly syncInThread: (file: number, told: Told) => void
}

const thisDisk: Disk = { now: () => performance.now(), sync: fdatasyncSync, syncInThread: fdatasync }

/** The longest that a disk takes which is not worth a thread (ms). */
const quick = 0.05
/** The most that a commit may wait in place on the average for disks that turn out to be slow (ms). */
const share = 0.005
/** How long a disk may take that is only slow (ms). */
const patience = 10_000

export class LogSync {
  readonly #filename: string
  readonly #disk: Disk
  #waiting: Array<Told> = []
  #isRunning = false
  #begunAt = 0
  #isClosed = false
  #file: number | undefined
  /** How many syncs more are done in a thread, and how many there were since the last one in place. */
  #inThread = 0
  #pause = 0
  /** How long the last one in place took, where that was too long for a quick disk; else 0. */
  #slow = 0

  /** `filename`: of the log, which may not be there before the first commit. */
  constructor(filename: string, disk: Disk = thisDisk) {
    this.#filename = filename
    this.#disk = disk
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** The disk does not answer: whoever wrote waits, and nobody knows for how long. */
  get isHeldUp(): boolean {
    return this.#isRunning && this.#disk.now() - this.#begunAt > patience
  }

  /** Syncs what is committed by now: `told` is called in place where the disk is done at once. */
  run(told: Told): void {
    if (this.#isRunning) this.#waiting.push(told)
    else if (this.#inThread > 0) this.#begin([told])
    else told(this.#inPlace())
  }

  /** Lets go of the file once nobody waits. */
  close(): void {
    this.#isClosed = true
    if (!this.#isRunning) this.#release()
  }

  #inPlace(): Error | null {
    try {
      const file = this.#open()
      const begun = this.#disk.now()
      this.#disk.sync(file)
      this.#took(this.#disk.now() - begun)
      return null
    } catch (thrown) {
      return thrown as Error
    }
  }

  #took(millis: number): void {
    if (millis <= quick) {
      this.#slow = 0
      this.#pause = 0
    } else if (this.#slow === 0) this.#slow = millis
    else {
      this.#pause = Math.max(2 * this.#pause, Math.ceil((this.#slow + millis) / share))
      this.#inThread = this.#pause
      this.#slow = 0
    }
  }

  #begin(due: ReadonlyArray<Told>): void {
    const done: Told = (error) => {
      this.#isRunning = false
      const next = this.#waiting
      this.#waiting = []
      if (next.length > 0) this.#begin(next)
      else if (this.#isClosed) this.#release()
      for (const told of due) told(error)
    }
    this.#isRunning = true
    this.#begunAt = this.#disk.now()
    this.#inThread--
    try {
      this.#disk.syncInThread(this.#open(), done)
    } catch (thrown) {
      done(thrown as Error)
    }
  }

  #open(): number {
    // The log has no locks of SQLite's, which to close it would take away.
    return (this.#file ??= openSync(this.#filename, "r+"))
  }

  #release(): void {
    if (this.#file !== undefined) close(this.#file, () => {})
    this.#file = undefined
  }
}
