/** Changes of a batch that insert, update and revert pages. */
import * as Condition from "@lectern/document/condition/Condition"
import { Effect, Result } from "effect"
import * as ComputedSource from "../../computed/ComputedSource.ts"
import * as ContentReader from "../ContentReader.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import { type PageEntry, type PageId, type PageType, valuesOf } from "../pages/Page.ts"
import * as PageRevert from "../pages/PageRevert.ts"
import * as PathReferences from "../pages/PathReferences.ts"
import type { ContentBatch } from "./ContentBatch.ts"
import type { InsertPage, RevertPage, UpdatePage } from "./ContentChange.ts"
import type * as ContentEditor from "./ContentEditor.ts"
import { ContentPageNotFound, invalid, type InvalidChange } from "./ContentErrors.ts"

type Metadata = Pick<typeof UpdatePage.Type, keyof ContentEditor.PagePatch & keyof typeof UpdatePage.Type>

/** Fields that a client can remove: with an empty text or null, or with false for flags. */
const clearable = [
  "linkTitle",
  "emoji",
  "icon",
  "description",
  "condition",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "layout",
  "cover",
  "variables",
  "tags",
  "computed"
] as const

const patchOf = (metadata: Metadata): ContentEditor.PagePatch => {
  const patch: Record<string, unknown> = {}
  for (const name of clearable) {
    const value = metadata[name]
    if (value === undefined) continue
    patch[name] = value === null || value === "" || value === false ? undefined : value
  }
  for (const name of ["title", "slug", "target"] as const) {
    if (metadata[name] !== undefined) patch[name] = metadata[name]
  }
  return patch
}

/** Rejects an invalid condition. Imports keep an invalid condition unchanged, and it never holds. */
const checkCondition = (
  { condition }: Pick<Metadata, "condition">,
  path: string
): Effect.Effect<void, InvalidChange> => {
  const tree =
    condition === undefined || condition === null || condition === "" ? undefined : Condition.parse(condition)
  return tree !== undefined && Result.isFailure(tree) ? invalid(`${path}.condition`, tree.failure.message) : Effect.void
}

/** Rejects a computed source that does not fit the type of the page, and a document on a computed page. */
const checkComputed = (
  {
    computed,
    document
  }: { readonly computed?: ComputedSource.ComputedSource | null | undefined; readonly document?: unknown },
  type: PageType,
  path: string
): Effect.Effect<void, InvalidChange> => {
  const hasNoSource = computed === undefined || computed === null
  if (type === "computed") {
    if (hasNoSource || !ComputedSource.providesPages(computed)) {
      return invalid(`${path}.computed`, "Expected what the pages are computed from, with models in its props")
    }
  } else if (!hasNoSource) {
    if (type !== "document") return invalid(`${path}.computed`, `A ${type} is not computed`)
    if (!ComputedSource.providesText(computed)) {
      return invalid(`${path}.computed`, "Expected what the document is computed from, with doc in its props")
    }
    if (document !== undefined) return invalid(`${path}.document`, "A page that is computed has no document of its own")
  }
  return Effect.void
}

/**
 * Reads the document of a change, if it has one, and returns it with the fields that the change writes. Fields of the
 * front matter override fields of the change. `titles`: titles of the page, if the text may start with one. `before`:
 * the current page.
 */
const readChange = Effect.fnUntraced(function* (
  batch: ContentBatch,
  change: Metadata & Pick<typeof UpdatePage.Type, "document">,
  path: string,
  titles: ReadonlyArray<string>,
  before?: PageEntry
) {
  const read = change.document && (yield* batch.document(change.document, `${path}.document`, titles))
  const patch = {
    ...patchOf(change),
    ...(change.variables && { variables: valuesOf(change.variables, before?.variables) }),
    ...(read?.metadata && patchOf(read.metadata)),
    ...read?.verbatim,
    ...(yield* batch.sourceFields(read, before))
  }
  return { read, patch }
})

