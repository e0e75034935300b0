/** Names of what is in a data folder. */
import { join, resolve } from "node:path"

/** The database in a data folder. */
export const databaseIn = (data: string): string => join(resolve(data), "lectern.db")
