/**
 * Syncs the write-ahead log. Most disks take up to milliseconds, so the sync runs in a thread, and commits during a
 * sync share the next one. On a fast disk (memory, or a controller with a cache) a thread takes several times as long
 * as the sync itself, so the sync runs on the calling thread.
 *
 * The duration of synchronous syncs decides. After two in a row above `fastSync` (one may be due to a preempted
 * process), a number of syncs runs in the thread, such that the average wait per commit stays below `share`. The number
 * doubles each time that the disk is still slow: about twenty attempts in a million commits.
 */
import { close, fdatasync, fdatasyncSync, openSync } from "node:fs"

/** Called when all earlier commits are synced, or with the error. */
type SyncCallback = (error: Error | null) => void

export interface Disk {
  /** Current time in milliseconds, from any origin. */
  readonly now: () => number
  /** Syncs a file. Throws if the disk reports an error. */
  readonly sync: (file: number) => void
  readonly syncInThread: (file: number, callback: SyncCallback) => void
}

const thisDisk: Disk = { now: () => performance.now(), sync: fdatasyncSync, syncInThread: fdatasync }

/** Maximum duration of a sync that is faster without a thread (ms). */
const fastSync = 0.05
/** Maximum average wait per commit for synchronous syncs of slow disks (ms). */
const share = 0.005
/** Duration after which a sync counts as stalled (ms). */
const stallTimeout = 10_000

export class LogSync {
  readonly #filename: string
  readonly #disk: Disk
  #waitingCallbacks: Array<SyncCallback> = []
  #isRunning = false
  #startedAt = 0
  #isClosed = false
  #file: number | undefined
  /** Number of syncs left to run in the thread, and their number in the current period. */
  #inThread = 0
  #pause = 0
  /** Duration of the last synchronous sync if that sync was slow (ms), otherwise 0. */
  #slow = 0

  /** `filename`: the log file. It may not exist before the first commit. */
  constructor(filename: string, disk: Disk = thisDisk) {
    this.#filename = filename
    this.#disk = disk
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** True if the disk has not responded for too long. Writers wait. */
  get isStalled(): boolean {
    return this.#isRunning && this.#disk.now() - this.#startedAt > stallTimeout
  }

  /** Syncs all commits so far. Calls `callback` synchronously if the disk is fast. */
  run(callback: SyncCallback): void {
    if (this.#isRunning) this.#waitingCallbacks.push(callback)
    else if (this.#inThread > 0) this.#startSync([callback])
    else callback(this.#syncNow())
  }

  /** Closes the file when no sync is running. */
  close(): void {
    this.#isClosed = true
    if (!this.#isRunning) this.#release()
  }

  #syncNow(): Error | null {
    try {
      const file = this.#openFile()
      const syncStart = this.#disk.now()
      this.#disk.sync(file)
      this.#recordDuration(this.#disk.now() - syncStart)
      return null
    } catch (thrown) {
      return thrown as Error
    }
  }

  #recordDuration(millis: number): void {
    if (millis <= fastSync) {
      this.#slow = 0
      this.#pause = 0
    } else if (this.#slow === 0) this.#slow = millis
    else {
      this.#pause = Math.max(2 * this.#pause, Math.ceil((this.#slow + millis) / share))
      this.#inThread = this.#pause
      this.#slow = 0
    }
  }

  #startSync(callbacks: ReadonlyArray<SyncCallback>): void {
    const onSynced: SyncCallback = (error) => {
      this.#isRunning = false
      const next = this.#waitingCallbacks
      this.#waitingCallbacks = []
      if (next.length > 0) this.#startSync(next)
      else if (this.#isClosed) this.#release()
      for (const callback of callbacks) callback(error)
    }
    this.#isRunning = true
    this.#startedAt = this.#disk.now()
    this.#inThread--
    try {
      this.#disk.syncInThread(this.#openFile(), onSynced)
    } catch (thrown) {
      onSynced(thrown as Error)
    }
  }

  #openFile(): number {
    // Opens the log file. Closing it later is safe, since SQLite holds no locks on it.
    return (this.#file ??= openSync(this.#filename, "r+"))
  }

  #release(): void {
    if (this.#file !== undefined) close(this.#file, () => {})
    this.#file = undefined
  }
}
