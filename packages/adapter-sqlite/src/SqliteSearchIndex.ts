/**
 * The search index in SQLite: one full-text table (FTS5) for all spaces and places.
 *
 * What it indexes are terms: a character that stands for the space, a letter for the place, and the
 * word. So a search reads nothing of other spaces or places, however many there are, and neither
 * columns nor positions nor texts need to be kept. All that is not ASCII is part of a term, and so
 * are ASCII letters and digits: the words of the core, and nothing else, come out of the tokenizer.
 *
 * Limits: 1,000,000 spaces that have pages in the index.
 */
import * as Search from "@lectern/core/storage/SearchIndex"
import { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import type { Connection } from "./Connection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

/** The tables, for `Migrations`. The prefixes are those of 1, 2 and 3 characters of a word. */
export const searchTables = `
  CREATE TABLE lectern_search_space (number INTEGER PRIMARY KEY, space TEXT NOT NULL UNIQUE);
  CREATE TABLE lectern_search_page (
    rid INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, page TEXT NOT NULL, UNIQUE (space, page));
  CREATE VIRTUAL TABLE lectern_search USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '3 4 5');
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('automerge', 0);
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('deletemerge', 0);
  INSERT INTO lectern_search (lectern_search, rank) VALUES ('crisismerge', 1000);`

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<Search.SearchChange>
}

/** A letter for each of `Search.places`. */
const placeLetters = "thb"

const maxSpaces = 1_000_000

/** The character of a space: beyond those of one UTF-16 unit, so that every one is 4 bytes of UTF-8. */
const characterOf = (number: number) => String.fromCodePoint(0x10000 + number)

const terms = (number: number, words: Search.PageWords): string => {
  const character = characterOf(number)
  let text = ""
  for (const [i, place] of Search.places(words).entries()) {
    const start = ` ${character}${placeLetters[i]}`
    for (const word of place) text += start + word
  }
  return text
}

const expression = (number: number, { place, words, prefix }: Search.RankTest): string => {
  const start = `"${characterOf(number)}${placeLetters[place]}`
  const tests = words.map((word) => `${start}${word}"`)
  if (prefix !== undefined) tests.push(`${start}${prefix}"*`)
  return tests.join(" ")
}

const numberSql = "SELECT number FROM lectern_search_space WHERE space = ?"
const freeNumberSql =
  "SELECT coalesce((SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM lectern_search_space WHERE number = 0)), " +
  "(SELECT min(number) + 1 FROM lectern_search_space s WHERE NOT EXISTS " +
  "(SELECT 1 FROM lectern_search_space n WHERE n.number = s.number + 1)))"
const addSpaceSql = "INSERT INTO lectern_search_space (number, space) VALUES (?, ?)"
const removeSpaceSql =
  "DELETE FROM lectern_search_space WHERE number = ? AND NOT EXISTS " +
  "(SELECT 1 FROM lectern_search_page WHERE space = number)"
const rowSql = "SELECT rid FROM lectern_search_page WHERE space = ? AND page = ?"
const addRowSql = "INSERT INTO lectern_search_page (space, page) VALUES (?, ?)"
const removeRowSql = "DELETE FROM lectern_search_page WHERE rid = ?"
const addTermsSql = "INSERT INTO lectern_search (rowid, terms) VALUES (?, ?)"
const removeTermsSql = "DELETE FROM lectern_search WHERE rowid = ?"
const findSql =
  "SELECT p.rid, p.page FROM lectern_search CROSS JOIN lectern_search_page p ON p.rid = lectern_search.rowid " +
  "WHERE lectern_search MATCH ? LIMIT ?"
const pagesSql =
  "SELECT page FROM lectern_search_page WHERE space = (SELECT number FROM lectern_search_space WHERE space = ?) " +
  "AND page > ? ORDER BY page LIMIT ?"

/** Keeps the parts of the index few, a little with each commit: left to itself FTS5 would do much at once. */
const mergeSql = "INSERT INTO lectern_search (lectern_search, rank) VALUES ('merge', 32)"

/** Makes changes, as the last part of the transactions they were made in. */
export const applySearchChanges = (writer: Connection, committed: ReadonlyArray<SpaceChanges>) => {
  for (const { space, changes } of committed) {
    const number = numberOf(writer, space)
    for (const change of changes) applyChange(writer, number, change)
    writer.run(removeSpaceSql, number)
  }
  // To merge what was removed writes little, so it would read a lot before it has done its part.
  if (committed.some(({ changes }) => changes.some(({ words }) => words !== undefined))) writer.run(mergeSql)
}

const numberOf = (writer: Connection, space: string): number => {
  const known = writer.pluck(numberSql).get(space) as number | undefined
  if (known !== undefined) return known
  const number = writer.pluck(freeNumberSql).get() as number
  if (number >= maxSpaces) throw new StorageError({ reason: "full", message: "No more spaces can be indexed" })
  writer.run(addSpaceSql, number, space)
  return number
}

const applyChange = (writer: Connection, number: number, { page, words }: Search.SearchChange) => {
  const known = writer.pluck(rowSql).get(number, page) as number | undefined
  if (known !== undefined) writer.run(removeTermsSql, known)
  if (words !== undefined) {
    writer.run(addTermsSql, known ?? writer.run(addRowSql, number, page).lastInsertRowid, terms(number, words))
  } else if (known !== undefined) writer.run(removeRowSql, known)
}

const find = (reader: Connection, query: Search.SearchQuery): ReadonlyArray<Search.SearchHit> => {
  const hits: Array<Search.SearchHit> = []
  const tests = Search.rankTests(query)
  const number = tests.length === 0 ? undefined : (reader.pluck(numberSql).get(query.space) as number | undefined)
  if (number === undefined) return hits
  const seen = new Set<number>()
  const statement = reader.raw(findSql)
  const rowsOf = (test: Search.RankTest) =>
    statement.all(expression(number, test), query.limit) as ReadonlyArray<readonly [number, string]>
  const beyondBody = tests.filter(({ place }) => place < 2)
  // Whoever passes one of these passes the last of them: mostly nobody does.
  const last = rowsOf(beyondBody.at(-1)!)
  const open = last.length === 0 ? tests.slice(beyondBody.length) : tests
  for (const test of open) {
    if (hits.length >= query.limit) break
    for (const [order, page] of test === beyondBody.at(-1) ? last : rowsOf(test)) {
      if (hits.length >= query.limit) break
      if (seen.has(order)) continue
      seen.add(order)
      hits.push({ page, rank: test.rank, order })
    }
  }
  return hits
}

export const sqliteSearchIndex = (queue: TransactionQueue, database: SqliteDatabase): Search.SearchIndex["Service"] =>
  Search.SearchIndex.of({
    change: (space, changes) =>
      queue.write(() => {
        Search.check(space, changes)
        database.searchChanges.add({ space, changes })
      }),
    find: (query) => queue.read(() => find(database.reader, query)),
    pages: (space, { after, limit }) =>
      queue.read(
        () => database.reader.pluck(pagesSql).all(space, after ?? "", Math.max(0, limit)) as ReadonlyArray<string>
      )
  })
