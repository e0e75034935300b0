/** Converts exceptions of SQLite and the file system to the errors of the storage port. */
import { accessSync } from "node:fs"
import { basename } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"

/**
 * Reasons of storage errors that SQLite can cause: all except those of computations (see `Threads`), leases (see
 * `Fence`) and remote stores.
 */
type Reason = Exclude<StorageError["reason"], "busy" | "lease-lost" | "contended">

const reasonOf = (code: string): Reason => {
  if (code.startsWith("SQLITE_FULL")) return "full"
  if (code.startsWith("SQLITE_READONLY")) return "read-only"
  if (isCorrupt(code) || code.startsWith("SQLITE_IOERR")) return "damaged"
  return /^SQLITE_(BUSY|LOCKED|CANTOPEN|PROTOCOL)/.test(code) ? "unavailable" : "failed"
}

/** True if the code means that the file is corrupt. A retry does not help. */
export const isCorrupt = (code: string): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(code)

const messagesByReason: Record<Reason, string> = {
  full: "The disk of the database is full",
  "read-only": "The database can't be written to",
  unavailable: "The database can't be opened, or is busy",
  "invalid-row": "The row can't be stored",
  "newer-version": "The database was written by a newer version of Lectern",
  "other-format": "The database holds documents in another format",
  damaged: "The database is damaged",
  failed: "The database failed"
}

/** Converts an exception of SQLite. Returns undefined if the exception is a defect of the caller. */
export const failureOf = (thrown: unknown): StorageError | UniqueConflict | undefined => {
  if (thrown instanceof StorageError || thrown instanceof UniqueConflict) return thrown
  // Operations that still run when the store is closed.
  if (thrown instanceof TypeError && thrown.message === "The database connection is not open") {
    return new StorageError({ reason: "failed", message: "The database has been closed", cause: thrown })
  }
  if (isFileError(thrown)) return fileFailure(thrown)
  if (!(thrown instanceof Database.SqliteError)) return undefined
  const reason = reasonOf(thrown.code)
  return new StorageError({ reason, message: `${messagesByReason[reason]} (${thrown.message})`, cause: thrown })
}

/** Converts an exception of a store without unique constraints. Rethrows defects. */
export const storageFailure = (thrown: unknown): StorageError => {
  const failure = failureOf(thrown)
  if (failure instanceof StorageError) return failure
  throw thrown
}

const isFileError = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error && "syscall" in thrown

const fileReasons: Record<string, Reason> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  EMFILE: "unavailable",
  ENFILE: "unavailable"
}

/** Converts an error of a blob file. A missing permission for reading does not make the store read-only. */
export const fileFailure = (thrown: unknown, operation: "read" | "written" = "written"): StorageError => {
  const code = isFileError(thrown) ? thrown.code : undefined
  const reason = fileReasons[code ?? ""] ?? "failed"
  return new StorageError({
    reason: operation === "read" && reason === "read-only" ? "unavailable" : reason,
    message: `A file beside the database can't be ${operation}: ${fileErrorReason(thrown)}`,
    cause: thrown
  })
}

/** Returns the columns of a violated unique constraint. Undefined for other errors. */
export const conflictingColumns = (thrown: unknown): ReadonlyArray<string> | undefined => {
  if (!(thrown instanceof Database.SqliteError) || thrown.code !== "SQLITE_CONSTRAINT_UNIQUE") return undefined
  const [, columns = ""] = thrown.message.split(": ")
  return columns.split(", ").map((column) => column.slice(column.indexOf(".") + 1))
}

/** Returns the error of accessing a file with a mode (`R_OK`, `W_OK` of `node:fs`). Undefined if access is allowed. */
export const accessError = (path: string, accessMode: number): NodeJS.ErrnoException | undefined => {
  try {
    accessSync(path, accessMode)
    return undefined
  } catch (thrown) {
    return thrown as NodeJS.ErrnoException
  }
}

/**
 * Returns the failure of opening a database with a mode, if the permissions of its files explain it. SQLite reports no
 * reason. Usually a file belongs to another user.
 */
export const openFailure = (filename: string, accessMode: number, thrown: unknown): StorageError | undefined => {
  if (!(thrown instanceof Database.SqliteError) || !thrown.code.startsWith("SQLITE_CANTOPEN")) return undefined
  for (const path of [filename, `${filename}-wal`, `${filename}-shm`]) {
    const denial = accessError(path, accessMode)
    // A missing log is created by SQLite.
    if (denial === undefined || denial.code === "ENOENT") continue
    const message = `The database can't be opened: ${basename(path)}, ${fileErrorReason(denial)}`
    return new StorageError({ reason: "unavailable", message, cause: thrown })
  }
  return undefined
}
