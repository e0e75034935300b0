/**
 * Edits a content in memory. Reads include the edits made so far, and `finish` writes all edits in one pass. Without
 * `finish` nothing is stored.
 */
import { Effect, Equal } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Timestamp } from "../../schema/Text.ts"
import type { Content, ReusableContentEntry, PassthroughFile } from "../Content.ts"
import * as ComputedSource from "../../computed/ComputedSource.ts"
import { ContentLimitReached, ContentPageNotFound, PageCycle, SlugTaken } from "./ContentErrors.ts"
import * as ContentReader from "../ContentReader.ts"
import type * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentComparison from "../documents/DocumentComparison.ts"
import type { FileEntry } from "../files/File.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { EditedPositions } from "../pages/EditedPositions.ts"
import type { PageEntry, PageId, PageType } from "../pages/Page.ts"
import { entryOf, type PageFields, type PagePatch, patchOf } from "../pages/PagePatch.ts"
import * as PageTree from "../pages/PageTree.ts"
import * as LinkMap from "../pages/LinkMap.ts"
import type { Siblings } from "../pages/Siblings.ts"
import * as Slug from "../pages/Slug.ts"
import { isEmpty, isPrepared, type StoredDocument } from "../documents/StoredDocument.ts"
import * as TrieUpdate from "../store/TrieUpdate.ts"

export type { PagePatch } from "../pages/PagePatch.ts"

type VariableValue = ContentReader.VariableValue

export interface NewPage extends Omit<PagePatch, "title"> {
  readonly id: string
  readonly title: string
  /** Type of the page. Default: `document`. */
  readonly type?: PageType
  /** Parent page. Default: null, the top. */
  readonly parent?: string | null
  /** Index among the siblings. Default: the end. */
  readonly at?: number
  readonly document?: StoredDocument
  /** Behavior if a supplied slug is taken. Default: `fail`. */
  readonly onConflict?: "fail" | "suffix"
}

export interface WriteOptions {
  /** True if a client sent the document as a tree, so that line ends of the stored document stay. Default: false. */
  readonly isTree?: boolean
}

export interface ContentEditor extends ContentReader.ContentReader {
  readonly insertPage: (
    page: NewPage
  ) => Effect.Effect<PageEntry, ContentPageNotFound | SlugTaken | ContentLimitReached | StorageError>
  readonly updatePage: (
    id: string,
    patch: PagePatch
  ) => Effect.Effect<PageEntry, ContentPageNotFound | SlugTaken | StorageError>
  /** Moves a page below a parent (null: the top), to an index among the siblings, optionally with a new slug. */
  readonly movePage: (
    id: string,
    destination: { readonly parent?: string | null; readonly at?: number; readonly slug?: string }
  ) => Effect.Effect<PageEntry, ContentPageNotFound | SlugTaken | PageCycle | ContentLimitReached | StorageError>
  /** Removes a page with all its descendants. Returns the ids of the removed pages. */
  readonly removePage: (id: string) => Effect.Effect<ReadonlyArray<PageId>, ContentPageNotFound | StorageError>
  /** Writes a document. A block that corresponds to a block of the previous document gets its key. */
  readonly setDocument: (
    id: string,
    document: StoredDocument,
    options?: WriteOptions
  ) => Effect.Effect<PageEntry, ContentPageNotFound | StorageError>
  /** Writes a document with the keys that its blocks have. */
  readonly replaceDocument: (
    id: string,
    document: StoredDocument
  ) => Effect.Effect<PageEntry, ContentPageNotFound | StorageError>
  /**
   * Writes a document and returns its hash. Undefined for an empty document. Blocks get the keys of corresponding
   * blocks of the previous document, if one is passed.
   */
  readonly writeDocument: (
    document: StoredDocument,
    previous?: ObjectHash | undefined,
    options?: WriteOptions
  ) => Effect.Effect<ObjectHash | undefined, StorageError>
  readonly putFile: (file: FileEntry) => Effect.Effect<void>
  readonly removeFile: (id: string) => Effect.Effect<void>
  readonly putReusableContent: (entry: ReusableContentEntry) => Effect.Effect<void>
  readonly removeReusableContent: (id: string) => Effect.Effect<void>
  /** Sets a variable of the space. Undefined removes it. */
  readonly setVariable: (name: string, value: VariableValue | undefined) => Effect.Effect<void>
  /** Sets the target of a former path. Undefined removes the redirect. */
  readonly setRedirect: (path: string, page: PageId | undefined) => Effect.Effect<void>
  readonly putPassthroughFile: (file: PassthroughFile) => Effect.Effect<void>
  readonly removePassthroughFile: (path: string) => Effect.Effect<void>
  /**
   * Replaces pages, or removes them (undefined), without further checks. If a sibling has the slug, the slug gets a
   * suffix. If a sibling has the position, the page moves after the sibling.
   */
  readonly replacePages: (pages: ReadonlyMap<string, PageEntry | undefined>) => Effect.Effect<void, StorageError>
  /** Writes the edits and returns the edited content. */
  readonly finish: Effect.Effect<Content, StorageError>
}

