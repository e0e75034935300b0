/**
 * Spaces of the search index: the number that each of them has there, and how many of its pages. Those that were asked
 * for are kept until somebody commits.
 *
 * Limit: 10,000 are kept.
 */
import { LruCache } from "@lectern/core/storage/LruCache"
import type { Reader } from "./Connection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

const keptSpaces = 10_000

const spaceSql = "SELECT number, pages FROM lectern_search_space WHERE space = ?"

export interface SearchSpace {
  readonly number: number
  readonly pages: number
}

/** A space as a connection sees it. */
export const spaceOf = (connection: Reader, space: string): SearchSpace | undefined => {
  const row = connection.raw(spaceSql).get(space) as readonly [number, number] | undefined
  return row && { number: row[0], pages: row[1] }
}

/** Spaces as they are committed. */
export class SearchSpaces {
  private readonly database: SqliteDatabase
  private kept = new LruCache<string, SearchSpace | null>(keptSpaces)
  private committed = 0

  constructor(database: SqliteDatabase) {
    this.database = database
  }

  get(space: string): SearchSpace | undefined {
    const { database } = this
    database.refresh()
    if (this.committed !== database.committed) {
      this.committed = database.committed
      this.kept = new LruCache(keptSpaces)
    }
    const known = this.kept.get(space)
    if (known !== undefined) return known ?? undefined
    const found = spaceOf(database.reader, space)
    this.kept.set(space, found ?? null, 1)
    return found
  }
}
