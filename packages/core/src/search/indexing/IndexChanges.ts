/** Changes of the search index: how two contents of a space differ for it, and in which parts that is written. */
import { Effect, Stream } from "effect"
import * as Content from "../../content/Content.ts"
import { IndexDocument } from "../../content/documents/IndexDocument.ts"
import * as StoredDocument from "../../content/documents/StoredDocument.ts"
import type { PageEntry } from "../../content/pages/Page.ts"
import type { ObjectReader } from "../../content/store/Objects.ts"
import * as TrieDifferences from "../../content/store/TrieDifferences.ts"
import type { Language } from "../../schema/Language.ts"
import type { SearchChange } from "../../storage/SearchIndex.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { isFound, sameWords, wordsOf } from "../PageWords.ts"

/** The pages that differ for the index, by their ids. More than `limit` of them: some, but more than that. */
export const differences = Effect.fnUntraced(function* (
  reader: ObjectReader,
  before: Content.Content,
  after: Content.Content,
  limit = Infinity
) {
  const found: Array<TrieDifferences.Difference<PageEntry>> = []
  const slice = yield* Slice.start
  yield* TrieDifferences.inSlices<PageEntry>(reader, before.pages, after.pages).pipe(
    Stream.runForEachWhile((pages) => {
      for (const page of pages) if (!sameWords(page.before, page.after)) found.push(page)
      return Effect.as(slice.isOver() ? slice.pause : Effect.void, found.length <= limit)
    })
  )
  return found.sort((a, b) => (a.key < b.key ? -1 : 1))
})

/** The words that a page has now, if it can be found. */
export const changeOf = Effect.fnUntraced(function* (
  reader: ObjectReader,
  language: Language | undefined,
  id: string,
  page: PageEntry | undefined
): Effect.fn.Return<SearchChange, StorageError> {
  if (page === undefined || !isFound(page)) return { page: id, words: undefined }
  const document = page.document === undefined ? StoredDocument.empty : yield* reader.document(page.document)
  const { title, description } = page
  const named = { title, ...(description !== undefined && { description }) }
  const words = yield* reader.threads
    .run(IndexDocument, { page: named, document, language })
    // Then it is found by its names.
    .pipe(Effect.catchTag("TooCostly", () => Effect.succeed(wordsOf(named, [], language))))
  return { page: id, words }
})

/**
 * How much a part of a larger work has: a commit costs more than most pages, and what is written holds up everybody
 * else.
 */
export class PartSize {
  #pages = 0
  #words = 0

  /** Counts these in, and tells whether the part should be written now. */
  isEnoughWith(changes: ReadonlyArray<SearchChange>): boolean {
    this.#pages += changes.length
    for (const { words = [] } of changes) for (const level of words) this.#words += level.length
    return this.#pages >= pagesAtOnce || this.#words >= wordsAtOnce
  }
}

const pagesAtOnce = 32
const wordsAtOnce = 16_000
