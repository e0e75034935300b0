/**
 * The database file: creation at the first start, a check before each commit, since writes to a file that was removed
 * or replaced are lost, and the permissions of all files. Files should have mode 0600, folders 0700.
 *
 * This module never opens the file itself. Closing a file descriptor would release SQLite's locks.
 */
import { randomUUID } from "node:crypto"
import { existsSync, renameSync, rmSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { migrate } from "./Migrations.ts"
import { makeFile, replaceFile } from "./PrivateFiles.ts"
import { keyFileOf, nextKeyFileOf } from "./SecretKeyFile.ts"

/** Returns the paths next to a database that was in use. If one exists without the database, the database is missing. */
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
}

const isSameFile = (file: FileIdentity, otherFile: FileIdentity): boolean =>
  file.ino === otherFile.ino && file.dev === otherFile.dev

const fileMissing = (subject: string) =>
  new StorageError({
    reason: "damaged",
    message: `${subject}: nothing is written any more. Stop the server, and restore the database from a backup`
  })

export interface WideFile {
  readonly path: string
  /** Current mode in octal, such as `644`. `expectedMode` is the secure mode, such as `600`. */
  readonly mode: string
  readonly expectedMode: string
}

/** Returns the files and folders of a database that other users of the machine can access. Always empty on Windows. */
export const wideFiles = (filename: string): ReadonlyArray<WideFile> => {
  if (process.platform === "win32") return []
  return [dirname(filename), filename, ...siblingFiles(filename)].flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & 0o077) === 0) return []
    return [{ path, mode: (stats.mode & 0o777).toString(8), expectedMode: stats.isDirectory() ? "700" : "600" }]
  })
}
