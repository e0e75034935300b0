/**
 * Limits the write-ahead log to the free disk space. A checkpoint grows the database file. If the log has filled the
 * disk, no checkpoint is possible: committed data is safe, but nothing can be written until space is freed.
 *
 * The limit of the log shrinks with the free space. On a nearly full disk each commit runs a checkpoint, and a commit
 * is rejected if its pages do not fit twice (log and file). Commits that do not grow the file are accepted, so that
 * data can be removed.
 *
 * Free space is checked once per 31 rows, and before each commit if it is low. Between checks, writes of other programs
 * go unnoticed.
 */
import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@lectern/core/storage/Storage"

export interface DiskSpace {
  /** Free bytes on the disk. */
  readonly free: () => number
  /** Size of the database file in bytes. */
  readonly size: () => number
}

/** Returns the free space of the disk of a file. */
export const diskSpaceOf = (filename: string): DiskSpace => ({
  free: () => {
    const { bavail, bsize } = statfsSync(dirname(filename))
    return bavail * bsize
  },
  size: () => statSync(filename, { throwIfNoEntry: false })?.size ?? 0
})

/** Rows between two checks of the free space. A row has less than 1 MiB, since larger blobs are files. */
const rowsPerCheck = 31
/** Space for one transaction, or for the rows between two checks. With less free space, the log holds no pages. */
const reservedBytes = 32 * 1024 * 1024
/** Share of the remaining space for the log. The checkpoint needs as much again for the file. */
const share = 1 / 8
/** Minimum size of the log file that is retained after a checkpoint (pages). */
const minRetainedPages = 256
/**
 * Number of existing pages that are rewritten for each row, including pages of indexes. Neighboring rows share pages.
 */
const pagesPerRow = 2
/** Pages that stay free, so that rows can be removed. */
const reservedPages = 16
/** Free disk space (bytes) below which the disk counts as full, since even a single row may not fit. */
const minFreeBytes = 128 * 1024

const diskIsFull = () => new StorageError({ reason: "full", message: "The disk of the database is full" })

export class LogCapacity {
  readonly #disk: DiskSpace
  readonly #pageSize: number
  readonly #maxPages: number
  readonly #allow: (pages: number, retainedPages: number | undefined) => void
  #allowed: number
  #rows = 0

  /**
   * `maxPages`: maximum size of the log if space suffices. `allow` receives the current limit of the log and the
   * retained size of its file (undefined: unlimited).
   */
  constructor(
    filename: string,
    pageSize: number,
    maxPages: number,
    allow: (pages: number, retainedPages: number | undefined) => void,
    disk: DiskSpace = diskSpaceOf(filename)
  ) {
    this.#disk = disk
    this.#pageSize = pageSize
    this.#maxPages = maxPages
    this.#allow = allow
    this.#allowed = maxPages
    this.#checkSpace()
  }

  /**
   * Throws a `StorageError` if the pages of a commit would not fit into the log and the file. `pages` returns the size
   * of the database after the commit, in pages.
   */
  check(rows: number, pages: () => number): void {
    this.#rows += rows
    if (rows === 0 || (this.#allowed === this.#maxPages && this.#rows < rowsPerCheck)) return
    this.#rows = 0
    const freeBytes = this.#checkSpace()
    if (this.#allowed === this.#maxPages) return
    const pagesBefore = Math.floor(this.#disk.size() / this.#pageSize)
    const growth = pages() - pagesBefore
    const neededPages = 2 * growth + Math.min(pagesPerRow * rows, pagesBefore) + reservedPages
    if (growth <= 0 || freeBytes >= neededPages * this.#pageSize) return
    throw diskIsFull()
  }

  /** Throws if the disk is full. A first small write might still fit into the log. */
  checkFree(): void {
    if (this.#disk.free() < minFreeBytes) throw diskIsFull()
  }

  #checkSpace(): number {
    const freeBytes = this.#disk.free()
    const allowedByDisk = Math.floor(((freeBytes - reservedBytes) * share) / this.#pageSize)
    const allowed = Math.max(1, Math.min(this.#maxPages, allowedByDisk))
    if (allowed !== this.#allowed) {
      this.#allowed = allowed
      this.#allow(allowed, allowed === this.#maxPages ? undefined : Math.max(allowed, minRetainedPages))
    }
    return freeBytes
  }
}
