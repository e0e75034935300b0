/**
 * Searches a static site in the browser. Words, ranking and excerpts are those of the server's search, over files that
 * are loaded when a query needs them (see `SearchFiles`).
 *
 * Limits: the 20 best pages, of which the first 8 have excerpts. An incomplete word matches the words of up to 8 files.
 * A typing error in the first letter is not corrected.
 */
import * as PageMatches from "@lectern/core/search/PageMatches"
import * as SectionMatch from "@lectern/core/search/SectionMatch"
import { type Entries, levelCount, type Lookup, maxSimilarWords, noEntries } from "@lectern/core/storage/SearchIndex"
import { isSimilar } from "@lectern/core/storage/SimilarWord"
import { Effect } from "effect"
import * as SearchPage from "../page/SearchPage.ts"
import { searchMessages } from "../page/messages/Placeholders.ts"
import * as QueryHighlighting from "../reading/QueryHighlighting.ts"
import { type PageTable, type PageText, type SearchManifest, urlsOf } from "./SearchManifest.ts"
import * as SearchShard from "./SearchShard.ts"

const maxQuery = 512
const maxPages = 20
const maxPagesWithText = 8
const maxPrefixShards = 8

export interface Loader {
  readonly json: (name: string) => Promise<unknown>
  readonly bytes: (name: string) => Promise<Uint8Array>
  /** Runs a script that defines a stemmer. */
  readonly script: (name: string) => Promise<unknown>
}

/** Id of the only space of the index. */
const space = "site"

/**
 * Loads the index, and returns a function that renders the results of a query as HTML. `base`: path of the site with a
 * trailing slash.
 */
export const open = async (manifest: SearchManifest, base: string, load: Loader) => {
  const { language } = manifest
  const [table] = (await Promise.all([
    load.json(manifest.pages),
    manifest.stemmer === undefined ? undefined : load.script(manifest.stemmer)
  ])) as [PageTable, unknown]
  const urls = urlsOf(table)
  const messages = searchMessages(manifest.messages, manifest.tag)

  const shards = new Map<number, Promise<ReadonlyArray<SearchShard.IndexedWord>>>()
  const shardAt = (index: number) => {
    let shard = shards.get(index)
    if (shard === undefined) {
      shard = load.bytes(manifest.words[index]![1]).then(SearchShard.decode)
      shards.set(index, shard)
      // A file that could not be loaded is loaded again by the next query.
      shard.catch(() => shards.delete(index))
    }
    return shard
  }
  /** Returns the index of the part that contains a word, if any part does. */
  const shardOf = (word: string): number => {
    let [low, high] = [0, manifest.words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (manifest.words[middle]![0] <= word) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Returns the words with a prefix. */
  const wordsWith = async (prefix: string, limit: number): Promise<ReadonlyArray<SearchShard.IndexedWord>> => {
    const first = Math.max(0, shardOf(prefix))
    const indexes: Array<number> = []
    for (let i = first; i < manifest.words.length && indexes.length < limit; i++) {
      const [firstWord] = manifest.words[i]!
      if (i > first && !firstWord.startsWith(prefix)) break
      indexes.push(i)
    }
    const words = await Promise.all(indexes.map(shardAt))
    return words.flat().filter(({ word }) => word.startsWith(prefix))
  }

  const read = async ({ word, match }: Lookup): Promise<Entries> => {
    if (match === "beginning") return merged(await wordsWith(word, maxPrefixShards))
    const index = shardOf(word)
    const words = index === -1 ? [] : await shardAt(index)
    return words.find((indexedWord) => indexedWord.word === word)?.entries ?? noEntries
  }

  const similar = async (word: string): Promise<ReadonlyArray<string>> => {
    const [first = "", second = first] = Array.from(word)
    const lists = await Promise.all(Array.from(new Set([first, second]), (prefix) => wordsWith(prefix, Infinity)))
    return lists
      .flat()
      .flatMap((indexed) => (isSimilar(indexed.word, word) ? [indexed.word] : []))
      .slice(0, maxSimilarWords)
  }

  const index: PageMatches.ReadableIndex = {
    read: (lookups) =>
      Effect.promise(() =>
        Promise.all(
          lookups.map(async (lookupsOfSpace) => ({
            pages: table.pages.length,
            entries: await Promise.all(lookupsOfSpace.lookups.map(read))
          }))
        )
      ),
    similar: (words) => Effect.promise(() => Promise.all(words.map(({ word }) => similar(word)))),
    pagesByNumber: (pages) => Effect.succeed(pages.map(({ number }) => String(number)))
  }
  const spaces = [{ id: space, language, hidden: new Set<string>(), unindexed: undefined }]
  const loadTitles: PageMatches.LoadTitles = (pages) =>
    Effect.succeed(
      pages.map(({ number }) => {
        const [title, , , ancestors] = table.pages[number]!
        return { title, ancestors: table.ancestors[ancestors]! }
      })
    )

  /** Returns the result for a page. `hasText`: true to load its text for excerpts. */
  const resultOf = async (
    number: number,
    words: ReadonlyArray<SectionMatch.MatchedWord>,
    highlight: QueryHighlighting.Highlight,
    hasText: boolean
  ): Promise<SearchPage.SearchResult> => {
    const [title, , , ancestors, file] = table.pages[number]!
    const text =
      hasText && file !== "" ? ((await load.json(`${file}.json`)) as PageText) : { description: "", sections: [] }
    const sections = text.sections.map(([anchor, title, text]) => SectionMatch.prepare({ anchor, title, text }))
    const matches = SectionMatch.matchSections(sections, words).map(({ section }) => ({
      id: section.anchor ?? "",
      title: section.title,
      body: SectionMatch.excerpt(section, words)
    }))
    return SearchPage.resultOf(
      {
        id: "",
        title,
        description: text.description,
        sections: matches,
        ancestors: table.ancestors[ancestors]!.map((title) => ({ title }))
      },
      { url: base + urls[number]! },
      highlight
    )
  }

  return {
    /** Returns the results as HTML. Empty for an empty query. */
    render: async (text: string): Promise<string> => {
      const query = text.trim().slice(0, maxQuery).toWellFormed()
      if (query === "") return ""
      const { pages, words } = await Effect.runPromise(PageMatches.find(index, query, spaces, loadTitles))
      const matchedWords = words.get(language) ?? []
      const highlight = QueryHighlighting.highlighterOf(query, language)
      const results = await Promise.all(
        pages.slice(0, maxPages).map(({ number }, i) => resultOf(number, matchedWords, highlight, i < maxPagesWithText))
      )
      return SearchPage.renderResults({ query, scope: "all", count: pages.length, pages: results }, { messages }).text
    }
  }
}

const merged = (words: ReadonlyArray<SearchShard.IndexedWord>): Entries => {
  const entries = Array.from({ length: levelCount }, (): Array<number> => [])
  for (const word of words) for (const [level, pages] of word.entries.entries()) entries[level]!.push(...pages)
  return entries
}
