/** Writes the pages of an export (see `PageText`), in a thread if there are threads, since large pages take long. */
import { Effect } from "effect"
import * as Computation from "@lectern/core/thread/Computation"
import type { StorageError } from "@lectern/core/storage/Storage"
import * as Fallback from "@lectern/core/thread/Fallback"
import type { Threads } from "@lectern/core/thread/Threads"
import { FindReferences } from "@lectern/core/content/documents/DocumentReferences"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import { ExportUrls } from "./ExportUrls.ts"
import type { ExportPaths } from "./ExportPaths.ts"
import * as PageText from "./PageText.ts"

/** Paths that the pages of an export link to, for links within the space. */
export interface LinkedPaths {
  readonly space: string
  readonly paths: ExportPaths
}

const urlsByPaths = new WeakMap<LinkedPaths, ExportUrls>()

const urlsOf = (linked: LinkedPaths): ExportUrls => {
  let urls = urlsByPaths.get(linked)
  if (urls === undefined) urlsByPaths.set(linked, (urls = new ExportUrls(linked.space, linked.paths)))
  return urls
}

export const WritePage = Computation.make<PageText.Page, PageText.PageText, LinkedPaths>({
  name: "write-page",
  timeout: 60_000,
  run: (page, linked) => PageText.write({ ...page, urls: urlsOf(linked) })
})

/**
 * Returns a function that writes the pages of an export. If a page cannot be written as Markdown, its document is
 * written as JSON.
 */
export const writer =
  (threads: Threads["Service"], linked: LinkedPaths) =>
  (page: PageText.Page): Effect.Effect<PageText.PageText, StorageError> =>
    Fallback.withFallback(
      "A page could not be written as Markdown",
      threads.run(WritePage, page, { shared: linked, patient: true }),
      Effect.map(filesOf(threads, page, linked), (files) => ({
        ...PageText.jsonPage({ ...page, urls: urlsOf(linked) }),
        files
      }))
    )

const filesOf = (threads: Threads["Service"], { document }: PageText.Page, linked: LinkedPaths) =>
  Fallback.withFallback(
    "The references of a page could not be found",
    Effect.map(threads.run(FindReferences, { document, stored: StoredDocument.empty }, { patient: true }), (refs) =>
      PageText.filesIn(refs.values(), urlsOf(linked))
    ),
    Effect.succeed([])
  )
