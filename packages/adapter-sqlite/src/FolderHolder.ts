/**
 * Tells of a server that somebody else runs on the same data folder, which most probably is a folder that was mistaken.
 * Whoever holds the folder has a lock on a file in it, as SQLite locks files: the system gives it back when the process
 * ends, however that ends, and no other process takes it over by having the same id. It reaches across containers. The
 * file says whose it is: an id alone means nothing in another container, so the name of the machine is with it.
 *
 * It says as well which worker the holder's jobs are run by: whoever holds the folder next knows that this one is gone.
 *
 * Nothing depends on it: where the file can't be made or locked, nobody is told of.
 */
import { hostname } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { makeFile } from "./NewFile.ts"

export interface Holder {
  readonly pid: number
  readonly host: string
}

/** The folder is held until `release`, which is to be kept until then; or somebody else holds it, or nobody knows. */
export type Held = {
  readonly other?: Holder
  /** The worker of whoever held it before, and is gone. */
  readonly gone?: string | undefined
  readonly release: () => void
}

/** Stays in the folder, and means nothing by itself. */
export const lockName = "server.lock"

const nothing = () => {}

const thisProcess = (): Holder => ({ pid: process.pid, host: hostname() })

export const hold = (folder: string, worker: string, holder = thisProcess()): Held => {
  // Nobody else in this process opens it: to close it again would take the lock away.
  const path = join(folder, lockName)
  let file: Database.Database | undefined
  try {
    makeFile(path, "")
    file = new Database(path, { timeout: 0 })
    const taken = take(file, worker, holder)
    if (!("other" in taken)) return { ...taken, release: closing(file) }
    file.close()
    return { ...taken, release: nothing }
  } catch {
    file?.close()
    return { release: nothing }
  }
}

const closing = (file: Database.Database) => () => {
  file.close()
}

/** Others read who it is while the transaction is open, and can't begin one. */
const take = (file: Database.Database, worker: string, { pid, host }: Holder): Omit<Held, "release"> => {
  try {
    file.exec("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT); DELETE FROM holder")
    file.prepare("INSERT INTO holder VALUES (?, ?)").run(pid, host)
    file.exec("CREATE TABLE IF NOT EXISTS worker (name TEXT)")
    const gone = file.prepare<[], { name: string }>("SELECT name FROM worker").get()?.name
    file.exec("DELETE FROM worker")
    file.prepare("INSERT INTO worker VALUES (?)").run(worker)
    file.exec("COMMIT; BEGIN IMMEDIATE")
    return { gone }
  } catch (thrown) {
    if (!(thrown instanceof Database.SqliteError) || !thrown.code.startsWith("SQLITE_BUSY")) throw thrown
    const other = file.prepare<[], Holder>("SELECT pid, host FROM holder").get()
    return other === undefined ? {} : { other }
  }
}
