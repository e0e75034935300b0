/**
 * Copies the write-ahead log into the database file, which takes two syncs of the disk. Runs in a thread instead of a
 * commit, so that no caller waits. Readers and writers continue meanwhile.
 */
import Database from "better-sqlite3"

/** Throws if the database is missing or the disk rejects the write. The log then keeps all committed data. */
export const checkpoint = (filename: string): void => {
  const database = new Database(filename, { fileMustExist: true })
  try {
    database.pragma("synchronous = NORMAL")
    database.pragma("wal_checkpoint(PASSIVE)")
  } finally {
    database.close()
  }
}
