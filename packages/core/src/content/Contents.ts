/**
 * Reads content as callers see it: of a space's main line, of a change request, of any revision.
 * `locate` finds the revision and asks once whether the actor may see it; the rest read from there.
 *
 * A revision never changes, so what was read last is kept as it was answered: single pages (32 MiB),
 * documents alone (32 MiB) and trees (100,000 pages in all).
 */
import { Context, Effect, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequest, ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { ChangeRequestLookup } from "../change-request/ChangeRequestLookup.ts"
import { ChangeRequests } from "../change-request/ChangeRequests.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { unknown } from "../publishing/Admission.ts"
import type { Answered as AnsweredDocument } from "@lectern/document/answered/Answered"
import type { SpaceId, SpaceNotFound, SpaceRow } from "../space/Space.ts"
import { type SiteReader, SpacePolicy, spaceNotFound } from "../space/SpacePolicy.ts"
import { type BlocksOfSpace, InstalledBlocks } from "../integration/InstalledBlocks.ts"
import * as JsonText from "../schema/JsonText.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type ComputedContent, ComputedContents } from "../computed/ComputedContents.ts"
import { ComputedSources, type KnownSources, type Sources } from "../computed/ComputedSources.ts"
import * as Evaluations from "../evaluation/Evaluations.ts"
import { mayLinkToAnchors } from "../evaluation/ShowDocument.ts"
import * as Content from "./Content.ts"
import * as ContentDiff from "./ContentDiff.ts"
import { ContentPageNotFound } from "./edits/ContentErrors.ts"
import * as Presenter from "./ContentPresenter.ts"
import * as ContentReader from "./ContentReader.ts"
import type * as Resources from "./ContentResources.ts"
import { type FileNotFound, fileNotFound } from "./files/Downloads.ts"
import type { FileEntry, FileId } from "./files/File.ts"
import { fileUrls } from "./files/FileUrls.ts"
import { KeptByKind } from "./KeptByKind.ts"
import * as TitleHeading from "./documents/TitleHeading.ts"
import { Markdowns, print } from "./documents/Markdowns.ts"
import { Objects } from "./store/Objects.ts"
import { PageAliases } from "./pages/PageAliases.ts"
import { PageConditions, type SeenContent } from "./pages/PageConditions.ts"
import { type PageEntry, type PageId, shownType } from "./pages/Page.ts"
import * as PageTree from "./pages/PageTree.ts"
import type { RevisionRow } from "./revisions/Revision.ts"
import * as StoredDocument from "./documents/StoredDocument.ts"
import { type RevisionNotFound, revisionNotFound, Revisions } from "./revisions/Revisions.ts"
import * as VisitorReach from "./VisitorReach.ts"
import { Instance } from "../identity/Instance.ts"
import * as LinkAnchors from "../link/LinkAnchors.ts"
import { wired } from "../wiring/Wired.ts"

/** The content to read: a space's main content, or that of a change request or revision of it. */
export interface ContentTarget {
  readonly space: SpaceId
  /** An id or a number. */
  readonly changeRequest?: string
  readonly revision?: string
}

interface At {
  readonly space: SpaceRow
  readonly revision: RevisionRow
  /** For whom the conditions of pages hide what is not for it; undefined for who sees all. */
  readonly visitor?: SiteReader | undefined
  /** The blocks that integrations draw there now; undefined where they draw none. */
  readonly blocks?: BlocksOfSpace | undefined
}

/** A revision that the actor may see. */
export interface Located extends At {
  /** Sources of its computed pages as they are now for the actor; undefined where no page is computed. */
  readonly sources?: KnownSources | undefined
}

/** The same, with what integrations have answered where that is read. */
interface Answered extends At {
  readonly sources?: Sources | undefined
}

export interface ReadOptions {
  /** Shows the mutable Git metadata. Default: true. */
  readonly metadata?: boolean
  /** Builds computed pages. Otherwise the page that stands for them is shown. Default: true. */
  readonly computed?: boolean
}

const cachedPageText = 32 * 1024 * 1024
const cachedTreePages = 100_000

export class Contents extends Context.Service<
  Contents,
  {
    /**
     * Finds the revision of a space, of a change request or by its own id that the other methods read from, where
     * the actor may see it. `RevisionNotFound` for a revision of another space.
     */
    readonly locate: (
      target: ContentTarget
    ) => Effect.Effect<
      Located,
      SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | StorageError,
      CurrentActor
    >
    /** Answers the revision as a resource: its pages and files, and who made it. */
    readonly revision: (at: Located, options?: ReadOptions) => Effect.Effect<Resources.Revision, StorageError>
    /** The tree of pages, without their documents. */
    readonly pages: (at: Located, options?: ReadOptions) => Effect.Effect<Resources.Pages, StorageError>
    /** One page with its document, as Markdown unless asked otherwise. */
    readonly page: (
      at: Located,
      page: string,
      options?: ReadOptions & {
        readonly format?: Resources.PageFormat
        /** Shows the document as it reads (see `Evaluations`). Default: false. */
        readonly evaluated?: Evaluations.Evaluated
      }
    ) => Effect.Effect<Resources.Page, ContentPageNotFound | StorageError>
    /**
     * The document of a page and nothing around it, as it is stored unless asked otherwise. Groups and links have
     * none.
     */
    readonly document: (
      at: Located,
      page: string,
      options?: ReadOptions & { readonly evaluated?: Evaluations.Evaluated }
    ) => Effect.Effect<AnsweredDocument, ContentPageNotFound | StorageError>
    /**
     * The page that stands at a path, such as `guide/start`, in any case. Links stand at none. In the main content of
     * a space it is the one that stood there last, where none does now.
     */
    readonly pageAt: (
      at: Located,
      path: string,
      options?: ReadOptions
    ) => Effect.Effect<PageId, ContentPageNotFound | StorageError>
    /**
     * Lists the files of a revision in the order of their ids, 50 to a page unless `limit` says otherwise (at most
     * 1,000), with their URLs (see `FileUrls`).
     */
    readonly files: (
      at: Located,
      params: PageParams & ReadOptions
    ) => Effect.Effect<ListPage<Resources.File>, InvalidCursor | StorageError>
    /**
     * Answers one file of a revision with its URL (see `FileUrls`); `FileNotFound` where the revision has none by that
     * id.
     */
    readonly file: (
      at: Located,
      file: string,
      options?: ReadOptions
    ) => Effect.Effect<Resources.File, FileNotFound | StorageError>
    /** Changes of the revision against the one that it came from. */
    readonly changes: (at: Located, limit?: number) => Effect.Effect<Resources.Changes, SpaceNotFound | StorageError>
    /** Changes from one content of a space to another. */
    readonly compare: (
      space: SpaceId,
      before: RevisionRow,
      after: RevisionRow,
      limit?: number
    ) => Effect.Effect<Resources.Changes, StorageError>
    /** The change request that a revision came of, as it is now; undefined where it came of none. */
    readonly mergedFrom: (at: Located) => Effect.Effect<ChangeRequest | undefined, StorageError>
    /** How a file of a revision is shown. */
    readonly presentFile: (
      space: SpaceId,
      revision: RevisionRow["id"],
      file: FileEntry
    ) => Effect.Effect<Resources.File>
  }
>()("@lectern/core/content/Contents") {
  static readonly make = Effect.gen(function* () {
    const policy = yield* SpacePolicy
    const changeRequests = yield* ChangeRequests
    const lookup = yield* ChangeRequestLookup
    const revisions = yield* Revisions
    const objects = yield* Objects
    const conditions = yield* PageConditions
    const aliases = yield* PageAliases
    const computedContents = yield* ComputedContents
    const installedBlocks = yield* InstalledBlocks
    const computedSources = yield* ComputedSources
    const paging = yield* Paging
    const urls = yield* fileUrls
    const markdowns = yield* Markdowns
    const publicUrl = yield* PublicUrl
    const pages = new KeptByKind<Resources.Page>(cachedPageText)
    const documents = new KeptByKind<AnsweredDocument>(cachedPageText)
    const trees = new KeptByKind<Resources.Pages>(cachedTreePages)

    const presentation = Effect.fnUntraced(function* (
      space: string,
      revision: string,
      options?: ReadOptions,
      visitor?: SiteReader
    ) {
      const downloadURL = yield* urls.ofRevision(space, revision)
      const metadata = (options?.metadata ?? true) && (visitor?.showsGit ?? true)
      return { publicUrl, space, metadata, downloadURL } satisfies Presenter.Presentation
    })

    /** The same for an answer with files: those of a visitor have URLs that last. */
    const withFiles = Effect.fnUntraced(function* ({ space, revision, visitor }: At, options: ReadOptions | undefined) {
      const shown = yield* presentation(space.id, revision.id, options, visitor)
      if (visitor === undefined) return shown
      const reading = { ...visitor, organization: space.organization }
      const forAll = urls.published({ ...reading, ...unknown }, space.id)
      if (Object.keys(visitor.claims).length === 0) return { ...shown, downloadURL: forAll }
      const seen = visitor.isThereForAll ? yield* conditions.see(revision.content, unknown) : undefined
      const reached = seen?.reach === undefined ? undefined : (yield* seen.reach).files
      const own = urls.published(reading, space.id)
      return { ...shown, downloadURL: (file: FileEntry) => (reached?.has(file.id) === true ? forAll(file) : own(file)) }
    })

    /** How a visitor is told of these pages: where one has variables, those that it shows alone. */
    const toldOf = Effect.fnUntraced(function* (
      { sources }: Answered,
      seen: SeenContent | undefined,
      /** Default: all of the content, and its own variables. */
      nodes?: ReadonlyArray<PageTree.PageNode>
    ) {
      if (seen?.reach === undefined) return {}
      const reach = nodes?.some(hasVariables) === false ? VisitorReach.none : yield* seen.reach
      return { told: { ...reach, seesSpec: (spec: string) => sources?.of(spec).state !== "missing" } }
    })

    const readerOf = (revision: RevisionRow) => ContentReader.make(objects, revision.content)

    /** Integrations are asked where something is to be computed alone. */
    const answered = (at: Located, options?: ReadOptions): Effect.Effect<Answered, StorageError> =>
      at.sources === undefined || options?.computed === false
        ? Effect.succeed(at)
        : Effect.map(at.sources.whole, (sources) => ({ ...at, sources }))

    /** Tells apart the answers that are read of one revision. */
    const keyOf = (at: Answered, seen: SeenContent | undefined, options?: ReadOptions) =>
      [
        at.revision.id,
        options?.metadata ?? true,
        // Who sees all of a page gets it with the conditions in it.
        at.visitor === undefined ? "all" : at.visitor.showsGit ? "shown" : "shown without Git",
        seen?.key ?? "",
        options?.computed ?? true,
        at.sources?.key ?? ""
      ].join(" ")

    const built = (
      at: Answered,
      seen: SeenContent | undefined,
      options?: ReadOptions
    ): Effect.Effect<ComputedContent, StorageError> =>
      computedContents.see(
        at.revision.content,
        seen?.reader ?? readerOf(at.revision),
        options?.computed === false ? undefined : at.sources,
        seen?.key
      )

    /** The document of a page as it is read; `hash` where that is as it is stored. */
    const documentOf = Effect.fnUntraced(function* (
      { space, revision, visitor, blocks: installed }: Answered,
      content: ComputedContent,
      page: PageEntry,
      { evaluated, format }: { readonly evaluated: Evaluations.Evaluated; readonly format: Resources.PageFormat }
    ) {
      const isComputed = page.computed !== undefined
      const stored = yield* content.documentOf(page)
      const anchors =
        format === "document" && mayLinkToAnchors(stored)
          ? yield* LinkAnchors.named(objects, revision.content, page.id, content)
          : new Map<string, string>()
      const { document, readsClaims } = yield* Evaluations.show(objects.threads, content, stored, {
        // What is computed holds nothing to evaluate.
        evaluated: isComputed ? false : evaluated,
        claims: isComputed ? undefined : visitor?.claims,
        space: space.id,
        page,
        visitor: visitor && format,
        ...(format === "document" && { anchors }),
        drawing: {
          blocks: installed?.blocks ?? [],
          takesOver: format === "document",
          known: (links) => installedBlocks.known(space, links)
        }
      })
      return document === undefined && !isComputed
        ? { document: stored, readsClaims, hash: page.document }
        : { document: document ?? stored, readsClaims, hash: undefined }
    })

    const mergedFrom = Effect.fnUntraced(function* ({ space, revision }: At) {
      if (revision.mergedFrom === undefined) return undefined
      const row = yield* lookup
        .find(space.id, revision.mergedFrom)
        .pipe(Effect.catchTag("ChangeRequestNotFound", () => Effect.succeed(undefined)))
      return row && (yield* changeRequests.present([{ row, space }]))[0]
    })

    const compare = Effect.fnUntraced(function* (
      space: string,
      before: Content.Content,
      after: RevisionRow,
      limit?: number
    ) {
      const found = yield* ContentDiff.diff(objects, before, after.content, limit === undefined ? {} : { limit })
      return yield* Presenter.changes(
        found,
        ContentReader.make(objects, before),
        readerOf(after),
        yield* presentation(space, after.id)
      )
    })

    return Contents.of({
      mergedFrom,

      locate: Effect.fnUntraced(function* ({ space: id, changeRequest, revision }) {
        const located = Effect.fnUntraced(function* (space: SpaceRow, revision: RevisionRow, visitor?: SiteReader) {
          const blocks = yield* installedBlocks.on(space)
          if (revision.content.computed === undefined) return { space, revision, visitor, blocks }
          return {
            space,
            revision,
            visitor,
            blocks,
            sources: yield* computedSources.sources(space, revision.content)
          }
        })
        if (revision === undefined && changeRequest === undefined) {
          const { space, visitor } = yield* policy.require(id, "read this space")
          return yield* located(space, yield* revisions.get(space.revision), visitor)
        }
        // A visitor reads by its id the revision that is published now, and no other.
        if (revision !== undefined && (yield* CurrentActor).type === "visitor") {
          const { space, visitor } = yield* policy.require(id, "read this space")
          if (space.revision !== revision) return yield* revisionNotFound(revision)
          return yield* located(space, yield* revisions.get(space.revision), visitor)
        }
        const { space } = yield* policy.require(id, "see the work on this space")
        if (revision !== undefined) return yield* located(space, yield* revisions.find(id, revision))
        return yield* located(space, yield* revisions.get((yield* lookup.find(id, changeRequest!)).revision))
      }),

      revision: Effect.fn("Contents.revision")(function* (located, options) {
        const at = yield* answered(located, options)
        const { revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const told = yield* toldOf(at, seen)
        const shown = { ...(yield* withFiles(at, options)), ...told }
        const content = yield* built(at, seen, options)
        const stored = yield* Presenter.revision(revision, content, shown)
        const presented = { ...stored, files: [...stored.files, ...builtFiles(content)] }
        // Visitors see what was merged, and nothing of the work on it.
        const merged = visitor === undefined ? yield* mergedFrom(at) : undefined
        if (merged !== undefined) return { ...presented, mergedFrom: merged }
        // What it was merged from isn't there (any more) for who reads it.
        return presented.type === "merge" ? { ...presented, type: "edits" as const } : presented
      }),

      pages: Effect.fnUntraced(function* (located, options) {
        const at = yield* answered(located, options)
        const { space, revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const key = keyOf(at, seen, options)
        const known = trees.get(key, visitor?.kind)
        if (known !== undefined) return known
        const content = yield* built(at, seen, options)
        const nodes = yield* PageTree.tree(content)
        const told = yield* toldOf(at, seen, nodes)
        const shown = { ...(yield* presentation(space.id, revision.id, options, visitor)), ...told }
        const tree = { pages: nodes.map((node) => Presenter.page(node, shown, "")) }
        trees.set(key, visitor?.kind, told.told?.readsClaims === true, tree, 1 + (yield* content.pageCount))
        return tree
      }),

      page: Effect.fnUntraced(function* (located, id, options) {
        const at = yield* answered(located, options)
        const { space, revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const format = options?.format ?? "markdown"
        const evaluated = options?.evaluated ?? false
        const key = `${keyOf(at, seen, options)} ${id} ${format} ${evaluated} ${at.blocks?.key ?? ""}`
        const known = pages.get(key, visitor?.kind)
        if (known !== undefined) return known

        const content = yield* built(at, seen, options)
        const entry = yield* content.page(id)
        if (entry === undefined) return yield* new ContentPageNotFound({ page: id })
        const below = yield* content.pages((yield* PageTree.below(content, id)).flat())
        const [node] = PageTree.nest([{ ...entry, parent: null }, ...below.filter((child) => child !== undefined)])
        const above = (yield* PageTree.ancestors(content, entry)).map(({ slug }) => slug).join("/")
        const told = yield* toldOf(at, seen, [node!])
        const presenting = { ...(yield* presentation(space.id, revision.id, options, visitor)), ...told }
        let page = Presenter.page(node!, presenting, above)
        let isAdaptive = told.told?.readsClaims === true
        let size = JSON.stringify(page).length
        if (page.type === "document") {
          const { document, readsClaims, hash } = yield* documentOf(at, content, entry, { evaluated, format })
          if (format === "document") {
            page = StoredDocument.isSmall(document)
              ? { ...page, document }
              : JsonText.withField(page, "document", document.json)
            size += StoredDocument.jsonText(document).length
          } else {
            const text = yield* hash === undefined ? print(objects.threads, document) : markdowns.of(hash)
            const markdown = TitleHeading.above(entry.title, text)
            page = { ...page, markdown }
            size += markdown.length
          }
          isAdaptive ||= readsClaims
        }
        if (content.isKept(entry)) pages.set(key, visitor?.kind, isAdaptive, page, size)
        return page
      }),

      document: Effect.fnUntraced(function* (located, id, options) {
        const at = yield* answered(located, options)
        const { revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const evaluated = options?.evaluated ?? false
        const key = `${keyOf(at, seen, options)} ${id} ${evaluated} ${at.blocks?.key ?? ""}`
        const known = documents.get(key, visitor?.kind)
        if (known !== undefined) return known

        const content = yield* built(at, seen, options)
        const entry = yield* content.page(id)
        if (entry === undefined || shownType(entry) === "group" || entry.type === "link") {
          return yield* new ContentPageNotFound({ page: id })
        }
        const { document, readsClaims } = yield* documentOf(at, content, entry, { evaluated, format: "document" })
        const answer = StoredDocument.answer(document)
        if (content.isKept(entry))
          documents.set(key, visitor?.kind, readsClaims, answer, StoredDocument.jsonText(document).length)
        return answer
      }),

      pageAt: Effect.fnUntraced(function* (located, path, options) {
        const at = yield* answered(located, options)
        const seen = at.visitor && (yield* conditions.see(at.revision.content, at.visitor))
        const content = yield* built(at, seen, options)
        const segments = path.split("/").filter((segment) => segment !== "")
        const isMain = at.revision.id === at.space.revision
        const page = isMain
          ? (yield* aliases.resolve(at.space.id, content, segments))?.page
          : yield* PageTree.byPath(content, path)
        if (page === undefined) return yield* new ContentPageNotFound({ page: path.slice(0, 200) })
        return page.id
      }),

      files: Effect.fn("Contents.files")(function* (located, { metadata, computed = true, ...params }) {
        const at = yield* answered(located, { computed })
        const { space, revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const content = yield* built(at, seen, { computed })
        const shown = yield* withFiles(at, { metadata: metadata ?? true })
        const stored = (yield* content.files).map((file) => Presenter.file(file, shown))
        const sorted = [...stored, ...builtFiles(content)].sort((a, b) => (a.id < b.id ? -1 : 1))
        return yield* paging.items(sorted, `files of ${space.id}`, (file) => file.id, params)
      }),

      file: Effect.fn("Contents.file")(function* (located, id, options) {
        const at = yield* answered(located, options)
        const { revision, visitor } = at
        const seen = visitor && (yield* conditions.see(revision.content, visitor))
        const content = yield* built(at, seen, options)
        const file = yield* content.file(id)
        if (file !== undefined) return Presenter.file(file, yield* withFiles(at, options))
        const elsewhere = builtFiles(content).find((one) => one.id === id)
        return elsewhere ?? (yield* fileNotFound(id))
      }),

      presentFile: (space, revision, file) =>
        Effect.map(presentation(space, revision), (shown) => Presenter.file(file, shown)),

      changes: Effect.fn("Contents.changes")(function* (at, limit) {
        const { space, revision, visitor } = at
        if (visitor !== undefined) return yield* spaceNotFound(space.id)
        const [parent] = revision.parents
        const before = parent === undefined ? Content.empty : (yield* revisions.get(parent)).content
        const changes = yield* compare(space.id, before, revision, limit)
        const merged = yield* mergedFrom(at)
        return merged === undefined ? changes : { mergedFrom: merged, ...changes }
      }),

      compare: (space, before, after, limit) => compare(space, before.content, after, limit)
    })
  })

  static readonly layerNoDeps = Layer.effect(Contents, this.make)

  static readonly layer = wired(Contents, this.make, [
    ChangeRequestLookup.layer,
    ChangeRequests.layer,
    ComputedContents.layer,
    ComputedSources.layer,
    InstalledBlocks.layer,
    Instance.layer,
    Markdowns.layer,
    Objects.layer,
    PageAliases.layer,
    PageConditions.layer,
    Paging.layer,
    Revisions.layer,
    SpacePolicy.layer
  ])
}

const hasVariables = ({ page, pages }: PageTree.PageNode): boolean =>
  page.variables !== undefined || pages.some(hasVariables)

export const builtFiles = ({ builtFiles }: ComputedContent): ReadonlyArray<Resources.File> =>
  Array.from(builtFiles, ([id, file]) => ({ object: "file", id: id as FileId, ...file }))
