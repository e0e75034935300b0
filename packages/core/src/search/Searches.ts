/**
 * Finds the pages of a space by a query, the best first (see `FoundPages`), and shows what of them
 * matches.
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
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { SearchIndex } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Otherwise from "../thread/Otherwise.ts"
import * as FoundPages from "./FoundPages.ts"
import { SearchIndexing } from "./indexing/SearchIndexing.ts"
import type { SearchPageResult, SearchSectionResult } from "./SearchResult.ts"
import { ReadSections } from "./ReadSections.ts"
import * as SectionMatch from "./SectionMatch.ts"
import { fold } from "./Words.ts"
import { wired } from "../wiring/Wired.ts"

/** How much text of sections is kept in memory, ready to be searched (characters). */
const cachedText = 16 * 1024 * 1024

/** How much of what was answered is kept in memory (characters, about). */
const cachedAnswers = 8 * 1024 * 1024

/** After how many pages others get their turn. */
const pagesAtOnce = 16

export class Searches extends Context.Service<
  Searches,
  {
    /**
     * Finds the pages of a space that have all the words of the query, the best 1,000 of them, 50 to a page unless
     * `limit` says otherwise. Each comes with the sections that the words stand in.
     */
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
  static readonly make = Effect.gen(function* () {
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

    return Searches.of({
      search: Effect.fnUntraced(function* (id, text, params) {
        const { space, visitor } = yield* policy.require(id, "read this space")
        const isCurrent = yield* indexing.isCurrent(space)
        const { content: stored } = yield* revisions.get(space.revision)
        const seen = visitor && (yield* conditions.see(stored, visitor))
        const known = yield* computedSources.sources(space, stored)
        const sources = yield* known?.whole ?? Effect.succeed(known)
        const stamp = yield* sources?.answers?.stamp ?? Effect.succeed("")
        const key = `${space.revision}${space.language ?? ""}${seen?.key ?? ""} ${sources?.key ?? ""}${stamp}\n${params.limit ?? ""}\n${params.page ?? ""}\n${text}`
        const answered = isCurrent ? answers.get(key) : undefined
        if (answered !== undefined) return answered

        const reader = seen?.reader ?? ContentReader.make(objects, stored)
        const content = yield* computedContents.see(stored, reader, sources, seen?.key)
        const others =
          sources &&
          (yield* computedSearch.pages(
            { content: stored, computed: content, sources, seen: seen?.key ?? "" },
            space.language
          ))
        const { pages: hits, words } = yield* FoundPages.find(index, {
          space: id,
          language: space.language,
          query: text,
          hidden: seen?.hiddenPages ?? nothingHidden,
          others
        })
        const found = hits.map((hit, i) => ({ ...hit, place: i + 1 }))
        const page = yield* paging.items(found, `search of ${id} for ${text}`, ({ position }) => position, params)

        const names = yield* FoundPages.named(index, id, others, page.items)
        const entries = yield* content.pages(names.map((name) => name ?? gone))
        const knownDocument = yield* content.knownDocuments(entries.filter((entry) => entry !== undefined))
        const items: Array<SearchPageResult> = []
        for (const [i, hit] of page.items.entries()) {
          const entry = entries[i]
          // The index may be a moment behind or ahead of what this request reads.
          if (entry === undefined) continue
          const read = yield* readSections(content, entry, sources?.key ?? "", knownDocument)
          const matched = SectionMatch.matching(read, words)
          const ancestors = entry.parent === null ? [] : yield* PageTree.ancestors(content, entry)
          items.push(present(hit, entry, ancestors, matched, words, `${publicUrl}/v1/spaces/${id}/content/page/`))
          if (i % pagesAtOnce === pagesAtOnce - 1) yield* Effect.yieldNow
        }
        const answer = { ...page, items }
        if (isCurrent) answers.set(key, answer, key.length + sizeOf(items))
        return answer
      })
    })
  })

  static readonly layerNoDeps = Layer.effect(Searches, this.make)

  static readonly layer = wired(Searches, this.make, [
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

interface Found extends FoundPages.FoundPage {
  /** Among all, from 1. */
  readonly place: number
}

const nothingHidden: ReadonlySet<string> = new Set()

/** The id of a page that has left the index meanwhile: no page has it. */
const gone = ""

/** From which part of the query on it is the title that matches. */
const byTitle = 0.5

/** Worth of a section that has the words in its text alone. */
const inText = 0.5

const present = (
  { score, place }: Found,
  page: PageEntry,
  ancestors: ReadonlyArray<PageEntry>,
  matched: ReadonlyArray<SectionMatch.Matched>,
  words: ReadonlyArray<SectionMatch.FoundWord>,
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
    score,
    rank: place,
    resultType: SectionMatch.partIn(fold(page.title), words) >= byTitle ? "page" : "section",
    sections: matched.map(({ section, byHeading, part }): SearchSectionResult => {
      const anchor = section.anchor === undefined ? "" : `#${section.anchor}`
      return {
        id: section.anchor ?? page.id,
        title: section.anchor === undefined ? page.title : section.title,
        path: path + anchor,
        body: SectionMatch.excerpt(section, words),
        score: Math.round(score * part * (byHeading ? 1 : inText) * 1_000) / 1_000,
        urls: { app: url + anchor }
      }
    }),
    ancestors: ancestors.map(({ title }) => ({ title })),
    urls: { app: url }
  }
}