export const make = (draft: ObjectDraft, content: Content, now: Timestamp): ContentEditor => {
  const base = ContentReader.make(draft, content)
  const pages = new Map<string, PageEntry | undefined>()
  const files = new Map<string, FileEntry | undefined>()
  const reusableContents = new Map<string, ReusableContentEntry | undefined>()
  const variables = new Map<string, VariableValue | undefined>()
  const redirects = new Map<string, ContentReader.Redirect | undefined>()
  const passthroughFiles = new Map<string, PassthroughFile | undefined>()
  const positions = new EditedPositions(draft, content.children)
  const linksByDocument = new Map<ObjectHash, DocumentLinks.DocumentLinks>()
  let countDelta = 0

  let slice: Slice | undefined
  /** Lets other fibers run, between two pages or documents. */
  const pause = Effect.gen(function* () {
    slice ??= yield* Slice.start
    if (slice.isOver()) yield* slice.pause
  })

  const page = (id: string) => (pages.has(id) ? Effect.succeed(pages.get(id)) : base.page(id))

  const requirePage = Effect.fnUntraced(function* (id: string) {
    yield* pause
    return (yield* page(id)) ?? (yield* new ContentPageNotFound({ page: id }))
  })

  const rebalance = Effect.fnUntraced(function* (siblings: Siblings) {
    const newPositions = siblings.evenPositions()
    const entries = yield* editor.pages(siblings.order.map(({ id }) => id))
    const movedEntries = entries.flatMap((entry, i) =>
      entry === undefined ? [] : [{ entry, next: entryOf({ ...entry, position: newPositions[i] }) }]
    )
    const slice = yield* Slice.start
    yield* positions.detachAll(movedEntries.map(({ entry }) => entry))
    for (const { next } of movedEntries) {
      pages.set(next.id, next)
      positions.attach(siblings, next)
      if (slice.isOver()) yield* slice.pause
    }
  })

  const positionAt = Effect.fnUntraced(function* (siblings: Siblings, index: number) {
    const position = siblings.positionAt(index)
    if (position !== undefined) return position
    yield* rebalance(siblings)
    return siblings.positionAt(index)!
  })

  const depthOf = Effect.fnUntraced(function* (parent: string | null) {
    if (parent === null) return 0
    return (yield* PageTree.ancestors(editor, yield* requirePage(parent))).length + 1
  })

  const slugTaken = (slug: string, parent: string | null, sibling: ContentReader.ChildEntry) =>
    new SlugTaken({ slug, parent, page: sibling.id })

  const withEdits = <V>(
    stored: Effect.Effect<ReadonlyArray<V>, StorageError>,
    edits: ReadonlyMap<string, V | undefined>,
    idOf: (value: V) => string
  ) =>
    Effect.map(stored, (values) => {
      if (edits.size === 0) return values
      const all = new Map(values.map((value) => [idOf(value), value]))
      for (const [id, value] of edits) {
        if (value === undefined) all.delete(id)
        else all.set(id, value)
      }
      return Array.from(all.values()).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    })

  const patchPage = (before: PageEntry, fields: PageFields) => {
    const after = entryOf({ ...before, ...fields })
    if (Equal.equals(before, after)) return before
    const updatedEntry = entryOf({ ...after, updatedAt: now })
    pages.set(before.id, updatedEntry)
    return updatedEntry
  }

  const editor: ContentEditor = {
    page,
    pages: Effect.fnUntraced(function* (ids) {
      const storedPages = yield* base.pages(ids.filter((id) => !pages.has(id)))
      let n = 0
      return ids.map((id) => (pages.has(id) ? pages.get(id) : storedPages[n++]))
    }),
    allPages: Effect.suspend(() => withEdits(base.allPages, pages, (entry) => entry.id)),
    pageCount: Effect.suspend(() => Effect.map(base.pageCount, (count) => count + countDelta)),
    children: (parent) => Effect.map(positions.below(parent), (siblings) => siblings.order.slice()),
    childrenOf: (parents) =>
      Effect.map(positions.belowEach(parents), (each) => each.map((siblings) => siblings.order.slice())),
    child: (parent, slug) => Effect.map(positions.below(parent), (siblings) => siblings.get(Slug.foldCase(slug))?.id),
    document: base.document,
    source: base.source,
    file: (id) => (files.has(id) ? Effect.succeed(files.get(id)) : base.file(id)),
    files: Effect.suspend(() => withEdits(base.files, files, (entry) => entry.id)),
    reusableContent: (id) =>
      reusableContents.has(id) ? Effect.succeed(reusableContents.get(id)) : base.reusableContent(id),
    reusableContents: Effect.suspend(() => withEdits(base.reusableContents, reusableContents, (entry) => entry.id)),
    variables: Effect.suspend(() =>
      Effect.map(base.variables, (storedVariables) => {
        const all = new Map(Object.entries(storedVariables))
        for (const [name, value] of variables) {
          if (value === undefined) all.delete(name)
          else all.set(name, value)
        }
        return Object.fromEntries(all)
      })
    ),
    redirect: (path) => {
      const key = ContentReader.redirectKey(path)
      return redirects.has(key) ? Effect.succeed(redirects.get(key)?.page) : base.redirect(path)
    },
    redirects: Effect.suspend(() =>
      Effect.map(base.redirects, (storedRedirects) => {
        const all = new Map(storedRedirects)
        for (const [path, redirect] of redirects) {
          if (redirect === undefined) all.delete(path)
          else all.set(path, redirect.page)
        }
        return all
      })
    ),
    passthroughFiles: Effect.suspend(() => withEdits(base.passthroughFiles, passthroughFiles, ({ path }) => path)),

    insertPage: Effect.fnUntraced(function* ({ id, at, parent = null, document, onConflict, ...fields }) {
      if ((yield* editor.pageCount) >= PageTree.maxPages) {
        return yield* new ContentLimitReached({ limit: "pages", max: PageTree.maxPages })
      }
      if ((yield* depthOf(parent)) > PageTree.maxDepth) {
        return yield* new ContentLimitReached({ limit: "depth", max: PageTree.maxDepth })
      }
      const uses = fields.computed && ComputedSource.usesAfter(content.computed ?? [], pages)
      if (uses !== undefined && uses.length >= ComputedSource.maxComputedPages) {
        return yield* new ContentLimitReached({ limit: "computed", max: ComputedSource.maxComputedPages })
      }
      const siblings = yield* positions.below(parent)
      const type = fields.type ?? "document"
      const slug = fields.slug ?? Slug.fromTitle(fields.title)
      const sibling = type === "link" ? undefined : siblings.get(Slug.foldCase(slug))
      if (sibling !== undefined && fields.slug !== undefined && onConflict !== "suffix") {
        return yield* slugTaken(slug, parent, sibling)
      }
      const entry = entryOf({
        ...fields,
        id: id as PageId,
        type,
        slug: sibling === undefined ? slug : siblings.freeSlug(slug),
        parent: parent as PageId | null,
        position: yield* positionAt(siblings, at ?? siblings.order.length),
        document: document === undefined ? undefined : yield* editor.writeDocument(document),
        createdAt: now,
        updatedAt: now
      })
      pages.set(id, entry)
      positions.attach(siblings, entry)
      countDelta++
      return entry
    }),

    updatePage: Effect.fnUntraced(function* (id, patch) {
      const before = yield* requirePage(id)
      if (patch.slug === undefined || patch.slug === before.slug) return patchPage(before, patchOf(patch))
      const siblings = yield* positions.below(before.parent)
      const name = ContentReader.childName({ ...before, slug: patch.slug })
      const sibling = siblings.get(name)
      if (sibling !== undefined && sibling.id !== before.id) return yield* slugTaken(patch.slug, before.parent, sibling)
      positions.detach(siblings, before)
      const after = patchPage(before, patchOf(patch))
      positions.attach(siblings, after)
      return after
    }),

    movePage: Effect.fnUntraced(function* (id, destination) {
      const before = yield* requirePage(id)
      const parent = destination.parent === undefined ? before.parent : (destination.parent as PageId | null)
      if (parent !== before.parent && parent !== null) {
        if (yield* PageTree.isWithin(editor, parent, id)) return yield* new PageCycle({ page: id, into: parent })
        if ((yield* depthOf(parent)) + (yield* PageTree.descendantLevels(editor, id)).length > PageTree.maxDepth) {
          return yield* new ContentLimitReached({ limit: "depth", max: PageTree.maxDepth })
        }
      }
      const from = yield* positions.below(before.parent)
      if (parent === before.parent) {
        const child = { id: before.id, position: before.position }
        const at = Math.min(destination.at ?? from.indexOf(child), from.order.length - 1)
        if (at === from.indexOf(child)) {
          return destination.slug === undefined ? before : yield* editor.updatePage(id, { slug: destination.slug })
        }
      }
      const to = yield* positions.below(parent)
      const slug = destination.slug ?? before.slug
      const sibling = to.get(ContentReader.childName({ ...before, slug }))
      if (sibling !== undefined && sibling.id !== before.id) return yield* slugTaken(slug, parent, sibling)
      positions.detach(from, before)
      const after = patchPage(before, {
        parent,
        slug,
        position: yield* positionAt(to, destination.at ?? to.order.length)
      })
      positions.attach(to, after)
      return after
    }),

    removePage: Effect.fnUntraced(function* (id) {
      yield* requirePage(id)
      const removed = [id as PageId, ...(yield* PageTree.descendants(editor, id))]
      yield* editor.replacePages(new Map(removed.map((removedId) => [removedId, undefined])))
      return removed
    }),

    setDocument: Effect.fnUntraced(function* (id, document, options) {
      const before = yield* requirePage(id)
      return patchPage(before, { document: yield* editor.writeDocument(document, before.document, options) })
    }),

    replaceDocument: Effect.fnUntraced(function* (id, document) {
      const before = yield* requirePage(id)
      return patchPage(before, { document: yield* editor.writeDocument(document) })
    }),

    writeDocument: Effect.fnUntraced(function* (document, previous, options) {
      if (isEmpty(document)) return undefined
      yield* pause
      const storedDocument = previous && (yield* base.document(previous))
      const { json, links, isUnchanged } = yield* DocumentComparison.write(
        draft,
        document,
        storedDocument,
        options?.isTree
      )
      const hash = draft.writeJson(json, isUnchanged && isPrepared(document) ? document : undefined)
      linksByDocument.set(hash, links)
      return hash
    }),

    putFile: (file) => Effect.sync(() => void files.set(file.id, file)),
    removeFile: (id) => Effect.sync(() => void files.set(id, undefined)),
    putReusableContent: (entry) => Effect.sync(() => void reusableContents.set(entry.id, entry)),
    removeReusableContent: (id) => Effect.sync(() => void reusableContents.set(id, undefined)),
    setVariable: (name, value) => Effect.sync(() => void variables.set(name, value)),

    setRedirect: (path, page) =>
      Effect.sync(() => void redirects.set(ContentReader.redirectKey(path), page && { page })),
    putPassthroughFile: (file) => Effect.sync(() => void passthroughFiles.set(file.path, file)),
    removePassthroughFile: (path) => Effect.sync(() => void passthroughFiles.set(path, undefined)),

    replacePages: Effect.fnUntraced(function* (replaced) {
      const slice = yield* Slice.start
      const before = yield* editor.pages(Array.from(replaced.keys()))
      const detachedPages: Array<PageEntry> = []
      const attachedPages: Array<PageEntry> = []
      for (const [i, [id, entry]] of Array.from(replaced).entries()) {
        if (slice.isOver()) yield* slice.pause
        const old = before[i]
        countDelta += (entry === undefined ? 0 : 1) - (old === undefined ? 0 : 1)
        if (old === undefined && entry === undefined) continue
        pages.set(id, entry === undefined ? undefined : entryOf(entry))
        if (old !== undefined && entry !== undefined && hasSamePosition(old, entry)) continue
        if (entry !== undefined) attachedPages.push(entry)
        if (old !== undefined) detachedPages.push(old)
      }
      yield* positions.detachAll(detachedPages)
      yield* positions.belowEach(attachedPages.map((entry) => entry.parent))
      for (const entry of attachedPages.sort(ContentReader.byPosition)) {
        if (slice.isOver()) yield* slice.pause
        const siblings = yield* positions.below(entry.parent)
        let position = siblings.freePositionFrom(entry.position)
        if (position === undefined) {
          const { order } = siblings
          const index = order.findLastIndex((child) => child.position <= entry.position) + 1
          position = yield* positionAt(siblings, index)
        }
        const slug = entry.type === "link" ? entry.slug : siblings.freeSlug(entry.slug)
        const placedEntry = entryOf({ ...entry, slug, position })
        pages.set(entry.id, placedEntry)
        positions.attach(siblings, placedEntry)
      }
    }),

    finish: Effect.gen(function* () {
      const computed = ComputedSource.usesAfter(content.computed ?? [], pages)
      const redirectRoot = yield* TrieUpdate.update(draft, content.redirects ?? null, redirects)
      const passthroughRoot = yield* TrieUpdate.update(draft, content.written ?? null, passthroughFiles)
      return {
        pages: yield* TrieUpdate.update(draft, content.pages, pages),
        children: yield* TrieUpdate.update(draft, content.children, positions.changes),
        files: yield* TrieUpdate.update(draft, content.files, files),
        reusableContents: yield* TrieUpdate.update(draft, content.reusableContents, reusableContents),
        variables: yield* TrieUpdate.update(draft, content.variables, variables),
        links: yield* LinkMap.update(draft, content, { pages, reusableContents, linksByDocument }),
        ...(redirectRoot !== null && { redirects: redirectRoot }),
        ...(passthroughRoot !== null && { written: passthroughRoot }),
        ...(computed.length > 0 && { computed })
      }
    })
  }
  return editor
}

const hasSamePosition = (a: PageEntry, b: PageEntry) =>
  a.parent === b.parent && a.position === b.position && ContentReader.childName(a) === ContentReader.childName(b)
