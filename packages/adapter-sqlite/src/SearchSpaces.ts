/**
 * Spaces of the search index: number and page count of each. Cached until the next commit.
 *
 * Limit: 10,000 cached spaces.
 */
import { LruCache } from "@lectern/core/storage/LruCache"
import type { Reader } from "./Connection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

const maxSpaces = 10_000

const spaceSql = "SELECT number, pages FROM lectern_search_space WHERE space = ?"

export interface SearchSpace {
  readonly number: number
  readonly pages: number
}

/** Returns a space as a connection sees it. */
export const spaceOf = (connection: Reader, space: string): SearchSpace | undefined => {
  const row = connection.raw(spaceSql).get(space) as readonly [number, number] | undefined
  return row && { number: row[0], pages: row[1] }
}

/** Cache of committed spaces. */
export class SearchSpaces {
  private readonly database: SqliteDatabase
  private cached = new LruCache<string, SearchSpace | null>(maxSpaces)
  private committed = 0

  constructor(database: SqliteDatabase) {
    this.database = database
  }

  get(space: string): SearchSpace | undefined {
    const { database } = this
    database.refresh()
    if (this.committed !== database.commitCount) {
      this.committed = database.commitCount
      this.cached = new LruCache(maxSpaces)
    }
    const cachedSpace = this.cached.get(space)
    if (cachedSpace !== undefined) return cachedSpace ?? undefined
    const storedSpace = spaceOf(database.reader, space)
    this.cached.set(space, storedSpace ?? null, 1)
    return storedSpace
  }
}
