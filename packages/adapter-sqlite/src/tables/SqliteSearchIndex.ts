/**
 * Search index in SQLite: one full-text table (FTS5) for all spaces.
 *
 * Each indexed term starts with a character that stands for the space, so a search reads no entries of other spaces.
 * Terms are:
 * - a word with its level in the page;
 * - the first one and the first two characters of words, with the best level of such words. Prefixes this short match
 *   too many words to read each.
 *
 * Terms are read as a vocabulary (fts5vocab): a range of terms with their pages. So columns, positions and texts are
 * not stored.
 *
 * Each word of a space is also stored reversed, to find similar words that differ in their first half. Reversed words
 * stay until the space has no page left.
 *
 * Limits: 1,000,000 spaces with indexed pages, 10,000 cached spaces.
 */
import * as Search from "@lectern/core/storage/SearchIndex"
import { LruCache } from "@lectern/core/storage/LruCache"
import { isSimilar } from "@lectern/core/storage/SimilarWord"
import { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { type Connection, limitClause, type Reader } from "../connections/Connection.ts"
import type { Connections } from "../connections/Connections.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<Search.SearchChange>
}

const maxSpaces = 1_000_000
const maxCachedSpaces = 10_000

/** Maximum numbers of entries and terms for which a range is read directly. */
const maxListedEntries = 100
const maxListedTerms = 100

/** Maximum length of prefixes that are terms (characters). */
const shortPrefixLength = 2

/** Separators in terms: before a prefix, and between a word and its level. */
const prefixMarker = "^"
const levelMarker = "="
/** Character that follows `levelMarker`. Ends the range of a word's levels. */
const afterLevels = ">"
/** Greatest character. Ends the range of a prefix. */
const afterAll = "\u{10ffff}"

/** Returns the character of a space. All are outside the BMP, so each takes 4 bytes in UTF-8. */
const characterOf = (number: number) => String.fromCodePoint(0x10000 + number)

const ascii = /^[^\u0080-\uffff]*$/

const backwards = (word: string): string => {
  if (!ascii.test(word)) return Array.from(word).reverse().join("")
  let text = ""
  for (let i = word.length - 1; i >= 0; i--) text += word[i]
  return text
}

/** Returns the prefixes of one and two characters. */
const prefixesOf = (word: string): ReadonlyArray<string> => {
  const first = String.fromCodePoint(word.codePointAt(0)!)
  if (word.length === first.length) return [first]
  return [first, first + String.fromCodePoint(word.codePointAt(first.length)!)]
}

