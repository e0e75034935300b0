/**
 * Reads the tree of pages, single pages and documents, and finds pages by their paths.
 *
 * A revision never changes, so recent responses are cached: single pages (32 MiB of memory), documents without their
 * page (16 MiB) and trees (96 MiB, so that a tree of 50,000 pages fits). For published content, only the responses of
 * the last revision are cached.
 */
import { Effect } from "effect"
import type { WireDocument as AnsweredDocument } from "@lectern/document/wire/WireDocument"
import type { ComputedContent } from "../../computed/ComputedContents.ts"
import * as Evaluations from "../../evaluation/Evaluations.ts"
import { mayLinkToAnchors, type VisitorForm } from "../../evaluation/PresentDocument.ts"
import { InstalledBlocks } from "../../integration/InstalledBlocks.ts"
import * as LinkAnchors from "../../link/LinkAnchors.ts"
import * as JsonText from "../../schema/JsonText.ts"
import * as Presenter from "../ContentPresenter.ts"
import type * as Resources from "../ContentResources.ts"
import type { Contents } from "../Contents.ts"
import { makeMarkdowns, print } from "../documents/Markdowns.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import * as TitleHeading from "../documents/TitleHeading.ts"
import { ContentPageNotFound } from "../edits/ContentErrors.ts"
import { VisitorKindCache } from "../VisitorKindCache.ts"
import { type PageEntry, shownType } from "../pages/Page.ts"
import { makePageAliases } from "../pages/PageAliases.ts"
import { PageConditions, type VisibleContent } from "../pages/PageConditions.ts"
import * as PageTree from "../pages/PageTree.ts"
import * as DefinedTags from "../tags/DefinedTags.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { MemoryBudget } from "../../thread/MemoryBudget.ts"
import { Objects } from "../store/Objects.ts"
import type { RevisionWithSources, ReadOptions } from "./LocatedRevision.ts"
import * as PresentationOptions from "./PresentationOptions.ts"
import * as RevisionContents from "./RevisionContents.ts"

const cachedPages = 32 * 1024 * 1024
const cachedDocuments = 16 * 1024 * 1024
const cachedTrees = 96 * 1024 * 1024
/** Memory in bytes of one page in a cached tree, with its entry in the tree (see `Tree` of `site`). */
const bytesOfTreePage = 1_500

/** The form and the evaluation of a document in a response. */
interface DocumentForm {
  readonly evaluated: Evaluations.Evaluated
  readonly form: VisitorForm
}

type PageOptions = NonNullable<Parameters<Contents["Service"]["page"]>[2]>

