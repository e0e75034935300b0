/**
 * Computes the changes of the search index between two contents of a space, and the size of the parts in which they are
 * written.
 */
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
import { isSearchable, hasSameWords, wordsOf } from "../PageWords.ts"

/**
 * Returns the pages whose index words may differ, sorted by id. Stops after more than `limit` pages: the result is then
 * incomplete, but longer than `limit`.
 */
export const changedPages = Effect.fnUntraced(function* (
  reader: ObjectReader,
  before: Content.Content,
  after: Content.Content,
  limit = Infinity
) {
  const changed: Array<TrieDifferences.Difference<PageEntry>> = []
  const slice = yield* Slice.start
  yield* TrieDifferences.inSlices<PageEntry>(reader, before.pages, after.pages).pipe(
    Stream.runForEachWhile((pages) => {
      for (const page of pages) if (!hasSameWords(page.before, page.after)) changed.push(page)
      return Effect.as(slice.isOver() ? slice.pause : Effect.void, changed.length <= limit)
    })
  )
  return changed.sort((a, b) => (a.key < b.key ? -1 : 1))
})

/** Computes the index change of a page: its current words, or a removal if the page is not searchable. */
export const indexChangeOf = Effect.fnUntraced(function* (
  reader: ObjectReader,
  language: Language | undefined,
  id: string,
  page: PageEntry | undefined
): Effect.fn.Return<SearchChange, StorageError> {
  if (page === undefined || !isSearchable(page)) return { page: id, words: undefined }
  const document = page.document === undefined ? StoredDocument.empty : yield* reader.document(page.document)
  const { title, description } = page
  const pageFields = { title, ...(description !== undefined && { description }) }
  const words = yield* reader.threads
    .run(IndexDocument, { page: pageFields, document, language })
    // If reading the text is too costly, only title and description are indexed.
    .pipe(Effect.catchTag("TooCostly", () => Effect.succeed(wordsOf(pageFields, [], language))))
  return { page: id, words }
})

/**
 * Size of a part of a large change. A commit costs more than indexing most pages, but a large part blocks other
 * writers.
 */
export class PartSize {
  #pages = 0
  #words = 0

  /** Adds changes, and returns true if the part should be written now. */
  addAndCheck(changes: ReadonlyArray<SearchChange>): boolean {
    this.#pages += changes.length
    for (const { words = [] } of changes) for (const level of words) this.#words += level.length
    return this.#pages >= maxPartPages || this.#words >= maxPartWords
  }
}

const maxPartPages = 32
const maxPartWords = 16_000
