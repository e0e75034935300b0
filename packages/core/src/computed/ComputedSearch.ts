/**
 * Finds the pages that are built below computed pages, as `SearchIndex` finds those of the content:
 * by the same words, ranked in the same way, those of a rank behind them. What is searched is made
 * from the versions of the specs when it is first asked for, and kept (default: 200,000 words).
 */
import { Context, Effect, Layer } from "effect"
import type { Content } from "../content/Content.ts"
import { Lru } from "../content/Lru.ts"
import { isFound, wordsOf } from "../search/PageWords.ts"
import { places, rankTests, type RankTest, type SearchHit, type SearchQuery } from "../storage/SearchIndex.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { ComputedContent } from "./ComputedContents.ts"
import { isPages, specOf } from "./ComputedSource.ts"
import { ComputedSpecs, type Sources } from "./ComputedSpecs.ts"
import * as SpecSections from "./SpecSections.ts"

const keptWords = 200_000

/** How many pages are read before others get their turn. */
const slicePages = 16

/** Stands behind every page that the index holds. */
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
      const indexes = new Lru<string, ReadonlyArray<IndexedPage>>(keptWords)

      const indexOf = Effect.fnUntraced(function* (computed: ComputedContent, sources: Sources) {
        const pages: Array<IndexedPage> = []
        let size = 1
        for (const [i, page] of computed.built.entries()) {
          if (!isFound(page) || page.computed === undefined || isPages(page.computed)) continue
          const found = sources.of(specOf(page.computed))
          if (found.state !== "ready") continue
          const words = wordsOf(page, SpecSections.sectionsOf(yield* specs.read(found.version), page.computed.props))
          const indexed = {
            page: page.id,
            places: places(words).map((words) => ({ words, sorted: [...words].sort() }))
          }
          for (const place of indexed.places) size += place.sorted.length
          pages.push(indexed)
          if (i % slicePages === slicePages - 1) yield* Effect.yieldNow
        }
        return { pages, size }
      })

      return ComputedSearch.of({
        find: Effect.fnUntraced(function* ({ content, computed, sources, seen }, query) {
          const tests = rankTests(query)
          if (tests.length === 0 || computed.built.length === 0) return []
          const key = `${content.pages} ${sources.key} ${seen}`
          let index = indexes.get(key)
          if (index === undefined) {
            const { pages, size } = yield* indexOf(computed, sources)
            indexes.set(key, (index = pages), size)
          }
          return index.flatMap((page, i): ReadonlyArray<SearchHit> => {
            const test = tests.find((one) => passes(page, one))
            return test === undefined ? [] : [{ page: page.page, rank: test.rank, order: firstOrder + i }]
          })
        })
      })
    })
  )
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
