/**
 * Search index in PostgreSQL: an entry for each page and word, found by a range of words of a space.
 *
 * - `lectern_search_space`: number and page count of each space with indexed pages.
 * - `lectern_search_page`: number and words of each page. The words are stored to remove their entries.
 * - `lectern_search_entry`: level of each word in each page.
 * - `lectern_search_word`: words of a space, also reversed, to find similar words that differ in their first half. Words
 *   stay until the space has no page left.
 */
import * as Search from "@lectern/core/storage/SearchIndex"
import { isSimilar } from "@lectern/core/storage/SimilarWord"
import type { Result, Statement } from "../connections/Connection.ts"
import { afterPrefix, arrayLiteral } from "../tables/Encoding.ts"

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<Search.SearchChange>
}

/** Lookup in the search index, as the payload of an `other` request. */
export type SearchLookup =
  | { readonly method: "read"; readonly lookups: ReadonlyArray<Search.SpaceLookups> }
  | { readonly method: "similar"; readonly words: ReadonlyArray<Search.SpaceWord> }
  | { readonly method: "pagesByNumber"; readonly pages: ReadonlyArray<Search.NumberedPage> }
  | { readonly method: "pages"; readonly space: string; readonly after: string; readonly limit: number }

/** Statements of a lookup, with the conversion of their results. */
export interface SearchQuery {
  readonly statements: ReadonlyArray<Statement>
  readonly read: (results: ReadonlyArray<Result>) => unknown
}

const backwards = (word: string): string => Array.from(word).reverse().join("")

/** Returns the statements that apply changes. `schema`: quoted name. */
export const searchStatements = (schema: string, allChanges: ReadonlyArray<SpaceChanges>): ReadonlyArray<Statement> => {
  // The last change of a page counts.
  const bySpace = new Map<string, Map<string, Search.PageWords | undefined>>()
  for (const { space, changes } of allChanges) {
    const pages = bySpace.get(space) ?? new Map<string, Search.PageWords | undefined>()
    bySpace.set(space, pages)
    for (const { page, words } of changes) pages.set(page, words)
  }
  return [...bySpace].flatMap(([space, pages]) => spaceStatements(schema, space, pages))
}

