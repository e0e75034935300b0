/** Converts errors of PostgreSQL and of the connection to failures of the storage port. */
import { StorageError } from "@lectern/core/storage/Storage"
import { DatabaseError } from "pg"

/** The connection was lost, so that the results of statements are unknown. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
}

/** SQLSTATE codes and classes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: Readonly<Record<string, StorageError["reason"]>> = {
  "08": "unavailable",
  "25006": "read-only",
  "53": "unavailable",
  "53100": "full",
  "55P03": "unavailable",
  "57": "unavailable",
  XX001: "damaged",
  XX002: "damaged"
}

/** The server shuts down, starts, has no connection left, or ended the connection. */
const disconnects = new Set(["57P01", "57P02", "57P03", "57P05", "53300", "25P03"])

/** Returns the SQLSTATE code of an error of PostgreSQL. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof DatabaseError ? (thrown.code ?? "") : undefined

/** True if the server ended the connection, or accepts none at the moment. */
export const isDisconnect = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  return thrown instanceof ConnectionLost || (code !== undefined && (disconnects.has(code) || code.startsWith("08")))
}

export const unavailable = (cause: unknown): StorageError =>
  new StorageError({ reason: "unavailable", message: "PostgreSQL does not respond", cause })

/** Returns the failure of an error. */
export const storageFailure = (thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown
  const code = codeOf(thrown)
  if (code === undefined) {
    if (thrown instanceof ConnectionLost) return unavailable(thrown)
    return new StorageError({ reason: "failed", message: "The store failed unexpectedly", cause: thrown })
  }
  const reason = reasons[code] ?? reasons[code.slice(0, 2)] ?? "failed"
  return new StorageError({ reason, message: `PostgreSQL: ${(thrown as Error).message}`, cause: thrown })
}
