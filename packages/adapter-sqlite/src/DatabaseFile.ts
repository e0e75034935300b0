/**
 * The database file: creation at the first start, and a check before each commit, since writes to a file that was
 * removed or replaced are lost.
 *
 * This module never opens the file itself. Closing a file descriptor would release SQLite's locks.
 */
import { randomUUID } from "node:crypto"
import { existsSync, renameSync, rmSync, statfsSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { migrate } from "./Migrations.ts"
import { makeFile, replaceFile } from "./NewFile.ts"
import { keyFileOf, nextKeyFileOf } from "./SecretKeyFile.ts"

/** Free disk space (bytes) below which the disk counts as full. Even a single row may not fit (see `LogCapacity`). */
const minFreeBytes = 128 * 1024

/** Files next to a database that was in use. If one exists without the database, the database is missing. */
const siblingFiles = (filename: string): ReadonlyArray<string> => [
  `${filename}-blobs`,
  `${filename}-wal`,
  `${filename}-shm`,
  `${filename}-journal`,
  keyFileOf(filename),
  nextKeyFileOf(filename)
]

const sizeOf = (filename: string): number | undefined => statSync(filename, { throwIfNoEntry: false })?.size

/** Creates the database if it does not exist. Throws if a database existed before, unless `firstStart` is true. */
export const prepare = (filename: string, { firstStart = false }: { readonly firstStart?: boolean }): void => {
  const size = sizeOf(filename)
  if (size !== undefined && size > 0) return
  const trace = size === 0 ? filename : siblingFiles(filename).find((path) => existsSync(path))
  if (trace === undefined) return createNew(filename)
  // Another process may have created all files in the meantime.
  if ((sizeOf(filename) ?? 0) > 0) return
  if (!firstStart) throw openFailure(filename, trace)
  moveLogsAside(filename)
  replaceFile(filename, empty())
}

const createNew = (filename: string) => {
  try {
    makeFile(filename, empty())
  } catch (thrown) {
    if (!existsSync(dirname(filename))) {
      throw new StorageError({
        reason: "unavailable",
        message: "The folder of the database isn't there",
        cause: thrown
      })
    }
    throw thrown
  }
}

const openFailure = (filename: string, trace: string) => {
  const name = basename(filename)
  const state = trace === filename ? `${name} is empty` : `${name} is gone, though ${basename(trace)} is there`
  return new StorageError({
    reason: "damaged",
    message:
      `There was a database here, and ${state}. Restore it from a backup. Where nothing of it is wanted any more, ` +
      "--first-start or LECTERN_FIRST_START=on begins anew (`firstStart: true` in an embedded Lectern)"
  })
}

/** Renames old logs. SQLite would apply the log of the missing database to the new one. */
const moveLogsAside = (filename: string) => {
  for (const log of [`${filename}-wal`, `${filename}-journal`]) {
    if (existsSync(log)) renameSync(log, `${log}-${randomUUID().slice(0, 8)}`)
  }
  rmSync(`${filename}-shm`, { force: true })
}

/** Returns the bytes of an empty database of the current version. */
const empty = (): Buffer => {
  const database = new Database(":memory:")
  try {
    migrate(database, {})
    return database.serialize()
  } finally {
    database.close()
  }
}

interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

/** Checks of an open database's files. */
export class DatabaseFile {
  private readonly filename: string
  /** Size according to the database header (bytes). */
  private readonly ownSize: () => number
  private identity: FileIdentity | undefined
  private logIdentity: FileIdentity | undefined
  private size = 0

  constructor(filename: string, ownSize: () => number) {
    this.filename = filename
    this.ownSize = ownSize
    this.check()
  }

  /** Throws if the file is missing, truncated, or not the file that was opened. */
  check(): void {
    const file = statSync(this.filename, { throwIfNoEntry: false })
    if (file === undefined) throw fileMissing("The database was removed while the server runs")
    this.identity ??= file
    if (!isSameFile(this.identity, file)) throw fileMissing("The database was replaced while the server runs")
    // `VACUUM` also shrinks the file, and records the new size in the header.
    if (file.size < this.size && file.size < this.ownSize())
      throw fileMissing("The database was cut off while the server runs")
    this.size = file.size
    const log = statSync(`${this.filename}-wal`, { throwIfNoEntry: false })
    this.logIdentity ??= log
    if (this.logIdentity !== undefined && (log === undefined || !isSameFile(this.logIdentity, log))) {
      throw fileMissing("The log of the database was removed while the server runs")
    }
  }

  /** Throws if the disk is full. A first small write might still fit into the log. */
  checkFreeSpace(): void {
    const { bavail, bsize } = statfsSync(dirname(this.filename))
    if (bavail * bsize >= minFreeBytes) return
    throw new StorageError({ reason: "full", message: "The disk of the database is full" })
  }
}

const isSameFile = (file: FileIdentity, otherFile: FileIdentity): boolean =>
  file.ino === otherFile.ino && file.dev === otherFile.dev

const fileMissing = (subject: string) =>
  new StorageError({
    reason: "damaged",
    message: `${subject}: nothing is written any more. Stop the server, and restore the database from a backup`
  })
