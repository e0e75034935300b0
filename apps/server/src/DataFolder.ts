/** Names of what is in a data folder. */
import { readdirSync } from "node:fs"
import { basename, join, resolve } from "node:path"

/** The database in a data folder. */
export const databaseIn = (data: string): string => join(resolve(data), "lectern.db")

/**
 * Tells whether there is data in a folder, or a trace of data whose database is gone: whoever opens that says so. A
 * folder that can't be looked into may have some.
 */
export const hasData = (data: string): boolean => {
  const name = basename(databaseIn(data))
  try {
    return readdirSync(resolve(data)).some((entry) => entry.startsWith(name))
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== "ENOENT"
  }
}
