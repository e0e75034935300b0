/**
 * Applies a batch of changes to a content, all or nothing: the first change that is wrong fails the
 * batch with an error that says which it was.
 *
 * A `ref` names a page, file or reusable content of the batch: as `page` and `into` of later
 * changes, and in the links of every document of the batch (`/pages/<ref>`, `/files/<ref>`). Links
 * by path find pages that are there when the batch is done (see `PathReferences`).
 */
import { Effect, Equal, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { TooCostly } from "../../thread/Threads.ts"
import type { Timestamp } from "../../schema/Text.ts"
import * as Condition from "@lectern/document/condition/Condition"
import * as ComputedSource from "../../computed/ComputedSource.ts"
import * as BatchDocument from "../documents/BatchDocument.ts"
import { type RefKind, Refs } from "../documents/BatchRefs.ts"
import type { FencedBlock } from "@lectern/document/overlay/BlockOrigin"
import type { Content } from "../Content.ts"
import {
  type ContentChange,
  type DocumentBody,
  type InsertFiles,
  type InsertPage,
  isVariableName,
  maxFileBytes,
  type RevertPage,
  type SetVariables,
  type UpdatePage,
  type UpsertReusableContent,
  wrongVariableName
} from "./ContentChange.ts"
import * as ContentEditor from "./ContentEditor.ts"
import { ContentPageNotFound, invalid, PageCycle, SlugTaken } from "./ContentErrors.ts"
import type { ContentLimitReached, InvalidChange } from "./ContentErrors.ts"
import * as ContentReader from "../ContentReader.ts"
import type { FileId } from "../files/File.ts"
import * as FileType from "../files/FileType.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import type { PageId, PageType } from "../pages/Page.ts"
import * as PathReferences from "../pages/PathReferences.ts"
import * as PageRevert from "../pages/PageRevert.ts"
import type { Read } from "../documents/ReadDocument.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import * as StyledBlocks from "../documents/StyledBlocks.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"

export interface ContentChangesEnv {
  readonly now: Timestamp
  readonly nextId: Effect.Effect<string>
  /** A key for a block. */
  readonly nextKey: () => string
  readonly putBlob: (bytes: Uint8Array) => Effect.Effect<BlobHash, StorageError>
  /** Files that were fetched, by URL. */
  readonly fileAt?: (url: string) => { readonly bytes: Uint8Array; readonly contentType?: string } | undefined
  /**
   * The content of a revision of the space, undefined where there is none (or it is not of this
   * space). Called without a revision for what `revert_page` goes back to by default.
   */
  readonly contentOf: (revision?: string) => Effect.Effect<Content | undefined, StorageError>
  /** The blocks of integrations that are written as code. Default: none. */
  readonly fenced?: ReadonlyArray<FencedBlock>
  /** References that absolute URLs lead to. Default: URLs stay as they are. */
  readonly refsOf?: PathReferences.RefsOf
}

/** A document that the batch wrote, and where its relative links start. */
interface Written {
  readonly folder: string
  /** The document from before. */
  readonly stored: StoredDocument.StoredDocument
}

/** Outcome for a page: each page once, in the order the batch first touched it. */
export type PageOutcome =
  | { readonly object: "created_page"; readonly page: PageId; readonly ref?: string }
  | { readonly object: "updated_page"; readonly page: PageId }
  | { readonly object: "deleted_page"; readonly page: PageId }

export interface AppliedChanges {
  readonly content: Content
  readonly changes: ReadonlyArray<PageOutcome>
  readonly insertedFiles: ReadonlyArray<{ readonly file: FileId; readonly ref?: string }>
  readonly reusableContents: ReadonlyArray<{ readonly reusableContent: string; readonly ref?: string }>
}

export type ChangeError = InvalidChange | ContentPageNotFound | SlugTaken | PageCycle | TooCostly

type EditError = ChangeError | ContentLimitReached | StorageError

/** One batch: what was changed so far, and what its names stand for. */
class Batch {
  readonly draft: ObjectDraft
  readonly env: ContentChangesEnv
  readonly editor: ContentEditor.ContentEditor
  readonly refs: Refs
  readonly outcomes = new Map<PageId, PageOutcome>()
  readonly written = new Map<PageId, Written>()
  readonly insertedFiles: Array<{ readonly file: FileId; readonly ref?: string }> = []
  readonly reusableContents: Array<{ readonly reusableContent: string; readonly ref?: string }> = []

  constructor(draft: ObjectDraft, content: Content, env: ContentChangesEnv, refs: Refs) {
    this.draft = draft
    this.env = env
    this.editor = ContentEditor.make(draft, content, env.now)
    this.refs = refs
  }

  pageId(name: string): string {
    return this.refs.get("page", name) ?? name
  }

  updated(page: PageId): void {
    const known = this.outcomes.get(page)
    if (known === undefined || known.object === "deleted_page") {
      this.outcomes.set(page, { object: "updated_page", page })
    }
  }

  deleted(page: PageId): void {
    const created = this.outcomes.get(page)?.object === "created_page"
    if (created) this.outcomes.delete(page)
    else this.outcomes.set(page, { object: "deleted_page", page })
  }

  /** `titles`: of a page, where its text may begin with one. */
  document(body: DocumentBody, path: string, titles?: ReadonlyArray<string>) {
    const { nextKey, fenced } = this.env
    const { threads } = this.draft
    return BatchDocument.read(body, path, {
      threads,
      nextKey,
      refs: this.refs,
      ...(fenced && { fenced }),
      ...(titles && { titles })
    })
  }

  /** The form of a page with what of it was written in a form of its own. */
  readonly styled = (read: Read | undefined, before: { readonly source?: ObjectHash } | undefined) =>
    Effect.gen({ self: this }, function* () {
      if (read?.styled === undefined) return {}
      const known = before?.source && StoredDocument.unfold(yield* this.editor.source(before.source))
      return { source: this.draft.write(StyledBlocks.kept(known, read.styled)) }
    })

  /** The document with its links by path and by URL as references by id. */
  resolved(document: StoredDocument.StoredDocument, { folder, stored }: Written) {
    return PathReferences.resolve(this.editor, this.draft.threads, document, folder, stored, this.env.refsOf)
  }

  /** The page that others are to be put into; the top where it is null. */
  readonly parent = (into: string | null, path: string) =>
    Effect.gen({ self: this }, function* () {
      if (into === null) return null
      const id = this.pageId(into)
      const page = yield* this.editor.page(id)
      if (page === undefined) return yield* new ContentPageNotFound({ page: into, path: `${path}.into` })
      if (page.type === "link") return yield* invalid(`${path}.into`, "A link holds no pages")
      if (page.type === "computed") {
        return yield* invalid(`${path}.into`, "A computed page holds the pages that are built for it, and no others")
      }
      return page.id
    })
}

type Metadata = Pick<typeof UpdatePage.Type, keyof ContentEditor.PagePatch & keyof typeof UpdatePage.Type>

/** Fields that an empty text or null takes away, and flags that are taken away when set to false. */
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

/** Refuses a condition that can't be read. One that an import brought stays as it came: then it never holds. */
const checkCondition = (
  { condition }: Pick<Metadata, "condition">,
  path: string
): Effect.Effect<void, InvalidChange> => {
  const tree =
    condition === undefined || condition === null || condition === "" ? undefined : Condition.parse(condition)
  return tree !== undefined && Result.isFailure(tree) ? invalid(`${path}.condition`, tree.failure.message) : Effect.void
}

/** A computed page is computed from what its type is built of, and has no document of its own. */
const checkComputed = (
  {
    computed,
    document
  }: { readonly computed?: ComputedSource.ComputedSource | null | undefined; readonly document?: unknown },
  type: PageType,
  path: string
): Effect.Effect<void, InvalidChange> => {
  const isNone = computed === undefined || computed === null
  if (type === "computed") {
    if (isNone || !ComputedSource.givesPages(computed)) {
      return invalid(`${path}.computed`, "Expected what the pages are computed from, with models in its props")
    }
  } else if (!isNone) {
    if (type !== "document") return invalid(`${path}.computed`, `A ${type} is not computed`)
    if (!ComputedSource.givesText(computed)) {
      return invalid(`${path}.computed`, "Expected what the document is computed from, with doc in its props")
    }
    if (document !== undefined) return invalid(`${path}.document`, "A page that is computed has no document of its own")
  }
  return Effect.void
}

const insertPage = Effect.fnUntraced(function* (batch: Batch, change: typeof InsertPage.Type, path: string) {
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
  const read = change.document && (yield* batch.document(change.document, `${path}.document`, titles))
  const patch = {
    ...patchOf(change),
    ...(read?.metadata && patchOf(read.metadata)),
    ...read?.verbatim,
    ...(yield* batch.styled(read, undefined))
  }
  const { editor } = batch
  const folder = yield* PathReferences.folderOf(editor, { parent })
  const document = read && (yield* batch.resolved(read.document, { folder, stored: StoredDocument.empty }))
  const entry = yield* editor.insertPage({
    ...patch,
    id: (change.ref === undefined ? undefined : batch.refs.get("page", change.ref)) ?? (yield* batch.env.nextId),
    type,
    title: patch.title ?? read?.heading ?? "Untitled",
    parent,
    ...(change.at !== undefined && { at: change.at }),
    ...(document !== undefined && { document })
  })
  if (document !== undefined) batch.written.set(entry.id, { folder, stored: StoredDocument.empty })
  batch.outcomes.set(entry.id, {
    object: "created_page",
    page: entry.id,
    ...(change.ref !== undefined && { ref: change.ref })
  })
})

const updatePage = Effect.fnUntraced(function* (batch: Batch, change: typeof UpdatePage.Type, path: string) {
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
  const read = change.document && (yield* batch.document(change.document, `${path}.document`, titles))
  const patch = {
    ...patchOf(change),
    ...(read?.metadata && patchOf(read.metadata)),
    ...read?.verbatim,
    ...(yield* batch.styled(read, page))
  }
  // The place first: a slug has to be free where the page ends up.
  const { slug, ...others } = patch
  if (change.into !== undefined || change.at !== undefined) {
    const parent = change.into === undefined ? page.parent : yield* batch.parent(change.into, path)
    const place = { parent, ...(change.at !== undefined && { at: change.at }) }
    yield* editor.movePage(id, slug === undefined ? place : { ...place, slug })
  } else if (slug !== undefined) yield* editor.updatePage(id, { slug })
  yield* editor.updatePage(id, others)
  if (read !== undefined) {
    const folder = yield* PathReferences.folderOf(editor, (yield* editor.page(id)) ?? page)
    const stored = yield* editor.document(page.document)
    yield* editor.setDocument(id, yield* batch.resolved(read.document, { folder, stored }))
    batch.written.set(page.id, { folder, stored })
  }
  batch.updated(page.id)
})

const insertFiles = Effect.fnUntraced(function* (batch: Batch, change: typeof InsertFiles.Type, path: string) {
  for (const [i, file] of change.files.entries()) {
    const at = `${path}.files[${i}]`
    if (file.url !== undefined && file.base64 !== undefined) {
      return yield* invalid(`${at}.url`, "Expected a URL or base64, not both")
    }
    const { bytes, contentType } = yield* file.url === undefined
      ? Effect.map(sentBytes(file.base64, `${at}.base64`), (bytes) => ({ bytes, contentType: undefined }))
      : fetchedBytes(batch, file.url, `${at}.url`)
    const id = (file.ref === undefined ? undefined : batch.refs.get("file", file.ref)) ?? (yield* batch.env.nextId)
    yield* batch.editor.putFile({
      id: id as FileId,
      name: file.name,
      size: bytes.length,
      blob: yield* batch.env.putBlob(bytes),
      ...FileType.detect(bytes, file.name, file.contentType ?? contentType)
    })
    batch.insertedFiles.push({ file: id as FileId, ...(file.ref !== undefined && { ref: file.ref }) })
  }
})

const sentBytes = (base64: string | undefined, path: string): Effect.Effect<Uint8Array, InvalidChange> => {
  if (base64 === undefined) return invalid(path, "Expected the bytes of the file as base64")
  const tooLarge = invalid(path, `Expected at most ${maxFileBytes} bytes`)
  if (base64.length > Math.ceil(maxFileBytes / 3) * 4 + 4) return tooLarge
  const decoded = Base64.decode(base64)
  if (Result.isFailure(decoded)) return invalid(path, "Expected base64")
  return decoded.success.length > maxFileBytes ? tooLarge : Effect.succeed(decoded.success)
}

const fetchedBytes = ({ env }: Batch, url: string, path: string) => {
  const fetched = env.fileAt?.(url)
  return fetched === undefined
    ? invalid(path, "Files are not fetched here: send the bytes as base64")
    : Effect.succeed(fetched)
}

const setVariables = Effect.fnUntraced(function* (batch: Batch, change: typeof SetVariables.Type, path: string) {
  const known = yield* batch.editor.variables
  for (const [name, value] of Object.entries(change.variables)) {
    if (!isVariableName(name)) return yield* invalid(`${path}.variables`, wrongVariableName)
    const next = value ?? undefined
    if ((Object.hasOwn(known, name) ? known[name] : undefined) !== next) yield* batch.editor.setVariable(name, next)
  }
})

const upsertReusableContent = Effect.fnUntraced(function* (
  batch: Batch,
  change: typeof UpsertReusableContent.Type,
  path: string
) {
  const { editor } = batch
  const name = change.reusableContent
  const id = name === undefined ? undefined : (batch.refs.get("reusableContent", name) ?? name)
  const before = id === undefined ? undefined : yield* editor.reusableContent(id)
  if (id !== undefined && before === undefined) {
    return yield* invalid(`${path}.reusableContent`, `There is no reusable content ${name}`)
  }
  const title = change.title ?? before?.title
  if (title === undefined) return yield* invalid(`${path}.title`, "Expected a title")
  const read = change.document && (yield* batch.document(change.document, `${path}.document`))
  const stored = yield* editor.document(before?.document)
  const document =
    read === undefined
      ? before?.document
      : yield* editor.writeDocument(yield* batch.resolved(read.document, { folder: "", stored }), before?.document)
  const entry = {
    id:
      before?.id ??
      (change.ref === undefined ? undefined : batch.refs.get("reusableContent", change.ref)) ??
      (yield* batch.env.nextId),
    title,
    ...(document !== undefined && { document }),
    ...(before?.git && { git: before.git }),
    ...(before?.source && { source: before.source }),
    ...(yield* batch.styled(read, before))
  }
  if (!Equal.equals(before, entry)) yield* editor.putReusableContent(entry)
  batch.reusableContents.push({ reusableContent: entry.id, ...(change.ref !== undefined && { ref: change.ref }) })
})

const revertPage = Effect.fnUntraced(function* (batch: Batch, change: typeof RevertPage.Type, path: string) {
  const content = yield* batch.env.contentOf(change.revision)
  if (content === undefined) {
    return yield* invalid(`${path}.revision`, "There is no such revision of this space to revert to")
  }
  const id = batch.pageId(change.page)
  batch.written.delete(id as PageId)
  const earlier = ContentReader.make(batch.draft, content)
  if (change.block !== undefined) {
    const page = yield* PageRevert.blocks(batch.draft.threads, batch.editor, earlier, id, change.block)
    return batch.updated(page)
  }
  const reverted = yield* PageRevert.page(batch.editor, earlier, id)
  if (reverted.object === "kept_below") {
    return yield* invalid(`${path}.page`, "Pages that were there before stand below it: move them away first")
  }
  if (reverted.object === "deleted_page") return reverted.pages.forEach((page) => batch.deleted(page))
  batch.updated(reverted.page)
})

const applyOne = (batch: Batch, change: ContentChange, path: string): Effect.Effect<void, EditError> => {
  switch (change.operation) {
    case "insert_page":
      return insertPage(batch, change, path)
    case "update_page":
      return updatePage(batch, change, path)
    case "delete_page":
      return Effect.map(batch.editor.removePage(batch.pageId(change.page)), (pages) =>
        pages.forEach((page) => batch.deleted(page))
      )
    case "revert_page":
      return revertPage(batch, change, path)
    case "insert_files":
      return insertFiles(batch, change, path)
    case "set_variables":
      return setVariables(batch, change, path)
    case "upsert_reusable_content":
      return upsertReusableContent(batch, change, path)
  }
}

/** Says where in the body the change stands that could not be made. */
const located =
  (path: string) =>
  (error: EditError): ChangeError | StorageError => {
    switch (error._tag) {
      case "ContentLimitReached":
        return invalid(path, error.message)
      case "ContentPageNotFound":
        return new ContentPageNotFound({ page: error.page, path: error.path ?? `${path}.page` })
      case "SlugTaken":
        return new SlugTaken({ slug: error.slug, parent: error.parent, page: error.page, path: `${path}.slug` })
      case "PageCycle":
        return new PageCycle({ page: error.page, into: error.into, path: `${path}.into` })
      default:
        return error
    }
  }

/** Everything that is named in the batch gets its id at once, so that documents may speak of what comes later. */
const namesOf = Effect.fnUntraced(function* (changes: ReadonlyArray<ContentChange>, env: ContentChangesEnv) {
  const refs = new Refs()
  for (const [i, change] of changes.entries()) {
    const named: Array<readonly [kind: RefKind, ref: string | undefined, path: string]> = []
    const path = `body.changes[${i}]`
    if (change.operation === "insert_page") named.push(["page", change.ref, `${path}.ref`])
    if (change.operation === "upsert_reusable_content") named.push(["reusableContent", change.ref, `${path}.ref`])
    if (change.operation === "insert_files") {
      for (const [n, file] of change.files.entries()) named.push(["file", file.ref, `${path}.files[${n}].ref`])
    }
    for (const [kind, ref, where] of named) {
      if (ref === undefined) continue
      if (!refs.add(kind, ref, yield* env.nextId)) return yield* invalid(where, `The ref "${ref}" is used twice`)
    }
  }
  return refs
})

/** Links by path to pages that came after the page they stand on. */
const linkLaterPages = Effect.fnUntraced(function* ({ draft, editor, written }: Batch) {
  for (const [id, { folder, stored }] of written) {
    const page = yield* editor.page(id)
    if (page?.document === undefined) continue
    const document = yield* editor.document(page.document)
    const linked = yield* PathReferences.resolve(editor, draft.threads, document, folder, stored)
    if (linked !== document) yield* editor.replaceDocument(id, linked)
  }
})

export const apply = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  changes: ReadonlyArray<ContentChange>,
  env: ContentChangesEnv
): Effect.fn.Return<AppliedChanges, ChangeError | StorageError> {
  const batch = new Batch(draft, content, env, yield* namesOf(changes, env))
  for (const [i, change] of changes.entries()) {
    const path = `body.changes[${i}]`
    yield* Effect.mapError(applyOne(batch, change, path), located(path))
  }
  if (changes.length > 1) yield* linkLaterPages(batch)
  return {
    content: yield* batch.editor.finish,
    changes: Array.from(batch.outcomes.values()),
    insertedFiles: batch.insertedFiles,
    reusableContents: batch.reusableContents
  }
})
