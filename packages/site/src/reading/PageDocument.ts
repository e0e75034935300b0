/**
 * The document of a page as its reader gets it, and what it refers to. Sites, their Markdown and their feeds draw from
 * it: it has all of Lectern's vocabulary.
 */
import type * as Resources from "@lectern/core/content/ContentResources"
import * as OpenAnswered from "@lectern/core/content/documents/OpenAnswered"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import * as JsonText from "@lectern/core/schema/JsonText"
import type { Threads } from "@lectern/core/thread/Threads"
import { Effect } from "effect"

/** Options to read a page of a site with. */
export const options = { format: "document", evaluated: true, vocabulary: "lectern" } as const

export interface PageDocument extends OpenAnswered.Opened {
  /** As it was answered. */
  readonly answered: StoredDocument.StoredDocument
}

/** Bytes of memory that a document takes for each character of its JSON, once it is open. */
export const openedBytes = 10

/**
 * Documents by the pages that they were opened for. They take several times the memory of their page, so they stay for as
 * long as somebody uses them, and at most until memory is collected after that.
 */
const known = new WeakMap<Resources.Page, WeakRef<PageDocument>>()

export const read = Effect.fnUntraced(function* (threads: Threads["Service"], page: Resources.Page) {
  const before = known.get(page)?.deref()
  if (before !== undefined) return before
  const answered = answeredOf(page)
  // A document that no thread can open can't be drawn either.
  const opened = yield* OpenAnswered.read(threads, answered).pipe(Effect.catchTag("TooCostly", Effect.die))
  const found: PageDocument = { answered, ...opened }
  known.set(page, new WeakRef(found))
  return found
})

/** A large one stays as its JSON. */
const answeredOf = (page: Resources.Page): StoredDocument.StoredDocument => {
  if (page.type !== "document") return StoredDocument.empty
  const json = JsonText.jsonOfField(page, "document")
  if (json !== undefined) return new StoredDocument.Large(json)
  return (page.document as StoredDocument.StoredDocument | undefined) ?? StoredDocument.empty
}
