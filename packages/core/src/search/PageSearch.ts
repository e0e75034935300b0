/**
 * Finds the pages of spaces that match a query, best first (see `PageMatches`), with their matching sections. The caller
 * checks that the actor may read the spaces.
 *
 * Revisions are immutable, so recent results are cached (8 MiB).
 */
import { Effect } from "effect"
import { type ComputedContent, ComputedContents } from "../computed/ComputedContents.ts"
import { makeComputedSearch } from "../computed/ComputedSearch.ts"
import type { Content } from "../content/Content.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type { StoredDocument } from "../content/documents/StoredDocument.ts"
import { LruCache } from "../storage/LruCache.ts"
import { SingleFlight } from "../storage/SingleFlight.ts"
import { Slice } from "../storage/Slice.ts"
import { MemoryBudget } from "../thread/MemoryBudget.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import * as PageTree from "../content/pages/PageTree.ts"
import type { RevisionRow } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { appUrls } from "../identity/AppUrls.ts"
import type { SpaceId, SpaceRow } from "../space/Space.ts"
import type { AuthorizedSpace } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import * as PageMatches from "./PageMatches.ts"
import { SearchIndexing } from "./indexing/SearchIndexing.ts"
import type { SearchPageResult, SearchSectionResult } from "./SearchResult.ts"
import { ReadSections } from "./ReadSections.ts"
import * as SectionMatch from "./SectionMatch.ts"
import type * as SpaceLookups from "./SpaceLookups.ts"
import type { PageTitles } from "./TitleMatch.ts"
import { foldText } from "./Words.ts"

/** Maximum total length of cached section texts, in characters. */
const maxCachedTextLength = 16 * 1024 * 1024

/** Maximum total length of cached results, in characters (estimated). */
const maxCachedResultLength = 8 * 1024 * 1024

/**
 * A space to search, with the visitor whose view of the space is searched. Without a visitor, all pages are searched.
 */
export type SearchedSpace = Pick<AuthorizedSpace, "space" | "visitor">

/** Results from several spaces. */
export interface MultiSpaceResult {
  readonly list: ListPage<SearchPageResult>
  /** Space of each result, in the order of `list.items`. */
  readonly spaces: ReadonlyArray<SpaceId>
}

/**
 * Memory budget in bytes for one search: finding pages, and reading the sections of the results. A query whose words are
 * on all of 50,000 pages takes this much.
 */
const searchBytes = 16 * 1024 * 1024

