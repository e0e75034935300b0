/**
 * Collects the content of a PDF: the pages of a revision as visible to its reader, in order, with their included
 * content. Pages that are hidden from the table of contents are left out with their descendants. A hidden page that was
 * requested is included.
 */
import { Effect } from "effect"
import { ComputedContents } from "../computed/ComputedContents.ts"
import type { ContentReader } from "../content/ContentReader.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import * as PageTree from "../content/pages/PageTree.ts"
import type { RevisionRow } from "../content/revisions/Revision.ts"
import * as Evaluations from "../evaluation/Evaluations.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import { BlobStore } from "../storage/BlobStore.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import * as BlockRenderer from "./BlockRenderer.ts"
import type { PdfRow } from "./Pdf.ts"
import * as PdfSources from "./PdfSources.ts"
import { type Book, type BookPage, maxBookPages, maxPictureBytes, PdfRefused } from "./PdfWriter.ts"

const displayableImages: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/svg+xml",
  "image/webp",
  "image/gif"
])

/** Returns a function that creates the book of a PDF. */
export const bookFactory = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* BlobStore
  const conditions = yield* PageConditions
  const computed = yield* ComputedContents
  const threads = yield* Threads
  const spaces = storage.repository(SpaceTable)
  const blockRenderer = yield* BlockRenderer.make

  const sourcesOf = Effect.fnUntraced(
    function* ({ sources, space }: PdfRow, { content }: RevisionRow) {
      const row = sources && (yield* spaces.get({ id: SpaceId.make(space) }))
      if (row === undefined) return undefined
      return yield* computed.restored(row, content, yield* PdfSources.restored(sources!))
    },
    Effect.provideService(Storage, storage)
  )

  return Effect.fnUntraced(
    function* (pdf: PdfRow, revision: RevisionRow) {
      const { space, title, visitor, locale } = pdf
      const language = (yield* spaces.get({ id: SpaceId.make(space) }))?.language
      const { reader, key } = yield* conditions.visibleContent(revision.content, visitor)
      const sources = yield* sourcesOf(pdf, revision)
      const content = yield* computed.readerFor(revision.content, reader, sources, key)
      const bookPages = yield* pagesOf(content, pdf)
      if (bookPages.length > maxBookPages) {
        return yield* new PdfRefused({
          message: `A PDF holds at most ${maxBookPages.toLocaleString("en")} pages of a space, and these are ${bookPages.length.toLocaleString("en")}`
        })
      }
      const renderBlocks = yield* blockRenderer(SpaceId.make(space))
      const pages = new Map<string, PageEntry>(bookPages.map(({ page }) => [page.id, page]))
      // Expressions that depend on claims are evaluated only for a visitor. Without a visitor, only other expressions
      // are evaluated.
      const evaluated = visitor === undefined ? "deterministic-only" : true
      return {
        title,
        ...(language !== undefined && { language }),
        ...(locale !== undefined && { locale }),
        revision: revision.id,
        date: revision.createdAt,
        pages: bookPages.map(bookPage),
        document: Effect.fnUntraced(function* (id) {
          const page = pages.get(id)
          if (page === undefined) return yield* content.document(undefined)
          const document = yield* content.documentOf(page)
          const form = visitor && "lectern"
          const options = { evaluated, space, page, claims: visitor?.claims, visitor: form } as const
          const evaluatedDocument = yield* Evaluations.present(threads, content, document, options)
          return yield* renderBlocks(evaluatedDocument.document ?? document)
        }),
        file: Effect.fnUntraced(function* (id) {
          const file = yield* content.file(id)
          if (file === undefined) return undefined
          const { name, contentType, size, blob } = file
          const isDisplayable = displayableImages.has(contentType) && size <= maxPictureBytes
          const bytes = isDisplayable ? yield* blobs.get(blob) : undefined
          return { name, contentType, size, ...(bytes && { bytes }) }
        })
      } satisfies Book
    },
    Effect.provideService(Storage, storage)
  )
})

interface PageWithDepth {
  readonly page: PageEntry
  readonly depth: number
}

/** Returns the pages of a PDF, each before its descendants. */
const pagesOf = Effect.fnUntraced(function* (
  reader: ContentReader,
  { page: id, only }: Pick<PdfRow, "page" | "only">
): Effect.fn.Return<ReadonlyArray<PageWithDepth>, StorageError> {
  if (id === undefined) return flatten(yield* PageTree.tree(reader))
  const root = yield* reader.page(id)
  if (root === undefined) return []
  if (only === true) return [{ page: root, depth: 0 }]
  const descendants = yield* reader.pages(yield* PageTree.descendants(reader, id))
  const existing = descendants.filter((page) => page !== undefined)
  const [node] = yield* PageTree.nest([{ ...root, parent: null }, ...existing])
  return [{ page: root, depth: 0 }, ...flatten(node!.pages, 1)]
})

const flatten = (nodes: ReadonlyArray<PageTree.PageNode>, depth = 0): ReadonlyArray<PageWithDepth> =>
  nodes.flatMap(({ page, pages }) => (page.hidden === true ? [] : [{ page, depth }, ...flatten(pages, depth + 1)]))

const bookPage = ({ page, depth }: PageWithDepth): BookPage => ({
  id: page.id,
  type: page.type === "computed" ? "document" : page.type,
  title: page.title,
  depth,
  ...(page.emoji !== undefined && { emoji: page.emoji }),
  ...(page.description !== undefined && { description: page.description })
})
