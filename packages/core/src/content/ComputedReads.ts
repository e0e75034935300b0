/**
 * Reads the result of one source for renderers: the pages of a computed page, or the text of a document. A reader of
 * the content may read the sources that its pages contain; the seed is then the id of the page. An editor of the space
 * may read any source, as a preview. The reads write nothing to the space.
 *
 * Limit: a seed of 256 characters.
 */
import { Effect, Equal } from "effect"
import { isIntegration, specOf } from "../computed/ComputedSource.ts"
import { idSeparator } from "../computed/GeneratedPages.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { accepting } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import { Hasher } from "../storage/Hasher.ts"
import * as Content from "./Content.ts"
import * as Presenter from "./ContentPresenter.ts"
import * as ContentReader from "./ContentReader.ts"
import { DocumentRequest, type Page, PagesRequest } from "./ContentResources.ts"
import type { Contents } from "./Contents.ts"
import { generatedFilesOf } from "./reading/FileReads.ts"
import type { ReadOptions } from "./reading/LocatedRevision.ts"
import * as StoredDocument from "./documents/StoredDocument.ts"
import { type PageEntry, PageId } from "./pages/Page.ts"
import * as PageTree from "./pages/PageTree.ts"
import { Objects } from "./store/Objects.ts"

const acceptPages = accepting(PagesRequest)
const acceptDocument = accepting(DocumentRequest)

export const makeComputedReads = Effect.fnUntraced(function* (
  contents: Pick<Contents["Service"], "locate" | "pages" | "revision" | "document">
) {
  const computed = yield* ComputedContents
  const policy = yield* SpacePolicy
  const objects = yield* Objects
  const hasher = yield* Hasher
  const urls = yield* appUrls

  /**
   * Returns the located content if its page with the id of the seed shows this source to the actor. Undefined
   * otherwise.
   */
  const locateSource = Effect.fnUntraced(function* (
    space: SpaceId,
    { source, seed }: PagesRequest | DocumentRequest,
    treeOptions: ReadonlyArray<ReadOptions>
  ) {
    const located = yield* contents.locate({ space })
    for (const options of treeOptions) {
      const page = findPage((yield* contents.pages(located, options)).pages, seed)
      if (page !== undefined && "computed" in page && Equal.equals(page.computed, source)) return located
    }
    return undefined
  })

  /** Returns a content that consists of one page, computed from the source. Requires an editor of the space. */
  const previewOf = Effect.fnUntraced(function* (
    space: SpaceId,
    { source, seed }: PagesRequest | DocumentRequest,
    type: "computed" | "document"
  ) {
    const { space: row } = yield* policy.require(space, "edit this space")
    const now = yield* Timestamps.now
    const page: PageEntry = {
      id: PageId.make(/^[\w~-]+$/.test(seed) ? seed : hasher.sha256(seed).slice(0, 22)),
      type,
      title: "Computed",
      slug: "computed",
      parent: null,
      position: "a",
      computed: source,
      createdAt: now,
      updatedAt: now
    }
    const use = { page: page.id, ...(!isIntegration(source) && { spec: specOf(source) }) }
    const content = { ...Content.empty, computed: [use] }
    const reader: ContentReader.ContentReader = {
      ...ContentReader.make(objects, content),
      pages: (ids) => Effect.succeed(ids.map((id) => (id === page.id ? page : undefined)))
    }
    const computedSources = yield* computed.forSource(row, source, type === "computed" ? "pages" : "text")
    return {
      page,
      content: yield* computed.readerFor(content, reader, computedSources, JSON.stringify([page.id, source]))
    }
  })

  return {
    computedPages: Effect.fn("Contents.computedPages")(function* (space, input) {
      const request = yield* acceptPages(input)
      const located = yield* locateSource(space, request, [{ computed: false }, {}])
      if (located !== undefined) {
        const { pages, files } = yield* contents.revision(located)
        const page = findPage(pages, request.seed)
        return {
          pages: childPagesOf(page),
          files: files.filter(({ id }) => id.startsWith(`${request.seed}${idSeparator}`)),
          reusableContents: []
        }
      }
      const { page, content } = yield* previewOf(space, request, "computed")
      const entries = yield* content.pages(content.generatedPages.map(({ id }) => id))
      const nodes = yield* PageTree.nest(
        entries.flatMap((entry) =>
          entry === undefined ? [] : [entry.parent === page.id ? { ...entry, parent: null } : entry]
        )
      )
      const presentation = { urls, space, metadata: false, downloadURL: () => "" }
      return {
        pages: yield* Presenter.pages(nodes, presentation),
        files: generatedFilesOf(content),
        reusableContents: []
      }
    }),

    computedDocument: Effect.fn("Contents.computedDocument")(function* (space, input) {
      const request = yield* acceptDocument(input)
      const located = yield* locateSource(space, request, [{}])
      if (located !== undefined) {
        const document = yield* contents
          .document(located, request.seed)
          .pipe(Effect.catchTag("ContentPageNotFound", () => Effect.undefined))
        if (document !== undefined) return document
      }
      const { page, content } = yield* previewOf(space, request, "document")
      return StoredDocument.toResponse(yield* content.documentOf(page))
    })
  } satisfies Pick<Contents["Service"], "computedPages" | "computedDocument">
})

/** Returns the page with this id in a tree. */
const findPage = (pages: ReadonlyArray<Page>, id: string): Page | undefined => {
  for (const page of pages) {
    const match = page.id === id ? page : findPage(childPagesOf(page), id)
    if (match !== undefined) return match
  }
  return undefined
}

const childPagesOf = (page: Page | undefined): ReadonlyArray<Page> =>
  page !== undefined && "pages" in page ? page.pages : []
