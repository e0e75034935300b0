/** Names of files in a data folder. */
import { readdirSync } from "node:fs"
import { basename, join, resolve } from "node:path"

/** Returns the path of the database of a data folder. */
export const databaseIn = (data: string): string => join(resolve(data), "lectern.db")

/**
 * True if a folder has data or remains of data without a database, which opening the database reports. Also true if the
 * folder can't be read.
 */
export const hasData = (data: string): boolean => {
  const name = basename(databaseIn(data))
  try {
    return readdirSync(resolve(data)).some((entry) => entry.startsWith(name))
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== "ENOENT"
  }
}
