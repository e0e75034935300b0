/**
 * Reads the result of one source for renderers: the pages of a computed page, or the text of a document. A reader of
 * the content may read the sources that its pages contain; the seed is then the id of the page. An editor of the space
 * may read any source, as a preview. The reads write nothing to the space.
 *
 * Limit: a seed of 256 characters.
 */
import { Context, Effect, Equal, Layer } from "effect"
import type { WireDocument } from "@lectern/document/wire/WireDocument"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { isIntegration, specOf } from "../computed/ComputedSource.ts"
import { idSeparator } from "../computed/GeneratedPages.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import { ComputedSources } from "../computed/ComputedSources.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Content from "./Content.ts"
import * as Presenter from "./ContentPresenter.ts"
import * as ContentReader from "./ContentReader.ts"
import { type ComputedRevision, DocumentRequest, type Page, PagesRequest } from "./ContentResources.ts"
import { Contents } from "./Contents.ts"
import { generatedFilesOf } from "./reading/FileReads.ts"
import type { ReadOptions } from "./reading/LocatedRevision.ts"
import * as StoredDocument from "./documents/StoredDocument.ts"
import { type PageEntry, PageId } from "./pages/Page.ts"
import * as PageTree from "./pages/PageTree.ts"
import type { RevisionNotFound } from "./revisions/Revisions.ts"
import { Objects } from "./store/Objects.ts"

const acceptPages = accepting(PagesRequest)
const acceptDocument = accepting(DocumentRequest)

type Failure = SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | InvalidInput | StorageError

export class ComputedReads extends Context.Service<
  ComputedReads,
  {
    /** Returns the pages of a source, nested, with their files. */
    readonly pages: (space: SpaceId, request: PagesRequest) => Effect.Effect<ComputedRevision, Failure, CurrentActor>
    /** Returns the document of a source. The document contains a message if the source has no result. */
    readonly document: (space: SpaceId, request: DocumentRequest) => Effect.Effect<WireDocument, Failure, CurrentActor>
  }
>()("@lectern/core/content/ComputedReads") {
  static readonly layer = Layer.effect(
    ComputedReads,
    Effect.gen(function* () {
      const contents = yield* Contents
      const computed = yield* ComputedContents
      const sources = yield* ComputedSources
      const policy = yield* SpacePolicy
      const objects = yield* Objects
      const hasher = yield* Hasher
      const publicUrl = yield* PublicUrl

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
        const computedSources = yield* sources.forSource(row, source, type === "computed" ? "pages" : "text")
        return {
          page,
          content: yield* computed.readerFor(content, reader, computedSources, JSON.stringify([page.id, source]))
        }
      })

      return ComputedReads.of({
        pages: Effect.fn("ComputedReads.pages")(function* (space, input) {
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
          const presentation = { publicUrl, space, metadata: false, downloadURL: () => "" }
          return {
            pages: yield* Presenter.pages(nodes, presentation),
            files: generatedFilesOf(content),
            reusableContents: []
          }
        }),

        document: Effect.fn("ComputedReads.document")(function* (space, input) {
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
      })
    })
  )
}

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