export const makePageSearch = Effect.gen(function* () {
  const index = yield* SearchIndex
  const indexing = yield* SearchIndexing
  const objects = yield* Objects
  const conditions = yield* PageConditions
  const revisions = yield* Revisions
  const computedContents = yield* ComputedContents
  const computedSearch = yield* makeComputedSearch
  const paging = yield* Paging
  const urls = yield* appUrls
  const cache = new LruCache<string, ReadonlyArray<SectionMatch.PreparedSection>>(maxCachedTextLength)
  const cachedResults = new LruCache<string, MultiSpaceResult>(maxCachedResultLength)
  const budget = yield* MemoryBudget
  const flights = new SingleFlight<string, MultiSpaceResult, InvalidCursor | StorageError>()

  const readSections = Effect.fnUntraced(function* (
    content: ComputedContent,
    page: PageEntry,
    sources: string,
    loadDocument: (page: PageEntry) => Effect.Effect<StoredDocument | undefined, StorageError>
  ) {
    if (page.document === undefined && page.computed === undefined) return []
    const isCacheable = content.isCacheable(page)
    const key = page.computed === undefined ? page.document! : `${page.id} ${sources}`
    const cached = isCacheable ? cache.get(key) : undefined
    if (cached !== undefined) return cached
    const document = yield* isCacheable ? content.documentOf(page) : loadDocument(page)
    const sections =
      document === undefined
        ? []
        : yield* Fallback.withFallback(
            "The sections of a page could not be read",
            objects.threads.run(ReadSections, document),
            // If its sections cannot be read, the page stays in the results without sections.
            Effect.succeed([])
          )
    let size = 0
    for (const { text, body } of sections) size += text.length + body.length
    if (isCacheable) cache.set(key, sections, size)
    return sections
  })

  /**
   * Returns the content, visibility and sources that the results in a space depend on. `key` changes if any of them
   * changes.
   */
  const viewOf = Effect.fnUntraced(function* ({ space, visitor }: SearchedSpace, { content: stored }: RevisionRow) {
    const visibility = visitor && (yield* conditions.visibleContent(stored, visitor))
    const knownSources = yield* computedContents.sources(space, stored)
    const sources = yield* knownSources?.complete ?? Effect.succeed(knownSources)
    const stamp = yield* sources?.responses?.stamp ?? Effect.succeed("")
    const key = `${stateKeyOf(space)}${visibility?.key ?? ""} ${sources?.key ?? ""}${stamp}`
    return { space, stored, visibility, sources, key }
  })
  type SearchView = Effect.Success<ReturnType<typeof viewOf>>

  /** Returns the dependencies of a space without computed pages, if all pages are visible to the actor. */
  const unrestrictedView = (space: SpaceRow, { content: stored }: RevisionRow): SearchView => ({
    space,
    stored,
    visibility: undefined,
    sources: undefined,
    key: stateKeyOf(space)
  })

  /**
   * Caches readers of contents that do not depend on the actor. Creating a reader takes longer than reading a few
   * pages.
   */
  const readers = new WeakMap<Content, ComputedContent>()

  const contentOf = ({ stored, visibility, sources }: SearchView) => {
    const isUnrestricted = visibility === undefined && sources === undefined
    const cached = isUnrestricted ? readers.get(stored) : undefined
    if (cached !== undefined) return Effect.succeed(cached)
    const reader = visibility?.reader ?? ContentReader.make(objects, stored)
    return Effect.map(computedContents.readerFor(stored, reader, sources, visibility?.key), (content) => {
      if (isUnrestricted) readers.set(stored, content)
      return content
    })
  }

  const lookupSpacesOf = Effect.fnUntraced(function* (views: ReadonlyArray<SearchView>) {
    const spaces: Array<SpaceLookups.SearchedSpace> = []
    for (const view of views) {
      const { space, stored, visibility, sources } = view
      const { id, language } = space
      const unindexed =
        sources &&
        (yield* computedSearch.pages(
          { content: stored, computed: yield* contentOf(view), sources, visibilityKey: visibility?.key ?? "" },
          language
        ))
      spaces.push({ id, language, hidden: visibility?.hiddenPages ?? noHiddenPages, unindexed })
    }
    return spaces
  })

  const loadTitles = Effect.fnUntraced(function* (
    views: ReadonlyArray<SearchView>,
    spaces: ReadonlyArray<SpaceLookups.SearchedSpace>,
    pages: ReadonlyArray<PageMatches.PageMatch>
  ) {
    const ids = yield* PageMatches.pageIds(index, spaces, pages)
    const titles: Array<PageTitles | undefined> = pages.map(() => undefined)
    for (const [space, pageIndexes] of Map.groupBy(pages.keys(), (i) => pages[i]!.space)) {
      const content = yield* contentOf(views[space]!)
      const entries = yield* content.pages(pageIndexes.map((i) => ids[i] ?? missingPageId))
      const ancestors = yield* PageTree.ancestorsOfEach(content, entries)
      for (const [entryIndex, i] of pageIndexes.entries()) {
        const title = entries[entryIndex]?.title
        if (title !== undefined) titles[i] = { title, ancestors: ancestors[entryIndex]!.map(({ title }) => title) }
      }
    }
    return titles
  })

  /** Returns the results of one space. Undefined for a page that has left the space. */
  const presentResults = Effect.fnUntraced(function* (
    view: SearchView,
    hits: ReadonlyArray<RankedHit>,
    ids: ReadonlyArray<string | undefined>,
    words: ReadonlyArray<SectionMatch.MatchedWord>
  ) {
    const content = yield* contentOf(view)
    const entries = yield* content.pages(ids.map((id) => id ?? missingPageId))
    const ancestors = yield* PageTree.ancestorsOfEach(content, entries)
    const loadDocument = yield* content.availableDocuments(entries.filter((entry) => entry !== undefined))
    const items: Array<SearchPageResult | undefined> = []
    const slice = yield* Slice.start
    for (const [i, hit] of hits.entries()) {
      const entry = entries[i]
      // A page may have no entry, since the index may be slightly older or newer than the revision that this
      // request reads.
      if (entry === undefined) {
        items.push(undefined)
        continue
      }
      const sections = yield* readSections(content, entry, view.sources?.key ?? "", loadDocument)
      const matchedSections = SectionMatch.matchSections(sections, words)
      items.push(presentPage(hit, entry, ancestors[i]!, matchedSections, words, urls.page(view.space.id, entry.id)))
      if (slice.isOver()) yield* slice.pause
    }
    return items
  })

  /**
   * Finds pages of all these spaces, ranked together. `list` identifies the search: a cursor is valid only for its
   * list.
   */
  const find = Effect.fnUntraced(function* (
    searchedSpaces: ReadonlyArray<SearchedSpace>,
    text: string,
    list: string,
    params: PageParams
  ) {
    const isIndexCurrent = yield* indexing.ensureCurrent(searchedSpaces.map(({ space }) => space))
    const rows = yield* revisions.getMany(searchedSpaces.map(({ space }) => space.revision))
    const views: Array<SearchView> = []
    for (const [i, searchedSpace] of searchedSpaces.entries()) {
      const row = rows[i]
      // A missing row means that the space was removed during the request.
      if (row === undefined) continue
      const isUnrestricted = searchedSpace.visitor === undefined && row.content.computed === undefined
      views.push(isUnrestricted ? unrestrictedView(searchedSpace.space, row) : yield* viewOf(searchedSpace, row))
    }
    const keys = views.length === 1 ? views[0]!.key : objects.sha256(views.map(({ key }) => key).join("\n"))
    const key = `${list}\n${keys}\n${params.limit ?? ""}\n${params.page ?? ""}\n${text}`
    const cached = isIndexCurrent ? cachedResults.get(key) : undefined
    if (cached !== undefined) return cached

    const search = Effect.gen(function* () {
      // A single step may be too short to yield by itself, so all steps share one slice.
      const slice = yield* Slice.start
      const spaces = yield* lookupSpacesOf(views)
      const { pages: hits, words } = yield* PageMatches.find(index, text, spaces, (pages) =>
        loadTitles(views, spaces, pages)
      )
      if (slice.isOver()) yield* slice.pause
      const rankedHits = hits.map((hit, i) => ({ ...hit, rank: i + 1 }))
      const page = yield* paging.items(rankedHits, list, ({ position }) => position, params)

      const ids = yield* PageMatches.pageIds(index, spaces, page.items)
      const results: Array<SearchPageResult | undefined> = page.items.map(() => undefined)
      for (const [space, hitIndexes] of Map.groupBy(page.items.keys(), (i) => page.items[i]!.space)) {
        const spaceResults = yield* presentResults(
          views[space]!,
          hitIndexes.map((i) => page.items[i]!),
          hitIndexes.map((i) => ids[i]),
          words.get(spaces[space]!.language)!
        )
        for (const [spaceIndex, i] of hitIndexes.entries()) results[i] = spaceResults[spaceIndex]
      }
      const result: MultiSpaceResult = {
        list: { ...page, items: results.filter((result) => result !== undefined) },
        spaces: page.items.flatMap(({ space }, i) => (results[i] === undefined ? [] : views[space]!.space.id))
      }
      if (isIndexCurrent) cachedResults.set(key, result, key.length + sizeOf(result.list.items))
      if (slice.isOver()) yield* slice.pause
      return result
    })
    return yield* flights.run(`${isIndexCurrent} ${key}`, budget.runReserved(searchBytes, search))
  })

  return { find }
})

