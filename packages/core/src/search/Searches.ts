/**
 * Finds the pages of a space that have all the words of a query: first those that have them in the
 * title, then in the headings, then in the text. The last word may be typed in part.
 *
 * Limits: the best 1,000 pages of a query.
 *
 * A revision never changes, so what was asked last is kept as it was answered (default: 8 MiB).
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { type ComputedContent, ComputedContents } from "../computed/ComputedContents.ts"
import { ComputedSearch } from "../computed/ComputedSearch.ts"
import { ComputedSources } from "../computed/ComputedSources.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type { StoredDocument } from "../content/documents/StoredDocument.ts"
import { Lru } from "../storage/Lru.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import * as PageTree from "../content/pages/PageTree.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../storage/Paging.ts"
import { type SearchHit, SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Otherwise from "../thread/Otherwise.ts"
import { SearchIndexing } from "./SearchIndexing.ts"
import type { SearchPageResult, SearchSectionResult } from "./SearchResult.ts"
import { ReadSections } from "./ReadSections.ts"
import * as SectionMatch from "./SectionMatch.ts"
import * as Words from "./Words.ts"

/** The most pages that a query finds. */
export const maxResults = 1_000

/** How much text of sections is kept in memory, ready to be searched (characters). */
const cachedText = 16 * 1024 * 1024

/** How much of what was answered is kept in memory (characters, about). */
const cachedAnswers = 8 * 1024 * 1024

/** After how many pages others get their turn. */
const pagesAtOnce = 16

