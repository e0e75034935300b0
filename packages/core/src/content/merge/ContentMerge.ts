/**
 * Three-way merge of contents. `base` is the common ancestor, `ours` is the content of the change request, and `main`
 * is the content that the change request is updated with. The cost depends on the number of changes on both sides, not
 * on the number of pages.
 *
 * Changes of different pages and different fields never conflict, and documents are merged by block. A conflict becomes
 * a record (see `Conflict`), and the content keeps our version. Everything that a side wrote and did not remove itself
 * is in the content or in a record.
 */
import { Effect, Equal } from "effect"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { Content, ReusableContentEntry, Root, PassthroughFile } from "../Content.ts"
import * as ContentEditor from "../edits/ContentEditor.ts"
import type { Redirect, VariableValue } from "../ContentReader.ts"
import type { FileEntry } from "../files/File.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import type { PageEntry, PageId } from "../pages/Page.ts"
import * as PageTree from "../pages/PageTree.ts"
import * as Conflict from "./Conflict.ts"
import { mergeDocuments } from "./DocumentFieldMerge.ts"
import { type FieldGroup, isEdited, mergeFields, conflictValue, singleFields, type Versions } from "./EntryMerge.ts"
import { placeInserted } from "./InsertedPositions.ts"
import { mergePages, positionGroup } from "./PageMerge.ts"
import { movedOnBothSides, revertMoves } from "./PositionMerge.ts"
import * as ChangedEntries from "./ChangedEntries.ts"

export { resolve, resolvedBy, openConflicts } from "./ConflictResolution.ts"

export interface MergeSides {
  readonly base: Content
  readonly main: Content
  readonly ours: Content
}

export interface Merged {
  readonly content: Content
  readonly conflicts: ReadonlyArray<Conflict.Conflict>
}

export const merge = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  sides: MergeSides
): Effect.fn.Return<Merged, StorageError> {
  const { base, main, ours } = sides
  if (Equal.equals(base, main) || Equal.equals(main, ours)) return { content: ours, conflicts: [] }
  if (Equal.equals(base, ours)) return { content: main, conflicts: [] }
  // The editor starts with main, which contains main's changes. Our changes are applied to it.
  const editor = ContentEditor.make(draft, main, yield* Timestamps.now)
  const conflicts = [
    ...(yield* pages(draft, editor, sides)),
    ...(yield* files(draft, editor, sides)),
    ...(yield* reusableContents(draft, editor, sides)),
    ...(yield* variables(draft, editor, sides))
  ]
  yield* redirects(draft, editor, sides)
  yield* mergePassthroughFiles(draft, editor, sides)
  return { content: yield* editor.finish, conflicts }
})

const pages = Effect.fnUntraced(function* (draft: ObjectDraft, editor: ContentEditor.ContentEditor, sides: MergeSides) {
  const { base, main, ours } = sides
  const changedPages = yield* ChangedEntries.changedVersions<PageEntry>(draft, base.pages, main.pages, ours.pages)
  const merged = yield* mergePages(draft, changedPages)

  // Reads the ancestors of every changed page level by level. Also the ancestors of its position on each side, in case
  // a move is reverted.
  const parents = new Map<string, PageId | null>()
  let missingIds = [
    ...Array.from(merged.pages.values(), (page) => page?.parent ?? null),
    ...Array.from(changedPages.values()).flatMap(({ main, ours }) => [main?.parent ?? null, ours?.parent ?? null])
  ]
  for (;;) {
    const ids = new Set(missingIds.filter((id) => id !== null && !merged.pages.has(id) && !parents.has(id)))
    if (ids.size === 0) break
    const entries = yield* editor.pages(Array.from(ids, String))
    for (const [i, id] of Array.from(ids, String).entries()) parents.set(id, entries[i]?.parent ?? null)
    missingIds = entries.map((entry) => entry?.parent ?? null)
  }

  const conflicts = new Map(merged.conflicts.map((conflict) => [conflict.id, conflict]))
  const tree = { pages: merged.pages, changedPages, parentOf: (id: string) => parents.get(id) ?? null }
  const heights = new Map<string, number>()
  for (const id of movedOnBothSides(tree)) heights.set(id, (yield* PageTree.descendantLevels(editor, id)).length)
  const { toMain, toOurs } = revertMoves({ ...tree, heights })
  const addPositionConflict = (id: string, { base, main, ours }: Versions<PageEntry>) => {
    const sides = {
      base: conflictValue(base, positionGroup),
      main: conflictValue(main, positionGroup),
      ours: conflictValue(ours, positionGroup)
    }
    const conflict = Conflict.make(draft, { page: id, field: "place" }, sides)
    conflicts.set(conflict.id, conflict)
  }
  // If the parent on a side was deleted, the reported position is below the nearest remaining ancestor.
  for (const id of toMain) {
    const { base, main, ours } = changedPages.get(id)!
    addPositionConflict(id, { base, main: { ...main!, parent: merged.pages.get(id)!.parent }, ours })
  }
  for (const id of toOurs) {
    const { base, main, ours } = changedPages.get(id)!
    if (main === undefined || ours === undefined || toMain.includes(id)) continue
    addPositionConflict(id, { base, main, ours: { ...ours, parent: merged.pages.get(id)!.parent } })
  }
  yield* placeInserted(draft, sides, changedPages, merged.pages)
  const slice = yield* Slice.start
  const replaced = new Map<string, PageEntry | undefined>()
  for (const [id, page] of merged.pages) {
    if (!Equal.equals(page, changedPages.get(id)!.main)) replaced.set(id, page)
    if (slice.isOver()) yield* slice.pause
  }
  yield* editor.replacePages(replaced)
  return Array.from(conflicts.values())
})