const terms = (number: number, words: Search.PageWords): string => {
  const start = ` ${characterOf(number)}`
  const addedPrefixes = new Set<string>()
  let text = ""
  for (const [level, list] of words.entries()) {
    const end = levelMarker + level
    for (const word of list) {
      text += start + word + end
      // Fast path: both prefixes of the word are already added.
      if (addedPrefixes.has(word.slice(0, shortPrefixLength)) && !isSurrogate(word.charCodeAt(0))) continue
      for (const prefix of prefixesOf(word)) {
        if (addedPrefixes.has(prefix)) continue
        addedPrefixes.add(prefix)
        text += start + prefixMarker + prefix + end
      }
    }
  }
  return text
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const nextNumberSql = "SELECT coalesce(max(number) + 1, 0) FROM lectern_search_space"
/** Scans the numbers up to the first free one. */
const freeNumberSql =
  "SELECT coalesce((SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM lectern_search_space WHERE number = 0)), " +
  "(SELECT min(number) + 1 FROM lectern_search_space s WHERE NOT EXISTS " +
  "(SELECT 1 FROM lectern_search_space n WHERE n.number = s.number + 1)))"
const addSpaceSql = "INSERT INTO lectern_search_space (number, space) VALUES (?, ?)"
const countSpaceSql = "UPDATE lectern_search_space SET pages = pages + ? WHERE number = ?"
const removeSpaceSql = "DELETE FROM lectern_search_space WHERE number = ? AND pages = 0"
const rowSql = "SELECT rid FROM lectern_search_page WHERE space = ? AND page = ?"
const addRowSql = "INSERT INTO lectern_search_page (space, page) VALUES (?, ?)"
const removeRowSql = "DELETE FROM lectern_search_page WHERE rid = ?"
const addTermsSql = "INSERT INTO lectern_search (rowid, terms) VALUES (?, ?)"
const removeTermsSql = "DELETE FROM lectern_search WHERE rowid = ?"
const entriesSql = `SELECT term, doc FROM lectern_search_entry WHERE term >= ? AND term < ? ${limitClause}`
const entriesOfTermSql = "SELECT doc FROM lectern_search_entry WHERE term = ?"
const termsSql = `SELECT term FROM lectern_search_term WHERE term >= ? AND term < ? ${limitClause}`
const addWordsSql =
  "INSERT OR IGNORE INTO lectern_search_word (space, backwards) SELECT ?, value FROM json_each(?) WHERE true"
const removeWordsSql = "DELETE FROM lectern_search_word WHERE space = ?"
const wordsSql = "SELECT backwards FROM lectern_search_word WHERE space = ? AND backwards >= ? AND backwards < ?"
const hiddenSql = "SELECT rid FROM lectern_search_page WHERE space = ? AND page IN (SELECT value FROM json_each(?))"
const numberedSql = "SELECT page FROM lectern_search_page WHERE rid = ? AND space = ?"
const pagesSql =
  "SELECT page FROM lectern_search_page WHERE space = (SELECT number FROM lectern_search_space WHERE space = ?) " +
  `AND page > ? ORDER BY page ${limitClause}`

/** Merges index segments a little with each commit. FTS5's automatic merge would do much work in one commit. */
const mergeSql = "INSERT INTO lectern_search (lectern_search, rank) VALUES ('merge', 32)"

const spaceSql = "SELECT number, pages FROM lectern_search_space WHERE space = ?"

interface SearchSpace {
  readonly number: number
  readonly pages: number
}

/** Returns a space as a connection sees it. */
const spaceOf = (connection: Reader, space: string): SearchSpace | undefined => {
  const row = connection.raw(spaceSql).get(space) as readonly [number, number] | undefined
  return row && { number: row[0], pages: row[1] }
}

/** Cache of committed spaces: number and page count of each. Cleared by each commit. */
class SearchSpaces {
  private readonly connections: Connections
  private cached = new LruCache<string, SearchSpace | null>(maxCachedSpaces)
  private committed = 0

  constructor(connections: Connections) {
    this.connections = connections
  }

  get(space: string): SearchSpace | undefined {
    const { connections } = this
    connections.refresh()
    if (this.committed !== connections.commitCount) {
      this.committed = connections.commitCount
      this.cached = new LruCache(maxCachedSpaces)
    }
    const cachedSpace = this.cached.get(space)
    if (cachedSpace !== undefined) return cachedSpace ?? undefined
    const storedSpace = spaceOf(connections.reader, space)
    this.cached.set(space, storedSpace ?? null, 1)
    return storedSpace
  }
}

/** Applies changes at the end of their transactions. */
export const applySearchChanges = (writer: Connection, committedChanges: ReadonlyArray<SpaceChanges>) => {
  for (const { space, changes } of committedChanges) {
    const number = numberOf(writer, space)
    let added = 0
    for (const change of changes) added += applyChange(writer, number, change)
    writer.run(addWordsSql, number, JSON.stringify(reversedWordsOf(changes)))
    if (added !== 0) writer.run(countSpaceSql, added, number)
    if (writer.run(removeSpaceSql, number).changes > 0) writer.run(removeWordsSql, number)
  }
  // Merging removed entries writes little, so it would read much to reach its quota.
  if (committedChanges.some(({ changes }) => changes.some(({ words }) => words !== undefined))) writer.run(mergeSql)
}

/** Returns the distinct words that can have similar words, reversed. */
const reversedWordsOf = (changes: ReadonlyArray<Search.SearchChange>): ReadonlyArray<string> => {
  const words = new Set<string>()
  for (const change of changes) {
    for (const level of change.words ?? []) {
      for (const word of level) if (word.length >= Search.shortestSimilar) words.add(word)
    }
  }
  return Array.from(words, backwards)
}

const numberOf = (writer: Connection, space: string): number => {
  const indexedSpace = spaceOf(writer, space)
  if (indexedSpace !== undefined) return indexedSpace.number
  const next = writer.pluck(nextNumberSql).get() as number
  const number = next < maxSpaces ? next : (writer.pluck(freeNumberSql).get() as number)
  if (number >= maxSpaces) throw new StorageError({ reason: "full", message: "No more spaces can be indexed" })
  writer.run(addSpaceSql, number, space)
  return number
}

/** Applies a change and returns the change of the page count. */
const applyChange = (writer: Connection, number: number, { page, words }: Search.SearchChange): number => {
  const rowNumber = writer.pluck(rowSql).get(number, page) as number | undefined
  if (rowNumber !== undefined) writer.run(removeTermsSql, rowNumber)
  if (words !== undefined) {
    writer.run(addTermsSql, rowNumber ?? writer.run(addRowSql, number, page).lastInsertRowid, terms(number, words))
    return rowNumber === undefined ? 1 : 0
  }
  if (rowNumber === undefined) return 0
  writer.run(removeRowSql, rowNumber)
  return -1
}

const isShortPrefix = (prefix: string) =>
  prefix.length <= shortPrefixLength || Array.from(prefix).length <= shortPrefixLength

/** Returns the range of terms of a lookup: start (inclusive) and end (exclusive). */
const rangeOf = ({ word, match }: Search.Lookup): readonly [string, string] => {
  if (match === "whole") return [word + levelMarker, word + afterLevels]
  if (!isShortPrefix(word)) return [word, word + afterAll]
  return [prefixMarker + word + levelMarker, prefixMarker + word + afterLevels]
}

type Entry = readonly [term: string, page: number]

/** Returns the entries of a lookup, at most `maxListedEntries`. A result of this length may be incomplete. */
const someOf = (reader: Reader, number: number, lookup: Search.Lookup): ReadonlyArray<Entry> =>
  reader.raw(entriesSql).all(...rangeIn(number, lookup), maxListedEntries) as ReadonlyArray<Entry>

const rangeIn = (number: number, lookup: Search.Lookup): ReadonlyArray<string> =>
  rangeOf(lookup).map((term) => characterOf(number) + term)

const entriesOf = (
  reader: Reader,
  number: number,
  lookup: Search.Lookup,
  firstEntries: ReadonlyArray<Entry>,
  hidden: ReadonlySet<number>
): Search.Entries => {
  if (firstEntries.length === 0) return Search.noEntries
  const entries: Array<Array<number>> = []
  while (entries.length < Search.levelCount) entries.push([])
  const take = (term: string, page: number) => {
    if (hidden.size === 0 || !hidden.has(page)) entries[levelOf(term)]!.push(page)
  }
  if (firstEntries.length < maxListedEntries) {
    for (const [term, page] of firstEntries) take(term, page)
    return entries
  }
  const range = rangeIn(number, lookup)
  // Reading a row with its term takes three times as long as reading only a number.
  const terms = reader.pluck(termsSql).all(...range, maxListedTerms) as ReadonlyArray<string>
  if (terms.length < maxListedTerms) {
    for (const term of terms) {
      for (const page of reader.pluck(entriesOfTermSql).all(term) as ReadonlyArray<number>) take(term, page)
    }
    return entries
  }
  const allEntries = reader.raw(entriesSql).all(...range, Search.maxEntries) as ReadonlyArray<Entry>
  for (const [term, page] of allEntries) take(term, page)
  return entries
}

/**
 * Returns the entries of lookups. If a word is looked up whole and as a prefix, and has few entries, they are read
 * once.
 */
const entriesOfAll = (
  reader: Reader,
  number: number,
  lookups: ReadonlyArray<Search.Lookup>,
  hidden: ReadonlySet<number>
): ReadonlyArray<Search.Entries> => {
  const entriesByPrefix = new Map<string, ReadonlyArray<Entry>>()
  const isRead = ({ word, match }: Search.Lookup) =>
    match === "beginning" && !isShortPrefix(word) && Search.isWord(word)
  for (const lookup of lookups) if (isRead(lookup)) entriesByPrefix.set(lookup.word, someOf(reader, number, lookup))
  const someFor = (lookup: Search.Lookup): ReadonlyArray<Entry> => {
    const prefixEntries = entriesByPrefix.get(lookup.word)
    if (prefixEntries === undefined || (lookup.match === "whole" && prefixEntries.length === maxListedEntries)) {
      return someOf(reader, number, lookup)
    }
    if (lookup.match === "beginning") return prefixEntries
    const start = characterOf(number) + lookup.word + levelMarker
    return prefixEntries.filter(([term]) => term.length === start.length + 1 && term.startsWith(start))
  }
  return lookups.map((lookup) =>
    Search.isWord(lookup.word) ? entriesOf(reader, number, lookup, someFor(lookup), hidden) : Search.noEntries
  )
}

const levelOf = (term: string) => term.charCodeAt(term.length - 1) - 48

const read = (
  reader: Reader,
  spaces: SearchSpaces,
  { space, lookups, hidden: hiddenPages }: Search.SpaceLookups
): Search.SpaceEntries => {
  const indexedSpace = spaces.get(space)
  if (indexedSpace === undefined) return { pages: 0, entries: lookups.map(() => Search.noEntries) }
  const { number, pages } = indexedSpace
  const hidden = new Set(
    hiddenPages.size === 0
      ? []
      : (reader.pluck(hiddenSql).all(number, JSON.stringify([...hiddenPages])) as Array<number>)
  )
  return {
    pages: pages - hidden.size,
    entries: entriesOfAll(reader, number, lookups, hidden)
  }
}

/**
 * An edit leaves one half of a word unchanged, or swaps the two characters at the middle. So similar words share the
 * first half, or the second half, or are that one swapped word.
 */
const similar = (reader: Reader, spaces: SearchSpaces, { space, word }: Search.SpaceWord): ReadonlyArray<string> => {
  const indexedSpace = spaces.get(space)
  if (indexedSpace === undefined || word.length < Search.shortestSimilar || !Search.isWord(word)) return []
  const { number } = indexedSpace
  const start = characterOf(number)
  const termsIn = (from: string, to: string) =>
    reader.pluck(termsSql).all(start + from, start + to, Search.maxEntries) as ReadonlyArray<string>
  const isIndexed = (candidate: string) => termsIn(candidate + levelMarker, candidate + afterLevels).length > 0
  const characters = Array.from(word)
  const middleIndex = characters.length >> 1
  const [head, tail] = [characters.slice(0, middleIndex).join(""), characters.slice(middleIndex).reverse().join("")]
  const swappedCharacters = [...characters]
  swappedCharacters.splice(middleIndex - 1, 2, characters[middleIndex]!, characters[middleIndex - 1]!)
  const meeting = swappedCharacters.join("")
  const similarWords = new Set<string>()
  const take = (candidate: string) => {
    if (isSimilar(candidate, word)) similarWords.add(candidate)
  }
  for (const term of termsIn(head, head + afterAll)) take(term.slice(start.length, term.lastIndexOf(levelMarker)))
  for (const reversedWord of reader.pluck(wordsSql).all(number, tail, tail + afterAll) as ReadonlyArray<string>) {
    const candidate = backwards(reversedWord)
    if (isSimilar(candidate, word) && !similarWords.has(candidate) && isIndexed(candidate)) similarWords.add(candidate)
  }
  if (isIndexed(meeting)) take(meeting)
  return [...similarWords]
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, Search.maxSimilarWords)
}

const numbered = (reader: Reader, spaces: SearchSpaces, { space, number }: Search.NumberedPage): string | undefined => {
  const indexedSpace = spaces.get(space)
  return indexedSpace && (reader.pluck(numberedSql).get(number, indexedSpace.number) as string | undefined)
}

export const sqliteSearchIndex = (queue: TransactionQueue, database: SqliteDatabase): Search.SearchIndex["Service"] => {
  const { reader } = database.connections
  const spaces = new SearchSpaces(database.connections)
  return Search.SearchIndex.of({
    change: (space, changes) =>
      queue.write(() => {
        Search.checkChanges(space, changes)
        database.searchChanges.add({ space, changes })
      }),
    read: (lookups) => queue.read(() => lookups.map((lookup) => read(reader, spaces, lookup))),
    similar: (words) => queue.read(() => words.map((word) => similar(reader, spaces, word))),
    pagesByNumber: (pages) => queue.read(() => pages.map((page) => numbered(reader, spaces, page))),
    pages: (space, { after, limit }) =>
      queue.read(() => reader.pluck(pagesSql).all(space, after ?? "", Math.max(0, limit)) as ReadonlyArray<string>)
  })
}
