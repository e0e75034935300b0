/**
 * The database as a file: made as a whole, at a first start alone; and looked at before each commit,
 * since what is written to a file that somebody has removed or replaced is lost.
 *
 * Nothing here opens the file itself: to close it again would take SQLite's locks away.
 */
import { randomUUID } from "node:crypto"
import { existsSync, renameSync, rmSync, statfsSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { migrate } from "./Migrations.ts"
import { makeFile, replaceFile } from "./NewFile.ts"
import { keyFileOf, nextKeyFileOf } from "./SecretKeyFile.ts"

/** With less than this left on the disk (bytes) it counts as full: a row may not be taken any more (see `LogRoom`). */
const leastRoom = 128 * 1024

/** Files that stand beside a database that was in use: they show that the database itself is missing. */
const traces = (filename: string): ReadonlyArray<string> => [
  `${filename}-blobs`,
  `${filename}-wal`,
  `${filename}-shm`,
  `${filename}-journal`,
  keyFileOf(filename),
  nextKeyFileOf(filename)
]

const sizeOf = (filename: string): number | undefined => statSync(filename, { throwIfNoEntry: false })?.size

/** Makes the database where there is none. Throws where there was one, unless it is to be begun `anew`. */
export const prepare = (filename: string, { anew = false }: { readonly anew?: boolean }): void => {
  const size = sizeOf(filename)
  if (size !== undefined && size > 0) return
  const trace = size === 0 ? filename : traces(filename).find((path) => existsSync(path))
  if (trace === undefined) return begin(filename)
  // Another process may just have made all of them.
  if ((sizeOf(filename) ?? 0) > 0) return
  if (!anew) throw lost(filename, trace)
  putAside(filename)
  replaceFile(filename, empty())
}

const begin = (filename: string) => {
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

const lost = (filename: string, trace: string) => {
  const name = basename(filename)
  const state = trace === filename ? `${name} is empty` : `${name} is gone, though ${basename(trace)} is there`
  return new StorageError({
    reason: "damaged",
    message:
      `There was a database here, and ${state}. Restore it from a backup. Where nothing of it is wanted any more, ` +
      "--first-start or LECTERN_FIRST_START=on begins anew (`anew` for a host that embeds Lectern)"
  })
}

/** SQLite would take the log of the database that is gone for the new one's. */
const putAside = (filename: string) => {
  for (const log of [`${filename}-wal`, `${filename}-journal`]) {
    if (existsSync(log)) renameSync(log, `${log}-${randomUUID().slice(0, 8)}`)
  }
  rmSync(`${filename}-shm`, { force: true })
}

/** A database of the newest version with nothing in it, as bytes. */
const empty = (): Buffer => {
  const database = new Database(":memory:")
  try {
    migrate(database, {})
    return database.serialize()
  } finally {
    database.close()
  }
}

interface Identity {
  readonly dev: number
  readonly ino: number
}

/** A database that is open. */
export class DatabaseFile {
  private readonly filename: string
  /** How large the database is by its own account (bytes). */
  private readonly ownSize: () => number
  private identity: Identity | undefined
  private logIdentity: Identity | undefined
  private size = 0

  constructor(filename: string, ownSize: () => number) {
    this.filename = filename
    this.ownSize = ownSize
    this.check()
  }

  /** Throws where the file is not the one that was opened, or lacks a part. */
  check(): void {
    const file = statSync(this.filename, { throwIfNoEntry: false })
    if (file === undefined) throw gone("The database was removed while the server runs")
    this.identity ??= file
    if (!isSame(this.identity, file)) throw gone("The database was replaced while the server runs")
    // Who tidies it up makes it smaller too, and says so in it.
    if (file.size < this.size && file.size < this.ownSize())
      throw gone("The database was cut off while the server runs")
    this.size = file.size
    const log = statSync(`${this.filename}-wal`, { throwIfNoEntry: false })
    this.logIdentity ??= log
    if (this.logIdentity !== undefined && (log === undefined || !isSame(this.logIdentity, log))) {
      throw gone("The log of the database was removed while the server runs")
    }
  }

  /** Throws where the disk is full: what is written first may still fit into the log, what follows won't. */
  checkRoom(): void {
    const { bavail, bsize } = statfsSync(dirname(this.filename))
    if (bavail * bsize >= leastRoom) return
    throw new StorageError({ reason: "full", message: "There is no room left on the disk of the database" })
  }
}

const isSame = (one: Identity, other: Identity): boolean => one.ino === other.ino && one.dev === other.dev

const gone = (what: string) =>
  new StorageError({
    reason: "damaged",
    message: `${what}: nothing is written any more. Stop the server, and restore the database from a backup`
  })