const fileGroups: ReadonlyArray<FieldGroup<FileEntry>> = [
  ...singleFields<FileEntry>("name"),
  { name: "bytes", fields: ["blob", "size", "contentType", "dimensions"] }
]

const files = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  editor: ContentEditor.ContentEditor,
  { base, main, ours }: MergeSides
) {
  const conflicts: Array<Conflict.Conflict> = []
  for (const [id, versions] of yield* ChangedEntries.changedVersions<FileEntry>(
    draft,
    base.files,
    main.files,
    ours.files
  )) {
    const { entry, fields } = mergeEntry(versions, fileGroups)
    for (const { field, ...sides } of fields) {
      conflicts.push(Conflict.make(draft, { file: id, field: field ?? "file" }, sides))
    }
    if (Equal.equals(entry, versions.main)) continue
    yield* entry === undefined ? editor.removeFile(id) : editor.putFile(entry)
  }
  return conflicts
})

const reusableContentGroups = singleFields<ReusableContentEntry>("title")
const readableGroups = singleFields<ReusableContentEntry>("title", "document")

const reusableContents = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  editor: ContentEditor.ContentEditor,
  { base, main, ours }: MergeSides
) {
  const conflicts: Array<Conflict.Conflict> = []
  const changedContents = yield* ChangedEntries.changedVersions<ReusableContentEntry>(
    draft,
    base.reusableContents,
    main.reusableContents,
    ours.reusableContents
  )
  for (const [id, versions] of changedContents) {
    const merged = mergeEntry(versions, reusableContentGroups, readableGroups)
    for (const { field, ...sides } of merged.fields) {
      conflicts.push(Conflict.make(draft, { reusableContent: id, field: field ?? "reusableContent" }, sides))
    }
    let { entry } = merged
    if (entry !== undefined && versions.main !== undefined && versions.ours !== undefined) {
      const document = yield* mergeDocuments(draft, { reusableContent: id }, versions)
      for (const conflict of document.conflicts) conflicts.push(conflict)
      const { document: _, ...rest } = entry
      entry = { ...rest, ...(document.hash !== undefined && { document: document.hash }) }
    }
    if (Equal.equals(entry, versions.main)) continue
    yield* entry === undefined ? editor.removeReusableContent(id) : editor.putReusableContent(entry)
  }
  return conflicts
})

const variables = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  editor: ContentEditor.ContentEditor,
  { base, main, ours }: MergeSides
) {
  const conflicts: Array<Conflict.Conflict> = []
  const changedVariables = yield* ChangedEntries.changedVersions<VariableValue>(
    draft,
    base.variables,
    main.variables,
    ours.variables
  )
  for (const [name, versions] of changedVariables) {
    if (versions.ours === versions.base || versions.ours === versions.main) continue
    if (versions.main !== versions.base) conflicts.push(Conflict.make(draft, { variable: name }, versions))
    // If we deleted a variable that main changed, the changed variable stays.
    if (versions.main === versions.base || versions.ours !== undefined) yield* editor.setVariable(name, versions.ours)
  }
  return conflicts
})

/** Merges redirects like the configuration of a folder, which defines them: main's version wins. */
const redirects = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  editor: ContentEditor.ContentEditor,
  { base, main, ours }: MergeSides
) {
  const roots = [base, main, ours].map((side) => side.redirects ?? null) as [Root, Root, Root]
  for (const [path, versions] of yield* ChangedEntries.changedVersions<Redirect>(draft, ...roots)) {
    if (versions.main?.page === versions.base?.page) yield* editor.setRedirect(path, versions.ours?.page)
  }
})

/** Merges the written files of a folder. These never conflict: main's version wins. */
const mergePassthroughFiles = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  editor: ContentEditor.ContentEditor,
  { base, main, ours }: MergeSides
) {
  const roots = [base, main, ours].map((side) => side.written ?? null) as [Root, Root, Root]
  for (const [path, versions] of yield* ChangedEntries.changedVersions<PassthroughFile>(draft, ...roots)) {
    if (!Equal.equals(versions.main, versions.base)) continue
    yield* versions.ours === undefined ? editor.removePassthroughFile(path) : editor.putPassthroughFile(versions.ours)
  }
})

interface MergedEntry<A> {
  readonly entry: A | undefined
  /** Conflicting fields. Without a name: one side deleted the entry. */
  readonly fields: ReadonlyArray<Versions<unknown> & { readonly field?: string }>
}

/** Merges an entry that has no position in a tree. */
const mergeEntry = <A extends object>(
  versions: Versions<A>,
  groups: ReadonlyArray<FieldGroup<A>>,
  visibleGroups: ReadonlyArray<FieldGroup<A>> = groups
): MergedEntry<A> => {
  const { base, main, ours } = versions
  if (main === undefined || ours === undefined) {
    const remaining = main ?? ours
    if (remaining === undefined || base === undefined) return { entry: remaining, fields: [] }
    return isEdited(base, remaining, visibleGroups)
      ? { entry: remaining, fields: [versions] }
      : { entry: undefined, fields: [] }
  }
  if (main === base || ours === base) return { entry: main === base ? ours : main, fields: [] }
  const merged = mergeFields({ base, main, ours }, groups)
  return { entry: merged.entry, fields: merged.conflicts }
}
