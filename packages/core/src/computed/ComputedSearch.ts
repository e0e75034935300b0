/**
 * Finds computed pages and those that are built below them, as `SearchIndex` finds what was written:
 * by the same words, ranked in the same way, those of a rank behind them. What is searched is made
 * from the versions of the specs when it is first asked for, and kept (default: 200,000 words). Of
 * pages of integrations those texts are found that were read before: a search asks for none.
 *
 * Limits: 150,000 words of a content. Pages beyond that are found by their titles alone, as long as
 * what is kept has room for those.
 */
import { Context, Effect, Layer } from "effect"
import type { Content } from "../content/Content.ts"
import { Lru } from "../storage/Lru.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { isFound, wordsOf } from "../search/PageWords.ts"
import { places, rankTests, type RankTest, type SearchHit, type SearchQuery } from "../storage/SearchIndex.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { ComputedContent } from "./ComputedContents.ts"
import { IndexDocument } from "../content/documents/IndexDocument.ts"
import * as Otherwise from "../thread/Otherwise.ts"
import { Threads } from "../thread/Threads.ts"
import { isIntegration, isPages, type SpecSource, specOf } from "./ComputedSource.ts"
import type { Sources } from "./ComputedSources.ts"
import { ComputedSpecs } from "./ComputedSpecs.ts"
import * as SpecSections from "./SpecSections.ts"

const keptWords = 200_000
/** How many words of a content are searched in full; the rest of what is kept has titles. */
const maxWords = 150_000

/** The order of the first: behind every page that the index holds. */
const firstOrder = 1e12

interface IndexedPage {
  readonly page: string
  /** For each of the places, with the words in their order. */
  readonly places: ReadonlyArray<{ readonly words: ReadonlySet<string>; readonly sorted: ReadonlyArray<string> }>
}

export class ComputedSearch extends Context.Service<
  ComputedSearch,
  {
    readonly find: (
      of: {
        readonly content: Content
        readonly computed: ComputedContent
        readonly sources: Sources
        readonly seen: string
      },
      query: Pick<SearchQuery, "words" | "prefix">
    ) => Effect.Effect<ReadonlyArray<SearchHit>, StorageError>
  }
>()("@lectern/core/computed/ComputedSearch") {
  static readonly layer = Layer.effect(
    ComputedSearch,
    Effect.gen(function* () {
      const specs = yield* ComputedSpecs
      const threads = yield* Threads
      const indexes = new Lru<string, ReadonlyArray<IndexedPage>>(keptWords)

      const textOfSpec = Effect.fnUntraced(function* (source: SpecSource, sources: Sources) {
        const found = sources.of(specOf(source))
        if (found.state !== "ready") return undefined
        const spec = yield* specs.read(found.version)
        return isPages(source) ? SpecSections.ofSpec(spec) : SpecSections.sectionsOf(spec, source.props)
      })

      /** Under which words each of the pages is found; undefined where it is not to be found at all. */
      const wordsIn = Effect.fnUntraced(function* (
        content: ComputedContent,
        sources: Sources,
        pages: ReadonlyArray<PageEntry>
      ) {
        const known = yield* content.knownDocuments(pages)
        return Effect.fnUntraced(function* (page: PageEntry) {
          const { title, description, computed } = page
          const named = { title, ...(description !== undefined && { description }) }
          if (computed === undefined) return wordsOf(named, [])
          if (!isIntegration(computed)) {
            const sections = yield* textOfSpec(computed, sources)
            return sections && wordsOf(named, sections)
          }
          const document = yield* known(page)
          if (document === undefined) return wordsOf(named, [])
          return yield* Otherwise.orElse(
            "The words of a page could not be read",
            threads.run(IndexDocument, { page: named, document }),
            Effect.succeed(wordsOf(named, []))
          )
        })
      })

      const indexOf = Effect.fnUntraced(function* (content: Content, computed: ComputedContent, sources: Sources) {
        const pages: Array<IndexedPage> = []
        const slice = yield* Slice.begin
        let size = 1
        const written = yield* computed.pages((content.computed ?? []).map(({ page }) => page))
        const found = [...written, ...computed.built].filter((page) => page !== undefined).filter(isFound)
        const wordsOfPage = yield* wordsIn(computed, sources, found)
        for (const page of found) {
          const all = size < maxWords ? yield* wordsOfPage(page) : wordsOf(page, [])
          if (all === undefined) continue
          const words = places(all)
          const added = words.reduce((sum, place) => sum + place.size, 0)
          if (size + added > keptWords) break
          pages.push({ page: page.id, places: words.map((words) => ({ words, sorted: [...words].sort() })) })
          size += added
          if (slice.isOver()) yield* slice.rest
        }
        return { pages, size }
      })

      return ComputedSearch.of({
        find: Effect.fnUntraced(function* ({ content, computed, sources, seen }, query) {
          const tests = rankTests(query)
          if (tests.length === 0) return []
          const stamp = yield* sources.answers?.stamp ?? Effect.succeed("")
          const key = `${content.pages} ${sources.key} ${seen} ${stamp}`
          let index = indexes.get(key)
          if (index === undefined) {
            const { pages, size } = yield* indexOf(content, computed, sources)
            indexes.set(key, (index = pages), size)
          }
          return index.flatMap((page, i): ReadonlyArray<SearchHit> => {
            const test = tests.find((one) => passes(page, one))
            return test === undefined ? [] : [{ page: page.page, rank: test.rank, order: firstOrder + i }]
          })
        })
      })
    })
  ).pipe(Layer.provide(ComputedSpecs.layer))
}

const passes = (page: IndexedPage, { place, words, prefix }: RankTest): boolean => {
  const there = page.places[place]!
  return words.every((word) => there.words.has(word)) && (prefix === undefined || hasBeginning(there.sorted, prefix))
}

const hasBeginning = (sorted: ReadonlyArray<string>, prefix: string): boolean => {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < prefix) from = middle + 1
    else to = middle
  }
  return sorted[from]?.startsWith(prefix) === true
}
