/** Resolves conflicts: by choosing a version, or by editing the subject of the conflict. */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { Content, ReusableContentEntry } from "../Content.ts"
import type { ContentChange } from "../edits/ContentChange.ts"
import * as ContentEditor from "../edits/ContentEditor.ts"
import * as ContentReader from "../ContentReader.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import * as DocumentComparison from "../documents/DocumentComparison.ts"
import type { FileEntry } from "../files/File.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { type PageEntry, type PageId, pageOptions } from "../pages/Page.ts"
import * as PageTree from "../pages/PageTree.ts"
import type { StoredDocument } from "../documents/StoredDocument.ts"
import { type Conflict, ConflictRefused, type Keep, keepOptions, PageField } from "./Conflict.ts"
import { mergeOptions } from "./EntryMerge.ts"

interface ResolutionEnv {
  readonly editor: ContentEditor.ContentEditor
  readonly draft: ObjectDraft
  readonly nextKey: () => string
}

const refuse = (conflict: Conflict, message: string) => new ConflictRefused({ conflict: conflict.id, message })

/**
 * Returns the content with the conflict resolved. `both` keeps both versions of a block, main's first, and is rejected
 * for other subjects. A subject that no longer exists stays unchanged.
 */
export const resolve = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  conflict: Conflict,
  keep: Keep,
  nextKey: () => string
): Effect.fn.Return<Content, ConflictRefused | StorageError> {
  if (!keepOptions(conflict).includes(keep)) {
    const limitation = conflict.block === undefined ? "Only a block can" : "A cell or a header can't"
    return yield* refuse(conflict, `${limitation} keep both versions: choose main or ours`)
  }
  const editor = ContentEditor.make(draft, content, yield* Timestamps.now)
  const env = { editor, draft, nextKey }
  const version = conflict[keep === "both" ? "main" : keep]
  if (conflict.page !== undefined) {
    const page = yield* editor.page(conflict.page)
    if (page !== undefined) yield* resolvePage(env, page, conflict, keep, version)
  } else if (conflict.reusableContent !== undefined) {
    const entry = yield* editor.reusableContent(conflict.reusableContent)
    if (entry !== undefined) yield* resolveReusableContent(env, entry, conflict, keep, version)
  } else if (conflict.file !== undefined) {
    const entry = yield* editor.file(conflict.file)
    if (entry !== undefined) yield* resolveFile(editor, entry, conflict, version)
  } else if (conflict.variable !== undefined) {
    yield* editor.setVariable(conflict.variable, (version as ContentReader.VariableValue | null) ?? undefined)
  }
  return yield* editor.finish
})

const resolveBlock = Effect.fnUntraced(function* (
  { draft, nextKey }: ResolutionEnv,
  document: StoredDocument,
  conflict: Conflict,
  choice: Keep
) {
  const sideOf = (version: unknown) =>
    version === null ? undefined : WireDocument.decodeBlock(version as WireDocument.WireBlock)
  const resolution = yield* DocumentComparison.resolve(draft, {
    document,
    conflict: {
      block: conflict.block!,
      ...(conflict.row !== undefined && { row: conflict.row }),
      ...(conflict.column !== undefined && { column: conflict.column }),
      base: sideOf(conflict.base),
      main: sideOf(conflict.main),
      ours: sideOf(conflict.ours)
    },
    choice,
    key: nextKey()
  })
  if (!("refused" in resolution)) return resolution
  // The document already contains our version, even if the block was removed after the merge.
  return choice === "ours" ? document : yield* refuse(conflict, resolution.refused)
})

const resolvePage = Effect.fnUntraced(function* (
  env: ResolutionEnv,
  page: PageEntry,
  conflict: Conflict,
  keep: Keep,
  version: unknown
) {
  const { editor } = env
  const dieOfMissingPage = () => Effect.die(new Error(`Page ${page.id} went missing`))
  if (conflict.block !== undefined) {
    const document = yield* resolveBlock(env, yield* editor.document(page.document), conflict, keep)
    yield* editor.replaceDocument(page.id, document).pipe(Effect.catchTag("ContentPageNotFound", dieOfMissingPage))
    return
  }
  switch (conflict.field) {
    case "page":
      if (version === null) {
        yield* editor.removePage(page.id).pipe(Effect.catchTag("ContentPageNotFound", dieOfMissingPage))
      }
      return
    case "place":
      // The page is at our position, unless the merge reverted its move or placed it after a sibling of main's with the
      // same position.
      if (keep === "ours" && (version as PageEntry).parent === page.parent) return
      return yield* resolvePosition(editor, page, conflict, version as Pick<PageEntry, "parent" | "position">)
    case "type":
    case "document":
      return yield* editor.replacePages(new Map([[page.id, withField(page, conflict.field, version)]]))
    case "layout":
    case "cover":
    case "variables": {
      if (version === null) return yield* setField(editor, page, conflict, undefined)
      // Options without a conflict keep their merged values.
      const base = conflict.base ?? pageOptions[conflict.field]
      const { value } = mergeOptions(base, page[conflict.field] ?? version, version)
      return yield* setField(editor, page, conflict, value)
    }
    default:
      yield* setField(editor, page, conflict, version ?? undefined)
  }
})

