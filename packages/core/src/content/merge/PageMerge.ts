/**
 * Merges the pages of two sides: which pages remain, and their fields. `PositionMerge` then makes the positions
 * consistent.
 */
import { Effect, Equal } from "effect"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { pageAttributes, type PageEntry, pageOptions } from "../pages/Page.ts"
import * as Conflict from "./Conflict.ts"
import { mergeDocuments } from "./DocumentFieldMerge.ts"
import {
  differs,
  type FieldGroup,
  isEdited,
  mergeFields,
  optionFields,
  singleFields,
  type Versions
} from "./EntryMerge.ts"

export const positionGroup: FieldGroup<PageEntry> = { name: "place", fields: ["parent", "position"] }

const groups: ReadonlyArray<FieldGroup<PageEntry>> = [
  ...singleFields<PageEntry>("type", ...pageAttributes.filter((name) => !(name in pageOptions)), "frontMatter"),
  ...optionFields<PageEntry>(pageOptions),
  positionGroup
]
const visibleGroups = [...groups, ...singleFields<PageEntry>("document")]
const gitGroups: ReadonlyArray<FieldGroup<PageEntry>> = [{ name: "git", fields: ["git", "source"] }]

export interface MergedPages {
  /** Pages that main or ours changed. Undefined for a deleted page. */
  readonly pages: Map<string, PageEntry | undefined>
  readonly conflicts: Array<Conflict.Conflict>
}

export const mergePages = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  changedPages: ReadonlyMap<string, Versions<PageEntry>>
): Effect.fn.Return<MergedPages, StorageError> {
  const pages = new Map<string, PageEntry | undefined>()
  const conflicts: Array<Conflict.Conflict> = []
  const slice = yield* Slice.start
  for (const [id, versions] of changedPages) {
    if (slice.isOver()) yield* slice.pause
    const { base, main, ours } = versions
    if (main === undefined || ours === undefined) {
      const remaining = main ?? ours
      const isRetained = remaining !== undefined && (base === undefined || isEdited(base, remaining, visibleGroups))
      pages.set(id, isRetained ? remaining : undefined)
      if (isRetained && base !== undefined) conflicts.push(Conflict.make(draft, { page: id, field: "page" }, versions))
      continue
    }
    if (main === base || ours === base) {
      pages.set(id, main === base ? ours : main)
      continue
    }
    const fields = mergeFields({ base, main, ours }, groups)
    for (const { field, ...sides } of fields.conflicts) conflicts.push(Conflict.make(draft, { page: id, field }, sides))
    const document = yield* mergeDocuments(draft, { page: id }, versions)
    for (const conflict of document.conflicts) conflicts.push(conflict)
    const { document: _, ...mergedFields } = mergeFields({ base, main, ours: fields.entry }, gitGroups).entry
    // The source style of a page never conflicts: main's style wins, unless an import brought a different file.
    const isStyled = Equal.equals(main.git, ours.git) && !Equal.equals(main.source, base?.source)
    const { source, ...plain } = mergedFields
    const sourceHash = isStyled ? main.source : source
    const entry = { ...plain, ...(sourceHash !== undefined && { source: sourceHash }) }
    pages.set(id, {
      ...entry,
      ...(document.hash !== undefined && { document: document.hash }),
      createdAt: main.createdAt < ours.createdAt ? main.createdAt : ours.createdAt,
      updatedAt: main.updatedAt > ours.updatedAt ? main.updatedAt : ours.updatedAt
    })
  }
  yield* retainParents(draft, changedPages, pages, conflicts)
  return { pages, conflicts }
})

/**
 * Keeps a page that one side deleted if the other side moved or inserted a page below it. Runs for both directions, so
 * the remaining pages do not depend on which side is main.
 */
const retainParents = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  changedPages: ReadonlyMap<string, Versions<PageEntry>>,
  pages: Map<string, PageEntry | undefined>,
  conflicts: Array<Conflict.Conflict>
) {
  const slice = yield* Slice.start
  for (const [side, other] of [
    ["main", "ours"],
    ["ours", "main"]
  ] as const) {
    for (const [id, versions] of changedPages) {
      if (slice.isOver()) yield* slice.pause
      const entry = versions[side]
      if (entry === undefined || pages.get(id) === undefined) continue
      const { base } = versions
      const isPlaced = base === undefined || versions[other] === undefined || differs(base, entry, positionGroup)
      if (!isPlaced) continue
      let parent = entry.parent
      while (parent !== null && changedPages.has(parent) && pages.get(parent) === undefined) {
        const parentVersions: Versions<PageEntry> = changedPages.get(parent)!
        const parentEntry = parentVersions[side]
        if (parentEntry === undefined) break
        pages.set(parent, parentEntry)
        conflicts.push(Conflict.make(draft, { page: parent, field: "page" }, parentVersions))
        parent = parentEntry.parent
      }
    }
  }
})
