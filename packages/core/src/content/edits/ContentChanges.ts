/**
 * Applies a batch of changes to a content, completely or not at all. The first invalid change fails the batch with an
 * error that contains the path of the change.
 *
 * A `ref` names a page, file or reusable content of the batch. Later changes use it as `page` and `into`, and every
 * document of the batch can link to it (`/pages/<ref>`, `/files/<ref>`). Links by path can lead to pages that exist at
 * the end of the batch (see `PathReferences`).
 */
import { Effect, Equal } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import type { TooCostly } from "../../thread/Threads.ts"
import type { Content } from "../Content.ts"
import { type RefKind, BatchRefs } from "../documents/BatchRefs.ts"
import type { FileId } from "../files/File.ts"
import * as PathReferences from "../pages/PathReferences.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { type BatchEnv, ContentBatch, type PageOutcome } from "./ContentBatch.ts"
import {
  type ContentChange,
  isVariableName,
  type SetVariables,
  type UpsertReusableContent,
  invalidNameMessage
} from "./ContentChange.ts"
import { ContentPageNotFound, invalid, PageCycle, SlugTaken } from "./ContentErrors.ts"
import type { ContentLimitReached, InvalidChange } from "./ContentErrors.ts"
import { insertFiles } from "./FileWrites.ts"
import { insertPage, revertPage, updatePage } from "./PageWrites.ts"

export interface AppliedChanges {
  readonly content: Content
  readonly changes: ReadonlyArray<PageOutcome>
  readonly insertedFiles: ReadonlyArray<{ readonly file: FileId; readonly ref?: string }>
  readonly reusableContents: ReadonlyArray<{ readonly reusableContent: string; readonly ref?: string }>
}

export type ChangeError = InvalidChange | ContentPageNotFound | SlugTaken | PageCycle | TooCostly

type EditError = ChangeError | ContentLimitReached | StorageError

const setVariables = Effect.fnUntraced(function* (batch: ContentBatch, change: typeof SetVariables.Type, path: string) {
  const current = yield* batch.editor.variables
  for (const [name, value] of Object.entries(change.variables)) {
    if (!isVariableName(name)) return yield* invalid(`${path}.variables`, invalidNameMessage)
    const next = value ?? undefined
    if ((Object.hasOwn(current, name) ? current[name] : undefined) !== next) yield* batch.editor.setVariable(name, next)
  }
})

const upsertReusableContent = Effect.fnUntraced(function* (
  batch: ContentBatch,
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
  const storedDocument = yield* editor.document(before?.document)
  const document =
    read === undefined
      ? before?.document
      : yield* editor.writeDocument(
          yield* batch.resolveLinks(read.document, { folder: "", stored: storedDocument }),
          before?.document,
          {
            isTree: change.document?.document !== undefined
          }
        )
  const entry = {
    id:
      before?.id ??
      (change.ref === undefined ? undefined : batch.refs.get("reusableContent", change.ref)) ??
      (yield* batch.env.nextId),
    title,
    ...(document !== undefined && { document }),
    ...(before?.git && { git: before.git }),
    ...(before?.source && { source: before.source }),
    ...(yield* batch.sourceFields(read, before))
  }
  if (!Equal.equals(before, entry)) yield* editor.putReusableContent(entry)
  batch.reusableContents.push({ reusableContent: entry.id, ...(change.ref !== undefined && { ref: change.ref }) })
})

const applyChange = (batch: ContentBatch, change: ContentChange, path: string): Effect.Effect<void, EditError> => {
  switch (change.operation) {
    case "insert_page":
      return insertPage(batch, change, path)
    case "update_page":
      return updatePage(batch, change, path)
    case "delete_page":
      return Effect.map(batch.editor.removePage(batch.pageId(change.page)), (pages) =>
        pages.forEach((page) => batch.markDeleted(page))
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

/** Adds the path of the failed change in the request body to an error. */
const withPath =
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

/** Assigns an id to each name of the batch before any change, so that documents can refer to pages of later changes. */
const assignIds = Effect.fnUntraced(function* (changes: ReadonlyArray<ContentChange>, env: BatchEnv) {
  const refs = new BatchRefs()
  for (const [i, change] of changes.entries()) {
    const namedObjects: Array<readonly [kind: RefKind, ref: string | undefined, path: string]> = []
    const path = `body.changes[${i}]`
    if (change.operation === "insert_page") namedObjects.push(["page", change.ref, `${path}.ref`])
    if (change.operation === "upsert_reusable_content")
      namedObjects.push(["reusableContent", change.ref, `${path}.ref`])
    if (change.operation === "insert_files") {
      for (const [n, file] of change.files.entries()) namedObjects.push(["file", file.ref, `${path}.files[${n}].ref`])
    }
    for (const [kind, ref, refPath] of namedObjects) {
      if (ref === undefined) continue
      if (!refs.add(kind, ref, yield* env.nextId)) return yield* invalid(refPath, `The ref "${ref}" is used twice`)
    }
  }
  return refs
})

/** Resolves links by path to pages that were inserted after the page with the link. */
const linkLaterPages = Effect.fnUntraced(function* ({ draft, editor, documentEdits }: ContentBatch) {
  for (const [id, { folder, stored }] of documentEdits) {
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
  env: BatchEnv
): Effect.fn.Return<AppliedChanges, ChangeError | StorageError> {
  const batch = new ContentBatch(draft, content, env, yield* assignIds(changes, env))
  for (const [i, change] of changes.entries()) {
    const path = `body.changes[${i}]`
    yield* Effect.mapError(applyChange(batch, change, path), withPath(path))
  }
  if (changes.length > 1) yield* linkLaterPages(batch)
  return {
    content: yield* batch.editor.finish,
    changes: Array.from(batch.outcomes.values()),
    insertedFiles: batch.insertedFiles,
    reusableContents: batch.reusableContents
  }
})
