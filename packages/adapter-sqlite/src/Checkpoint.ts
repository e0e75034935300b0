/**
 * Brings what the write-ahead log of a database holds into its file, and waits for the disk twice: what a commit does
 * now and then, for a thread in which nobody is kept waiting by it. Whoever reads or writes goes on meanwhile.
 */
import Database from "better-sqlite3"

/** Throws where there is no database, or the disk doesn't take it. What was committed is in the log then, as before. */
export const checkpoint = (filename: string): void => {
  const database = new Database(filename, { fileMustExist: true })
  try {
    database.pragma("synchronous = NORMAL")
    database.pragma("wal_checkpoint(PASSIVE)")
  } finally {
    database.close()
  }
}