const spaceStatements = (
  schema: string,
  space: string,
  pages: ReadonlyMap<string, Search.PageWords | undefined>
): ReadonlyArray<Statement> => {
  const table = (name: string) => `${schema}.lectern_search_${name}`
  const number = `(SELECT number FROM ${table("space")} WHERE space = $1)`
  const removed = [...pages].flatMap(([page, words]) => (words === undefined ? [page] : []))
  const indexed = [...pages].flatMap(([page, words]) => (words === undefined ? [] : [{ page, words }]))
  const entries = indexed.flatMap(({ page, words }) => {
    const levels = new Map(words.toReversed().flatMap((level, i) => level.map((word) => [word, words.length - 1 - i])))
    return Array.from(levels, ([word, level]) => ({ page, word, level }))
  })
  const wordsOf = (words: Search.PageWords) => arrayLiteral(new Set(words.flat()))
  const words = [...new Set(entries.map(({ word }) => word))]
  return [
    {
      text: `INSERT INTO ${table("space")} (space, pages) VALUES ($1, 0) ON CONFLICT (space) DO NOTHING`,
      values: [space]
    },
    {
      text:
        `DELETE FROM ${table("entry")} AS e USING ${table("page")} AS p, unnest(p.words) AS w (word) ` +
        `WHERE p.space = ${number} AND p.page = ANY($2::text[]) ` +
        "AND e.space = p.space AND e.word = w.word AND e.page = p.number",
      values: [space, [...pages.keys()]]
    },
    {
      text:
        `WITH removed AS (DELETE FROM ${table("page")} WHERE space = ${number} AND page = ANY($2::text[]) RETURNING 1), ` +
        `indexed AS (INSERT INTO ${table("page")} (space, page, words) ` +
        `SELECT ${number}, r.page, r.words::text[] FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS r (page, words, n) ` +
        "ORDER BY r.n ON CONFLICT (space, page) DO UPDATE SET words = excluded.words RETURNING xmax = 0 AS is_new) " +
        `UPDATE ${table("space")} SET pages = pages - (SELECT count(*) FROM removed) ` +
        "+ (SELECT count(*) FROM indexed WHERE is_new) WHERE space = $1",
      values: [space, removed, indexed.map(({ page }) => page), indexed.map(({ words }) => wordsOf(words))]
    },
    ...(entries.length === 0
      ? []
      : [
          {
            text:
              `INSERT INTO ${table("entry")} (space, word, page, level) ` +
              "SELECT p.space, r.word, p.number, r.level FROM unnest($2::text[], $3::text[], $4::int[]) AS r (page, word, level) " +
              `JOIN ${table("page")} AS p ON p.space = ${number} AND p.page = r.page`,
            values: [
              space,
              entries.map(({ page }) => page),
              entries.map(({ word }) => word),
              entries.map(({ level }) => level)
            ]
          },
          {
            text:
              `INSERT INTO ${table("word")} (space, word, backwards) ` +
              `SELECT ${number}, r.word, r.backwards FROM unnest($2::text[], $3::text[]) AS r (word, backwards) ` +
              "ON CONFLICT (space, word) DO NOTHING",
            values: [space, words, words.map(backwards)]
          }
        ]),
    ...(removed.length === 0
      ? []
      : [
          {
            text: `DELETE FROM ${table("word")} WHERE space IN (SELECT number FROM ${table("space")} WHERE space = $1 AND pages = 0)`,
            values: [space]
          },
          { text: `DELETE FROM ${table("space")} WHERE space = $1 AND pages = 0`, values: [space] }
        ])
  ]
}

/** Returns the statements of a lookup. `schema`: quoted name. */
export const searchQuery = (schema: string, lookup: SearchLookup): SearchQuery => {
  switch (lookup.method) {
    case "read":
      return joined(lookup.lookups.map((lookups) => readQuery(schema, lookups)))
    case "similar":
      return joined(lookup.words.map((word) => similarQuery(schema, word)))
    case "pagesByNumber":
      return numberedQuery(schema, lookup.pages)
    case "pages":
      return pagesQuery(schema, lookup)
  }
}

/** Joins queries. The result is a list of their results. */
const joined = (queries: ReadonlyArray<SearchQuery>): SearchQuery => ({
  statements: queries.flatMap(({ statements }) => statements),
  read: (results) => {
    let at = 0
    return queries.map(({ read, statements }) => read(results.slice(at, (at += statements.length))))
  }
})

const spaceNumber = (schema: string) => `(SELECT number FROM ${schema}.lectern_search_space WHERE space = $1)`

/** Returns the range of a prefix: start (inclusive) and end (exclusive). A word is not empty. */
const prefixRange = (prefix: string) => [prefix, afterPrefix(prefix) ?? "\u{10ffff}".repeat(Search.maxWordLength)]

const readQuery = (schema: string, { hidden, lookups, space }: Search.SpaceLookups): SearchQuery => {
  const valid = lookups.filter(({ word }) => Search.isWord(word))
  const entries = valid.map(({ match, word }): Statement => {
    const test = match === "whole" ? "word = $2" : "word >= $2 AND word < $3"
    return {
      text:
        "SELECT level, string_agg(page::text, ',') FROM (SELECT level, page " +
        `FROM ${schema}.lectern_search_entry WHERE space = ${spaceNumber(schema)} AND ${test} ` +
        `LIMIT ${Search.maxEntries}) AS e GROUP BY level`,
      values: [space, ...(match === "whole" ? [word] : prefixRange(word))]
    }
  })
  const state: Statement = {
    text:
      "SELECT s.pages, ARRAY(SELECT p.number::text " +
      `FROM ${schema}.lectern_search_page AS p WHERE p.space = s.number AND p.page = ANY($2::text[])) ` +
      `FROM ${schema}.lectern_search_space AS s WHERE s.space = $1`,
    values: [space, [...hidden]]
  }
  return {
    statements: [state, ...entries],
    read: ([stateResult, ...results]): Search.SpaceEntries => {
      const [pages, numbers] = (stateResult!.rows[0] ?? [0, []]) as readonly [number, ReadonlyArray<string>]
      const hiddenNumbers = new Set(numbers.map(Number))
      const entriesByLookup = new Map(valid.map((valid, i) => [valid, entriesOf(results[i]!, hiddenNumbers)]))
      return {
        pages: pages - hiddenNumbers.size,
        entries: lookups.map((lookup) => entriesByLookup.get(lookup) ?? Search.noEntries)
      }
    }
  }
}

