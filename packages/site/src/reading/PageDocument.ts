/** The document of a page as it was answered, and what it refers to. A large one is read with rests for others. */
import type * as Resources from "@lectern/core/content/ContentResources"
import { Slice } from "@lectern/core/storage/Slice"
import * as Answered from "@lectern/document/answered/Answered"
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { Effect } from "effect"

export interface PageDocument {
  readonly document: Document
  readonly refs: ReadonlyArray<ContentRef>
}

/** The same for the same answer. */
const known = new WeakMap<Resources.Page, PageDocument>()

export const read = Effect.fnUntraced(function* (page: Resources.Page) {
  const before = known.get(page)
  if (before !== undefined) return before
  const slice = yield* Slice.begin
  // A large document is unfolded here.
  const answered = page.type === "document" ? (page.document as Answered.Answered | undefined) : undefined
  if (slice.isOver()) yield* slice.rest
  const document: Document =
    answered === undefined ? { object: "document", data: {}, nodes: [] } : Answered.read(answered)
  if (slice.isOver()) yield* slice.rest
  const found = { document, refs: [...DocumentRefs.refs(document)] }
  if (slice.isOver()) yield* slice.rest
  known.set(page, found)
  return found
})