export const insertPage = Effect.fnUntraced(function* (
  batch: ContentBatch,
  change: typeof InsertPage.Type,
  path: string
) {
  const type = change.type ?? "document"
  if (type === "link" && change.target === undefined) {
    return yield* invalid(`${path}.target`, "Expected the target of the link")
  }
  if (type !== "link" && change.target !== undefined)
    return yield* invalid(`${path}.target`, "Only a link has a target")
  if (type !== "document" && change.document !== undefined) {
    return yield* invalid(`${path}.document`, `A ${type} has no document`)
  }
  yield* checkCondition(change, path)
  yield* checkComputed(change, type, path)
  const parent = yield* batch.parent(change.into ?? null, path)
  const titles = change.title === undefined ? [] : [change.title]
  const { read, patch } = yield* readChange(batch, change, path, titles)
  const { editor } = batch
  const folder = yield* PathReferences.folderOf(editor, { parent })
  const document = read && (yield* batch.resolveLinks(read.document, { folder, stored: StoredDocument.empty }))
  const entry = yield* editor.insertPage({
    ...patch,
    id: (change.ref === undefined ? undefined : batch.refs.get("page", change.ref)) ?? (yield* batch.env.nextId),
    type,
    title: patch.title ?? read?.heading ?? "Untitled",
    parent,
    ...(change.at !== undefined && { at: change.at }),
    ...(document !== undefined && { document })
  })
  if (document !== undefined) batch.documentEdits.set(entry.id, { folder, stored: StoredDocument.empty })
  batch.outcomes.set(entry.id, {
    object: "created_page",
    page: entry.id,
    ...(change.ref !== undefined && { ref: change.ref })
  })
})

export const updatePage = Effect.fnUntraced(function* (
  batch: ContentBatch,
  change: typeof UpdatePage.Type,
  path: string
) {
  const { editor } = batch
  const id = batch.pageId(change.page)
  const page = yield* editor.page(id)
  if (page === undefined) return yield* new ContentPageNotFound({ page: change.page })
  yield* checkCondition(change, path)
  if (page.type !== "link" && change.target !== undefined) {
    return yield* invalid(`${path}.target`, "Only a link has a target")
  }
  if (page.type !== "document" && change.document !== undefined) {
    return yield* invalid(`${path}.document`, `A ${page.type} has no document`)
  }
  if (change.computed !== undefined && page.computed === undefined) {
    return yield* invalid(`${path}.computed`, "The page isn't computed: insert one that is")
  }
  const after = change.computed === undefined ? page.computed : change.computed
  yield* checkComputed({ computed: after, document: change.document }, page.type, path)
  const titles = change.title === undefined ? [page.title] : [change.title, page.title]
  const { read, patch } = yield* readChange(batch, change, path, titles, page)
  // The page is moved before its slug changes, since the slug must be free at the new position.
  const { slug, ...otherFields } = patch
  if (change.into !== undefined || change.at !== undefined) {
    const parent = change.into === undefined ? page.parent : yield* batch.parent(change.into, path)
    const destination = { parent, ...(change.at !== undefined && { at: change.at }) }
    yield* editor.movePage(id, slug === undefined ? destination : { ...destination, slug })
  } else if (slug !== undefined) yield* editor.updatePage(id, { slug })
  yield* editor.updatePage(id, otherFields)
  if (read !== undefined) {
    const folder = yield* PathReferences.folderOf(editor, (yield* editor.page(id)) ?? page)
    const storedDocument = yield* editor.document(page.document)
    const resolved = yield* batch.resolveLinks(read.document, { folder, stored: storedDocument })
    yield* editor.setDocument(id, resolved, { isTree: change.document?.document !== undefined })
    batch.documentEdits.set(page.id, { folder, stored: storedDocument })
  }
  batch.markUpdated(page.id)
})

export const revertPage = Effect.fnUntraced(function* (
  batch: ContentBatch,
  change: typeof RevertPage.Type,
  path: string
) {
  const content = yield* batch.env.contentOf(change.revision)
  if (content === undefined) {
    return yield* invalid(`${path}.revision`, "There is no such revision of this space to revert to")
  }
  const id = batch.pageId(change.page)
  batch.documentEdits.delete(id as PageId)
  const earlier = ContentReader.make(batch.draft, content)
  if (change.block !== undefined) {
    const page = yield* PageRevert.blocks(batch.draft.threads, batch.editor, earlier, id, change.block)
    return batch.markUpdated(page)
  }
  const revertResult = yield* PageRevert.page(batch.editor, earlier, id)
  if (revertResult.object === "kept_below") {
    return yield* invalid(`${path}.page`, "Pages that were there before stand below it: move them away first")
  }
  if (revertResult.object === "deleted_page") return revertResult.pages.forEach((page) => batch.markDeleted(page))
  batch.markUpdated(revertResult.page)
})