/** Returns the memory of a cached response (bytes): its serialized text, the value, and their overhead. */
const memoryOf = (length: number): number => 1_000 + 2 * length

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const conditions = yield* PageConditions
  const aliases = yield* makePageAliases
  const installedBlocks = yield* InstalledBlocks
  const markdowns = yield* makeMarkdowns
  const { withSources, computedContentOf } = yield* RevisionContents.make
  const tagsOf = yield* DefinedTags.make
  const { presentation, restrictionsOf } = yield* PresentationOptions.make
  const budget = yield* MemoryBudget
  const pages = new VisitorKindCache<Resources.Page, ContentPageNotFound | StorageError>(cachedPages)
  const documents = new VisitorKindCache<AnsweredDocument, ContentPageNotFound | StorageError>(cachedDocuments)
  const trees = new VisitorKindCache<Resources.Pages, StorageError>(cachedTrees)

  /** Returns the document of a page as the reader sees it. `hash` is present if this is the stored document. */
  const documentOf = Effect.fnUntraced(function* (
    { space, revision, visitor, blocks: installed }: RevisionWithSources,
    content: ComputedContent,
    page: PageEntry,
    { evaluated, form }: DocumentForm
  ) {
    const isComputed = page.computed !== undefined
    const storedDocument = yield* content.documentOf(page)
    const anchors =
      form !== "markdown" && mayLinkToAnchors(storedDocument)
        ? yield* LinkAnchors.headingIds(objects, revision.content, page.id, content)
        : new Map<string, string>()
    const { document, readsClaims } = yield* Evaluations.present(objects.threads, content, storedDocument, {
      // Computed documents are not evaluated, since they contain nothing to evaluate.
      evaluated: isComputed ? false : evaluated,
      claims: isComputed ? undefined : visitor?.claims,
      space: space.id,
      page,
      visitor: visitor && form,
      isFromSpec: page.computed?.type === "builtin:openapi",
      ...(form !== "markdown" && { anchors }),
      rendering: {
        blocks: installed?.blocks ?? [],
        replacesContent: form !== "markdown",
        lookUpLinks: (links) => installedBlocks.unfurled(space, links)
      }
    })
    return document === undefined && !isComputed
      ? { document: storedDocument, readsClaims, hash: page.document }
      : { document: document ?? storedDocument, readsClaims, hash: undefined }
  })

  /** Returns the tree of pages. */
  const treeOf = Effect.fnUntraced(function* (
    at: RevisionWithSources,
    visibleContent: VisibleContent | undefined,
    options?: ReadOptions
  ) {
    const { space, revision, visitor } = at
    const content = yield* computedContentOf(at, visibleContent, options)
    const count = 1 + (yield* content.pageCount)
    const make = Effect.gen(function* () {
      const nodes = yield* PageTree.tree(content)
      const visitorOptions = yield* restrictionsOf(at, visibleContent, nodes)
      const tags = yield* tagsOf(revision.content)
      const responsePresentation = {
        ...(yield* presentation(space.id, revision.id, options, visitor)),
        ...visitorOptions,
        tags
      }
      const tree: Resources.Pages = { pages: yield* Presenter.pages(nodes, responsePresentation) }
      return {
        value: tree,
        readsClaims: visitorOptions.restrictions?.readsClaims === true,
        size: count * bytesOfTreePage
      }
    })
    return yield* budget.runReserved(count * PresentationOptions.bytesToMakePage, make)
  })

  /** Returns a page with its document. */
  const pageOf = Effect.fnUntraced(function* (
    at: RevisionWithSources,
    visibleContent: VisibleContent | undefined,
    id: string,
    options: PageOptions & DocumentForm
  ) {
    const { space, revision, visitor } = at
    const { evaluated, form } = options
    const content = yield* computedContentOf(at, visibleContent, options)
    const entry = yield* content.page(id)
    if (entry === undefined) return yield* new ContentPageNotFound({ page: id })
    const descendants = yield* content.pages((yield* PageTree.descendants(content, id)).flat())
    const [node] = yield* PageTree.nest([
      { ...entry, parent: null },
      ...descendants.filter((child) => child !== undefined)
    ])
    const parentPath = (yield* PageTree.ancestors(content, entry)).map(({ slug }) => slug).join("/")
    const visitorOptions = yield* restrictionsOf(at, visibleContent, [node!])
    const tags = yield* tagsOf(revision.content)
    const pagePresentation = {
      ...(yield* presentation(space.id, revision.id, options, visitor)),
      ...visitorOptions,
      tags
    }
    let page = yield* Presenter.page(node!, pagePresentation, parentPath)
    let readsClaims = visitorOptions.restrictions?.readsClaims === true
    let size = JSON.stringify(page).length
    if (page.type === "document") {
      const { hash, ...shown } = yield* documentOf(at, content, entry, { evaluated, form })
      const { document } = shown
      if (form !== "markdown") {
        page = StoredDocument.isSmall(document)
          ? { ...page, document }
          : JsonText.withLazyField(page, "document", document.json)
        size += StoredDocument.jsonText(document).length
      } else {
        const text = yield* hash === undefined ? print(objects.threads, document) : markdowns.get(hash)
        const markdown = TitleHeading.withTitleHeading(entry.title, text)
        page = { ...page, markdown }
        size += markdown.length
      }
      readsClaims ||= shown.readsClaims
    }
    return { value: page, readsClaims, size: content.isCacheable(entry) ? memoryOf(size) : undefined }
  })

  /** Returns the document of a page. */
  const pageDocumentOf = Effect.fnUntraced(function* (
    at: RevisionWithSources,
    visibleContent: VisibleContent | undefined,
    id: string,
    options: PageOptions & { readonly evaluated: Evaluations.Evaluated }
  ) {
    const content = yield* computedContentOf(at, visibleContent, options)
    const entry = yield* content.page(id)
    if (entry === undefined || shownType(entry) === "group" || entry.type === "link") {
      return yield* new ContentPageNotFound({ page: id })
    }
    const { evaluated } = options
    const { document, readsClaims } = yield* documentOf(at, content, entry, { evaluated, form: "hosted" })
    const size = memoryOf(StoredDocument.jsonText(document).length)
    return {
      value: StoredDocument.toResponse(document),
      readsClaims,
      size: content.isCacheable(entry) ? size : undefined
    }
  })

  return {
    pages: Effect.fnUntraced(function* (located, options) {
      const at = yield* withSources(located, options)
      const { revision, visitor } = at
      const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
      const key = RevisionContents.keyOf(at, visibleContent, options)
      return yield* trees.getOrCompute(key, visitor?.kind, treeOf(at, visibleContent, options))
    }),

    page: Effect.fnUntraced(function* (located, id, options) {
      const at = yield* withSources(located, options)
      const { revision, visitor } = at
      const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
      const format = options?.format ?? "markdown"
      const evaluated = options?.evaluated ?? false
      const form = format === "markdown" ? format : (options?.vocabulary ?? "hosted")
      const key = RevisionContents.keyOf(at, visibleContent, options, `${id} ${form} ${evaluated}`)
      return yield* pages.getOrCompute(
        key,
        visitor?.kind,
        pageOf(at, visibleContent, id, { ...options, form, evaluated })
      )
    }),

    document: Effect.fnUntraced(function* (located, id, options) {
      const at = yield* withSources(located, options)
      const { revision, visitor } = at
      const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
      const evaluated = options?.evaluated ?? false
      const key = RevisionContents.keyOf(at, visibleContent, options, `${id} ${evaluated}`)
      return yield* documents.getOrCompute(
        key,
        visitor?.kind,
        pageDocumentOf(at, visibleContent, id, { ...options, evaluated })
      )
    }),

    pageAt: Effect.fnUntraced(function* (located, path, options) {
      const at = yield* withSources(located, options)
      const visibleContent = at.visitor && (yield* conditions.visibleContent(at.revision.content, at.visitor))
      const content = yield* computedContentOf(at, visibleContent, options)
      const segments = path.split("/").filter((segment) => segment !== "")
      const isMain = at.revision.id === at.space.revision
      const page = isMain
        ? (yield* aliases.resolve(at.space.id, content, segments))?.page
        : yield* PageTree.byPath(content, path)
      if (page === undefined) return yield* new ContentPageNotFound({ page: path.slice(0, 200) })
      return page.id
    }),

    headingId: Effect.fnUntraced(function* ({ revision }, page, anchor) {
      const anchors = yield* LinkAnchors.load(objects, revision.content, [page], new Map(), () => false)
      return anchors.find(page, anchor) ?? anchor
    })
  } satisfies Pick<Contents["Service"], "pages" | "page" | "document" | "pageAt" | "headingId">
})
