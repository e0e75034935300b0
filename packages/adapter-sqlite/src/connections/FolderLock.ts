/**
 * Detects a second server on the same data folder, which is probably a misconfiguration. The server holds an SQLite
 * lock on a file in the folder. The operating system releases it when the process ends, and it works across containers.
 * The file records the process id and the host name, since a process id is meaningless in another container.
 *
 * The file also records the job worker of the server, so that the next server knows which worker no longer runs.
 *
 * The lock is advisory: if the file cannot be created or locked, no other server is reported.
 */
import { hostname } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { makeFile } from "./PrivateFiles.ts"

export interface Holder {
  readonly pid: number
  readonly host: string
}

/**
 * Result of locking a data folder. The caller keeps the result until `release`. `holder` is missing if this process
 * holds the lock, or if the state of the lock is unknown.
 */
export type FolderLock = {
  readonly holder?: Holder
  /** Worker of the previous holder, which has ended. */
  readonly previousWorker?: string | undefined
  readonly release: () => void
}

/** Name of the lock file. The file stays in the folder. */
export const lockName = "server.lock"

const noop = () => {}

const thisProcess = (): Holder => ({ pid: process.pid, host: hostname() })

export const lockFolder = (folder: string, worker: string, holder = thisProcess()): FolderLock => {
  // Only this function opens the file: closing another descriptor of it would release the lock.
  const path = join(folder, lockName)
  let file: Database.Database | undefined
  try {
    makeFile(path, "")
    const database = (file = new Database(path, { timeout: 0 }))
    const result = tryLock(database, worker, holder)
    if (!("holder" in result)) return { ...result, release: () => void database.close() }
    database.close()
    return { ...result, release: noop }
  } catch {
    file?.close()
    return { release: noop }
  }
}

/** Records the holder and locks the file. The open transaction lets others read it but not write. */
const tryLock = (file: Database.Database, worker: string, { pid, host }: Holder): Omit<FolderLock, "release"> => {
  try {
    file.exec("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT); DELETE FROM holder")
    file.prepare("INSERT INTO holder VALUES (?, ?)").run(pid, host)
    file.exec("CREATE TABLE IF NOT EXISTS worker (name TEXT)")
    const previousWorker = file.prepare<[], { name: string }>("SELECT name FROM worker").get()?.name
    file.exec("DELETE FROM worker")
    file.prepare("INSERT INTO worker VALUES (?)").run(worker)
    file.exec("COMMIT; BEGIN IMMEDIATE")
    return { previousWorker }
  } catch (thrown) {
    if (!(thrown instanceof Database.SqliteError) || !thrown.code.startsWith("SQLITE_BUSY")) throw thrown
    const holder = file.prepare<[], Holder>("SELECT pid, host FROM holder").get()
    return holder === undefined ? {} : { holder }
  }
}
