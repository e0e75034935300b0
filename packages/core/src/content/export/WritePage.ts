/** Writes the pages of an export (see `PageText`), in a thread where there is one: a large page takes long. */
import { Effect } from "effect"
import * as Computation from "../../thread/Computation.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Otherwise from "../../thread/Otherwise.ts"
import type { Threads } from "../../thread/Threads.ts"
import { FindReferences } from "../documents/DocumentReferences.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import { ExportLinks } from "./ExportLinks.ts"
import type { ExportPaths } from "./ExportPaths.ts"
import * as PageText from "./PageText.ts"

/** Paths that the pages of an export link to, for links within the space. */
export interface Places {
  readonly space: string
  readonly paths: ExportPaths
}

const links = new WeakMap<Places, ExportLinks>()

const linksOf = (places: Places): ExportLinks => {
  let known = links.get(places)
  if (known === undefined) links.set(places, (known = new ExportLinks(places.space, places.paths)))
  return known
}

export const WritePage = Computation.make<PageText.Page, PageText.PageText, Places>({
  name: "write-page",
  timeout: 60_000,
  run: (page, places) => PageText.write({ ...page, links: linksOf(places) })
})

/** Writes the pages of one export: each, whatever comes of it. */
export const writer =
  (threads: Threads["Service"], places: Places) =>
  (page: PageText.Page): Effect.Effect<PageText.PageText, StorageError> =>
    Otherwise.orElse(
      "A page could not be written as Markdown",
      threads.run(WritePage, page, { shared: places, patient: true }),
      Effect.map(filesOf(threads, page, places), (files) => ({
        ...PageText.asJson({ ...page, links: linksOf(places) }),
        files
      }))
    )

const filesOf = (threads: Threads["Service"], { document }: PageText.Page, places: Places) =>
  Otherwise.orElse(
    "The references of a page could not be found",
    Effect.map(threads.run(FindReferences, { document, stored: StoredDocument.empty }, { patient: true }), (refs) =>
      PageText.filesIn(refs.values(), linksOf(places))
    ),
    Effect.succeed([])
  )
