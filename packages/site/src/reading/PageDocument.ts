/**
 * The document of a page for its reader, with its references. Sites, their Markdown and their feeds use this document:
 * it has Lectern's complete vocabulary.
 */
import type * as Resources from "@lectern/core/content/ContentResources"
import * as ParseResponseDocument from "@lectern/core/content/documents/ParseResponseDocument"
import type * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import type { Threads } from "@lectern/core/thread/Threads"
import { Effect } from "effect"

/** Options for reading a page of a site. */
export const options = { format: "document", evaluated: true, vocabulary: "lectern" } as const

export interface PageDocument extends ParseResponseDocument.ParsedDocument {
  /** Document as returned by the content service. */
  readonly stored: StoredDocument.StoredDocument
}

/** Bytes of memory of an opened document for each character of its JSON. */
export const bytesPerCharacter = 10

/**
 * Opened documents by page. They take several times the memory of their page, so the cache holds weak references.
 * Documents that are no longer in use are garbage-collected.
 */
const cache = new WeakMap<Resources.Page, WeakRef<PageDocument>>()

export const read = Effect.fnUntraced(function* (threads: Threads["Service"], page: Resources.Page) {
  const cached = cache.get(page)?.deref()
  if (cached !== undefined) return cached
  const stored = ParseResponseDocument.storedDocumentOf(page)
  // A document that no thread can open cannot be rendered either.
  const openedDocument = yield* ParseResponseDocument.read(threads, stored).pipe(
    Effect.catchTag("TooCostly", Effect.die)
  )
  const pageDocument: PageDocument = { stored, ...openedDocument }
  cache.set(page, new WeakRef(pageDocument))
  return pageDocument
})
