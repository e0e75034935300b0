/**
 * Keeps the write-ahead log within the room that the disk has. To fold it into the file takes room for the pages by
 * which the file grows, which a log that has filled the disk does not leave: what it holds is safe then, and nothing can
 * be written any more until somebody makes room.
 *
 * So the log may hold less the less room there is, and on a disk that is nearly full each commit is folded at once.
 * There a commit is refused whose pages don't fit twice, into the log and into the file; one that the file doesn't grow
 * by is not, or nothing could be removed.
 *
 * How much room there is, is asked once in so many rows, and before each commit where there is little. What others on the
 * disk write meanwhile is seen then, and not before.
 */
import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@lectern/core/storage/Storage"

export interface RoomOnDisk {
  /** Bytes that may still be written. */
  readonly free: () => number
  /** Bytes of the database. */
  readonly size: () => number
}

/** Of the disk that a database is on. */
export const roomOf = (filename: string): RoomOnDisk => ({
  free: () => {
    const { bavail, bsize } = statfsSync(dirname(filename))
    return bavail * bsize
  },
  size: () => statSync(filename, { throwIfNoEntry: false })?.size ?? 0
})

/** Rows that are changed until it is asked again. Each has less than 1 MiB, as a large blob is a file. */
const rowsPerLook = 31
/** Room that one transaction, or so many rows, may take before it is asked: with less than this left, nothing waits in the log. */
const spare = 32 * 1024 * 1024
/** The part of the rest that the log may take: as much as it again is wanted for the file. */
const share = 1 / 8
/** Pages that the log may keep on the disk once they are folded. */
const leastKept = 256
/** Pages that exist already and are written for a row, its own and those of indexes: rows beside each other share them. */
const pagesPerRow = 2
/** Pages that stay free, so that whoever removes something can (see also `DatabaseFile`). */
const reserve = 16

export class LogRoom {
  readonly #disk: RoomOnDisk
  readonly #pageSize: number
  readonly #most: number
  readonly #allow: (pages: number, kept: number | undefined) => void
  #allowed: number
  #rows = 0

  /**
   * `most`: pages that the log may hold where there is room. `allow` is told how many it may hold from now on, and how
   * many of them may stay on the disk, undefined where that doesn't matter.
   */
  constructor(
    filename: string,
    pageSize: number,
    most: number,
    allow: (pages: number, kept: number | undefined) => void,
    disk: RoomOnDisk = roomOf(filename)
  ) {
    this.#disk = disk
    this.#pageSize = pageSize
    this.#most = most
    this.#allow = allow
    this.#allowed = most
    this.#look()
  }

  /** Throws where a commit of so many rows may leave what can't be folded. `pages`: of the database behind it. */
  check(rows: number, pages: () => number): void {
    this.#rows += rows
    if (rows === 0 || (this.#allowed === this.#most && this.#rows < rowsPerLook)) return
    this.#rows = 0
    const free = this.#look()
    if (this.#allowed === this.#most) return
    const before = Math.floor(this.#disk.size() / this.#pageSize)
    const growth = pages() - before
    const wanted = 2 * growth + Math.min(pagesPerRow * rows, before) + reserve
    if (growth <= 0 || free >= wanted * this.#pageSize) return
    throw new StorageError({ reason: "full", message: "There is no room left on the disk of the database" })
  }

  #look(): number {
    const free = this.#disk.free()
    const within = Math.floor(((free - spare) * share) / this.#pageSize)
    const allowed = Math.max(1, Math.min(this.#most, within))
    if (allowed !== this.#allowed) {
      this.#allowed = allowed
      this.#allow(allowed, allowed === this.#most ? undefined : Math.max(allowed, leastKept))
    }
    return free
  }
}