export class Searches extends Context.Service<
  Searches,
  {
    readonly search: (
      space: SpaceId,
      query: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchPageResult>,
      SpaceNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
  }
>()("@lectern/core/search/Searches") {
  static readonly layerNoDeps = Layer.effect(
    Searches,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const index = yield* SearchIndex
      const indexing = yield* SearchIndexing
      const objects = yield* Objects
      const conditions = yield* PageConditions
      const revisions = yield* Revisions
      const computedSources = yield* ComputedSources
      const computedContents = yield* ComputedContents
      const computedSearch = yield* ComputedSearch
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const cache = new Lru<string, ReadonlyArray<SectionMatch.ReadSection>>(cachedText)
      const answers = new Lru<string, ListPage<SearchPageResult>>(cachedAnswers)

      const readSections = Effect.fnUntraced(function* (
        content: ComputedContent,
        page: PageEntry,
        sources: string,
        knownDocument: (page: PageEntry) => Effect.Effect<StoredDocument | undefined, StorageError>
      ) {
        if (page.document === undefined && page.computed === undefined) return []
        const isKept = content.isKept(page)
        const key = page.computed === undefined ? page.document! : `${page.id} ${sources}`
        const known = isKept ? cache.get(key) : undefined
        if (known !== undefined) return known
        const document = yield* isKept ? content.documentOf(page) : knownDocument(page)
        const read =
          document === undefined
            ? []
            : yield* Otherwise.orElse(
                "The sections of a page could not be read",
                objects.threads.run(ReadSections, document),
                // It is found, and shows none of them.
                Effect.succeed([])
              )
        let size = 0
        for (const { text, body } of read) size += text.length + body.length
        if (isKept) cache.set(key, read, size)
        return read
      })

      /** The best hits of those that are not hidden. */
      const hitsOf = (space: SpaceId, query: Words.QueryWords, hidden: ReadonlySet<string> = new Set()) => {
        if (hidden.size === 0) return index.find({ space, ...query, limit: maxResults })
        const limit = maxResults + Math.min(hidden.size, maxResults)
        return Effect.map(index.find({ space, ...query, limit }), (hits) =>
          hits.filter(({ page }) => !hidden.has(page)).slice(0, maxResults)
        )
      }

      return Searches.of({
        search: Effect.fnUntraced(function* (id, text, params) {
          const { space, visitor } = yield* policy.require(id, "read this space")
          const isCurrent = yield* indexing.isCurrent(id, space.revision)
          const { content: stored } = yield* revisions.get(space.revision)
          const seen = visitor && (yield* conditions.see(stored, visitor))
          const known = yield* computedSources.sources(space, stored)
          const sources = yield* known?.whole ?? Effect.succeed(known)
          const stamp = yield* sources?.answers?.stamp ?? Effect.succeed("")
          const key = `${space.revision}${seen?.key ?? ""} ${sources?.key ?? ""}${stamp}\n${params.limit ?? ""}\n${params.page ?? ""}\n${text}`
          const answered = isCurrent ? answers.get(key) : undefined
          if (answered !== undefined) return answered

          const query = Words.ofQuery(text)
          const reader = seen?.reader ?? ContentReader.make(objects, stored)
          const content = yield* computedContents.see(stored, reader, sources, seen?.key)
          const hits = yield* hitsOf(id, query, seen?.hiddenPages)
          const built =
            sources &&
            (yield* computedSearch.find({ content: stored, computed: content, sources, seen: seen?.key ?? "" }, query))
          const found = inOrder(hits, built ?? []).map((hit, i) => ({ ...hit, place: i + 1 }))
          const page = yield* paging.items(found, `search of ${id} for ${text}`, positionOf, params)

          const entries = yield* content.pages(page.items.map((hit) => hit.page))
          const knownDocument = yield* content.knownDocuments(entries.filter((entry) => entry !== undefined))
          const items: Array<SearchPageResult> = []
          for (const [i, hit] of page.items.entries()) {
            const entry = entries[i]
            // The index may be a moment behind or ahead of what this request reads.
            if (entry === undefined) continue
            const read = yield* readSections(content, entry, sources?.key ?? "", knownDocument)
            const matched = SectionMatch.matching(read, query)
            const ancestors = entry.parent === null ? [] : yield* PageTree.ancestors(content, entry)
            items.push(present(hit, entry, ancestors, matched, query, `${publicUrl}/v1/spaces/${id}/content/page/`))
            if (i % pagesAtOnce === pagesAtOnce - 1) yield* Effect.yieldNow
          }
          const answer = { ...page, items }
          if (isCurrent) answers.set(key, answer, key.length + sizeOf(items))
          return answer
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ComputedContents.layer,
      ComputedSearch.layer,
      ComputedSources.layer,
      Objects.layer,
      PageConditions.layer,
      Paging.layer,
      Revisions.layer,
      SearchIndexing.layer,
      SpacePolicy.layer
    ])
  )
}

/** About how many characters it takes. */
const sizeOf = (items: ReadonlyArray<SearchPageResult>): number => {
  let size = 0
  for (const { title, path, description, sections } of items) {
    size += 500 + title.length + path.length + description.length
    for (const section of sections) size += 300 + section.title.length + section.path.length + section.body.length
  }
  return size
}

interface Found extends SearchHit {
  /** Among all, from 1. */
  readonly place: number
}

/** The best of both; a page that both have stands where it is better. */
const inOrder = (hits: ReadonlyArray<SearchHit>, others: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> => {
  if (others.length === 0) return hits
  const best = new Map<string, SearchHit>()
  for (const hit of [...hits, ...others]) {
    const known = best.get(hit.page)
    if (known === undefined || hit.rank < known.rank) best.set(hit.page, hit)
  }
  return [...best.values()].sort((a, b) => a.rank - b.rank || a.order - b.order).slice(0, maxResults)
}

/** Sorts as the hits do, and stays while others come and go. */
const positionOf = ({ rank, order }: SearchHit) => `${rank}.${String(order).padStart(16, "0")}`

const present = (
  { rank, place }: Found,
  page: PageEntry,
  ancestors: ReadonlyArray<PageEntry>,
  matched: ReadonlyArray<SectionMatch.Matched>,
  query: Words.QueryWords,
  base: string
): SearchPageResult => {
  const path = [...ancestors, page].map(({ slug }) => slug).join("/")
  const url = base + page.id
  return {
    object: "search-page-result",
    id: page.id,
    title: page.title,
    description: page.description ?? "",
    path,
    score: scores[rank]!,
    rank: place,
    resultType: rank < 2 ? "page" : "section",
    sections: matched.map(({ section, byHeading }): SearchSectionResult => {
      const anchor = section.anchor === undefined ? "" : `#${section.anchor}`
      return {
        id: section.anchor ?? page.id,
        title: section.anchor === undefined ? page.title : section.title,
        path: path + anchor,
        body: SectionMatch.excerpt(section, query),
        score: scores[byHeading ? 2 : 4]!,
        urls: { app: url + anchor }
      }
    }),
    ancestors: ancestors.map(({ title }) => ({ title })),
    urls: { app: url }
  }
}

/** Score for each rank of a hit, the best first. */
const scores = [6, 5, 4, 3, 2, 1]
