/**
 * Search index of computed pages and the pages built below them, in the form of `SearchIndex`, so that results are
 * ranked together with stored pages. It is built from the versions of the specs on first use, and cached (default:
 * 200,000 words). Pages of integrations are found by texts that are available; a search calls no integration.
 *
 * Limits: 150,000 words of a content. Further pages are found only by title, as long as the cache has capacity.
 */
import { Effect } from "effect"
import type { Content } from "../content/Content.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { isSearchable, wordsOf } from "../search/PageWords.ts"
import type { UnindexedPages } from "../search/SpaceLookups.ts"
import type { Language } from "../schema/Language.ts"
import { InvertedIndex } from "../storage/InvertedIndex.ts"
import { Slice } from "../storage/Slice.ts"
import type { ComputedContent } from "./ComputedContents.ts"
import { IndexDocument } from "../content/documents/IndexDocument.ts"
import * as Fallback from "../thread/Fallback.ts"
import { Threads } from "../thread/Threads.ts"
import { isIntegration, isPages, type SpecSource, specOf } from "./ComputedSource.ts"
import type { Sources } from "./ComputedSources.ts"
import { ComputedSpecs } from "./ComputedSpecs.ts"
import * as SpecSections from "./SpecSections.ts"

const maxCachedWords = 200_000
/** Maximum number of words of a content that are fully indexed. The rest of the capacity is for titles. */
const maxWords = 150_000

export const makeComputedSearch = Effect.gen(function* () {
  const specs = yield* ComputedSpecs
  const threads = yield* Threads
  const indexes = new LruCache<string, UnindexedPages>(maxCachedWords)

  const textOfSpec = Effect.fnUntraced(function* (source: SpecSource, sources: Sources) {
    const specState = sources.stateOf(specOf(source))
    if (specState.state !== "ready") return undefined
    const spec = yield* specs.read(specState.version)
    return isPages(source) ? SpecSections.ofSpec(spec) : SpecSections.sectionsOf(spec, source.props)
  })

  /** Returns a function for the index words of a page; undefined for a page that must not be found. */
  const wordsIn = Effect.fnUntraced(function* (
    content: ComputedContent,
    sources: Sources,
    language: Language | undefined,
    pages: ReadonlyArray<PageEntry>
  ) {
    const loadDocument = yield* content.availableDocuments(pages)
    return Effect.fnUntraced(function* (page: PageEntry) {
      const { title, description, computed } = page
      const pageFields = { title, ...(description !== undefined && { description }) }
      if (computed === undefined) return wordsOf(pageFields, [], language)
      if (!isIntegration(computed)) {
        const sections = yield* textOfSpec(computed, sources)
        return sections && wordsOf(pageFields, sections, language)
      }
      const document = yield* loadDocument(page)
      if (document === undefined) return wordsOf(pageFields, [], language)
      return yield* Fallback.withFallback(
        "Could not read the words of a page",
        threads.run(IndexDocument, { page: pageFields, document, language }),
        Effect.succeed(wordsOf(pageFields, [], language))
      )
    })
  })

  const indexOf = Effect.fnUntraced(function* (
    content: Content,
    computed: ComputedContent,
    sources: Sources,
    language: Language | undefined
  ) {
    const table = new InvertedIndex()
    const pages: Array<string> = []
    const slice = yield* Slice.start
    let size = 1
    const placeholderPages = yield* computed.pages((content.computed ?? []).map(({ page }) => page))
    const searchablePages = [...placeholderPages, ...computed.generatedPages]
      .filter((page) => page !== undefined)
      .filter(isSearchable)
    const wordsOfPage = yield* wordsIn(computed, sources, language, searchablePages)
    for (const page of searchablePages) {
      const words = size < maxWords ? yield* wordsOfPage(page) : wordsOf(page, [], language)
      if (words === undefined) continue
      const added = words.reduce((sum, level) => sum + level.length, 0)
      if (size + added > maxCachedWords) break
      table.add(pages.push(page.id) - 1, words)
      size += added
      if (slice.isOver()) yield* slice.pause
    }
    const index: UnindexedPages = {
      pages,
      read: (lookup) => table.read(lookup),
      similar: (word) => table.similar(word)
    }
    return { index, size }
  })

  return {
    pages: Effect.fnUntraced(function* (
      {
        content,
        computed,
        sources,
        visibilityKey
      }: {
        readonly content: Content
        readonly computed: ComputedContent
        readonly sources: Sources
        readonly visibilityKey: string
      },
      language: Language | undefined
    ) {
      const stamp = yield* sources.responses?.stamp ?? Effect.succeed("")
      const key = `${content.pages} ${sources.key} ${visibilityKey} ${stamp} ${language ?? ""}`
      const cached = indexes.get(key)
      if (cached !== undefined) return cached
      const { index, size } = yield* indexOf(content, computed, sources, language)
      indexes.set(key, index, size)
      return index
    })
  }
})