const setField = (
  editor: ContentEditor.ContentEditor,
  page: PageEntry,
  conflict: Conflict,
  value: unknown
): Effect.Effect<void, ConflictRefused | StorageError> =>
  editor.updatePage(page.id, { [conflict.field ?? ""]: value }).pipe(
    Effect.catchTag("ContentPageNotFound", () => Effect.die(new Error(`Page ${page.id} went missing`))),
    Effect.catchTag("SlugTaken", (error) => Effect.fail(refuse(conflict, error.message))),
    Effect.asVoid
  )

const withField = <A extends object>(entry: A, field: string, value: unknown): A => {
  const fields = new Map(Object.entries(entry))
  if (value === null) fields.delete(field)
  else fields.set(field, value)
  return Object.fromEntries(fields) as A
}

const resolvePosition = Effect.fnUntraced(function* (
  editor: ContentEditor.ContentEditor,
  page: PageEntry,
  conflict: Conflict,
  position: { readonly parent: PageId | null; readonly position: string }
) {
  if (position.parent === page.parent && position.position === page.position) return
  const parent = position.parent === null ? null : yield* editor.page(position.parent)
  if (parent === undefined) return yield* refuse(conflict, "The page it stood under is gone")
  if (parent !== null) {
    if (yield* PageTree.isWithin(editor, parent.id, page.id)) {
      return yield* refuse(conflict, "The page it would stand under is below it now")
    }
    const depth = (yield* PageTree.ancestors(editor, parent)).length + 1
    if (depth + (yield* PageTree.descendantLevels(editor, page.id)).length > PageTree.maxDepth) {
      return yield* refuse(conflict, `Pages nest at most ${PageTree.maxDepth} levels deep`)
    }
  }
  yield* editor.replacePages(new Map([[page.id, { ...page, ...position }]]))
})

const resolveReusableContent = Effect.fnUntraced(function* (
  env: ResolutionEnv,
  entry: ReusableContentEntry,
  conflict: Conflict,
  keep: Keep,
  version: unknown
) {
  const { editor } = env
  if (conflict.block !== undefined) {
    const document = yield* resolveBlock(env, yield* editor.document(entry.document), conflict, keep)
    const hash = yield* editor.writeDocument(document)
    yield* editor.putReusableContent(withField(entry, "document", hash ?? null))
  } else if (conflict.field !== "reusableContent") {
    yield* editor.putReusableContent(withField(entry, conflict.field ?? "", version))
  } else if (version === null) yield* editor.removeReusableContent(entry.id)
})

const resolveFile = (
  editor: ContentEditor.ContentEditor,
  entry: FileEntry,
  conflict: Conflict,
  version: unknown
): Effect.Effect<void> => {
  if (conflict.field === "file") return version === null ? editor.removeFile(entry.id) : Effect.void
  if (conflict.field === "name") return editor.putFile(withField(entry, "name", version))
  const { dimensions: _, ...rest } = entry
  return editor.putFile({ ...rest, ...(version as Pick<FileEntry, "blob" | "size" | "contentType" | "dimensions">) })
}

/**
 * Returns the conflicts that a batch of changes resolves: it writes the conflicting field, the document of the block,
 * or the variable. Deleting a page resolves its conflicts too (see `openConflicts`).
 */
export const resolvedBy = (
  conflicts: ReadonlyArray<Conflict>,
  changes: ReadonlyArray<ContentChange>
): ReadonlyArray<Conflict> => {
  const resolvedNames = new Set<string>()
  for (const change of changes) for (const name of resolvedSubjects(change)) resolvedNames.add(name)
  return conflicts.filter((conflict) => resolvedNames.has(nameOf(conflict)))
}

/** Returns the conflicts that still need a decision: conflicts whose pages still exist in the content. */
export const openConflicts = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  conflicts: ReadonlyArray<Conflict>
): Effect.fn.Return<ReadonlyArray<Conflict>, StorageError> {
  const ids = Array.from(new Set(conflicts.flatMap(({ page }) => page ?? [])))
  if (ids.length === 0) return conflicts
  const pages = yield* ContentReader.make(draft, content).pages(ids)
  const deletedPages = new Set(ids.filter((_, i) => pages[i] === undefined))
  return deletedPages.size === 0
    ? conflicts
    : conflicts.filter(({ page }) => page === undefined || !deletedPages.has(page))
})

const nameOf = ({ page, reusableContent, file, variable, field, block }: Conflict): string => {
  const subjectField = block === undefined ? (field ?? "") : "document"
  return JSON.stringify([page ?? null, reusableContent ?? null, file ?? null, variable ?? null, subjectField])
}

const resolvedSubjects = (change: ContentChange): ReadonlyArray<string> => {
  const noVersions = { id: "", base: null, main: null, ours: null }
  switch (change.operation) {
    case "update_page": {
      const fields = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
      if (change.into !== undefined || change.at !== undefined) fields.push("place")
      return fields.map((field) => nameOf({ ...noVersions, page: change.page, field }))
    }
    case "revert_page":
      return change.block === undefined ? pageNames(change.page) : []
    case "upsert_reusable_content":
      return ["title", "document"]
        .filter((field) => change[field as "title" | "document"] !== undefined)
        .map((field) => nameOf({ ...noVersions, reusableContent: change.reusableContent ?? "", field }))
    case "set_variables":
      return Object.keys(change.variables).map((variable) => nameOf({ ...noVersions, variable }))
    default:
      return []
  }
}

const pageNames = (page: string): ReadonlyArray<string> =>
  PageField.literals.map((field) => nameOf({ id: "", base: null, main: null, ours: null, page, field }))