/** Estimates the size of results (characters). */
const sizeOf = (items: ReadonlyArray<SearchPageResult>): number => {
  let size = 0
  for (const { title, path, description, sections } of items) {
    size += 500 + title.length + path.length + description.length
    for (const section of sections) size += 300 + section.title.length + section.path.length + section.body.length
  }
  return size
}

interface RankedHit extends PageMatches.PageMatch {
  /** Rank among all results, from 1. */
  readonly rank: number
}

const stateKeyOf = ({ revision, language }: SpaceRow): string => `${revision}${language ?? ""} `

const noHiddenPages: ReadonlySet<string> = new Set()

/** Id for a page that has left the index. No page has this id. */
const missingPageId = ""

/** Minimum share of the query (0 to 1) that a title must contain for the result type `page`. */
const minTitleShare = 0.5

/** Factor for the score of a section whose heading lacks some of the words that the section contains. */
const textOnlyFactor = 0.5

const presentPage = (
  { score, rank }: RankedHit,
  page: PageEntry,
  ancestors: ReadonlyArray<PageEntry>,
  matchedSections: ReadonlyArray<SectionMatch.MatchedSection>,
  words: ReadonlyArray<SectionMatch.MatchedWord>,
  url: string
): SearchPageResult => {
  const path = [...ancestors, page].map(({ slug }) => slug).join("/")
  return {
    object: "search-page-result",
    id: page.id,
    title: page.title,
    description: page.description ?? "",
    path,
    score,
    rank,
    resultType: SectionMatch.shareIn(foldText(page.title), words) >= minTitleShare ? "page" : "section",
    sections: matchedSections.map(({ section, isHeadingMatch, share }): SearchSectionResult => {
      const anchor = section.anchor === undefined ? "" : `#${section.anchor}`
      return {
        id: section.anchor ?? page.id,
        title: section.anchor === undefined ? page.title : section.title,
        path: path + anchor,
        body: SectionMatch.excerpt(section, words),
        score: Math.round(score * share * (isHeadingMatch ? 1 : textOnlyFactor) * 1_000) / 1_000,
        urls: { app: url + anchor }
      }
    }),
    ancestors: ancestors.map(({ title }) => ({ title })),
    urls: { app: url }
  }
}