const entriesOf = ({ rows }: Result, hidden: ReadonlySet<number>): Search.Entries => {
  const entries: Array<ReadonlyArray<number>> = [...Search.noEntries]
  for (const [level, text] of rows as unknown as ReadonlyArray<readonly [number, string]>) {
    const numbers = text.split(",").map(Number)
    entries[level] = hidden.size === 0 ? numbers : numbers.filter((number) => !hidden.has(number))
  }
  return entries
}

/**
 * An edit leaves one half of a word unchanged, or swaps the two characters at the middle. So similar words share the
 * first half, or the second half, or are that one swapped word.
 */
const similarQuery = (schema: string, { space, word }: Search.SpaceWord): SearchQuery => {
  if (word.length < Search.shortestSimilar || !Search.isWord(word)) return { statements: [], read: () => [] }
  const characters = Array.from(word)
  const middle = characters.length >> 1
  const [head, tail] = [characters.slice(0, middle).join(""), characters.slice(middle).reverse().join("")]
  const swapped = characters
    .with(middle - 1, characters[middle]!)
    .with(middle, characters[middle - 1]!)
    .join("")
  const text =
    `SELECT w.word FROM ${schema}.lectern_search_word AS w WHERE w.space = ${spaceNumber(schema)} AND ` +
    "(w.word >= $2 AND w.word < $3 OR w.backwards >= $4 AND w.backwards < $5 OR w.word = $6) " +
    `AND EXISTS (SELECT FROM ${schema}.lectern_search_entry AS e WHERE e.space = w.space AND e.word = w.word)`
  return {
    statements: [{ text, values: [space, ...prefixRange(head), ...prefixRange(tail), swapped] }],
    read: ([result]) =>
      result!.rows
        .map(([candidate]) => candidate as string)
        .filter((candidate) => isSimilar(candidate, word))
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .slice(0, Search.maxSimilarWords)
  }
}

const numberedQuery = (schema: string, pages: ReadonlyArray<Search.NumberedPage>): SearchQuery => ({
  statements: [
    {
      text:
        `SELECT p.number, s.space, p.page FROM ${schema}.lectern_search_page AS p ` +
        `JOIN ${schema}.lectern_search_space AS s ON s.number = p.space WHERE p.number = ANY($1::bigint[])`,
      values: [pages.map(({ number }) => number).filter(Number.isSafeInteger)]
    }
  ],
  read: ([result]) => {
    const byNumber = new Map(result!.rows.map(([number, space, page]) => [number as number, { space, page }]))
    return pages.map(({ number, space }) => {
      const found = byNumber.get(number)
      return found?.space === space ? (found.page as string) : undefined
    })
  }
})

const pagesQuery = (
  schema: string,
  { after, limit, space }: Extract<SearchLookup, { readonly method: "pages" }>
): SearchQuery => ({
  statements: [
    {
      text:
        `SELECT page FROM ${schema}.lectern_search_page WHERE space = ${spaceNumber(schema)} AND page > $2 ` +
        "ORDER BY page LIMIT $3::bigint",
      values: [space, after, Math.max(0, limit)]
    }
  ],
  read: ([result]) => result!.rows.map(([page]) => page as string)
})
