/**
 * Differences between two contents in terms of a reader: created, deleted, moved and edited pages, files, reusable
 * contents and variables. The cost depends on the number of changes, not on the number of pages.
 *
 * Default: at most 500 changes are listed; `more` is the number of omitted changes.
 */
import { Effect, Equal } from "effect"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Content, ReusableContentEntry } from "./Content.ts"
import type { VariableValue } from "./ContentReader.ts"
import type { FileEntry } from "./files/File.ts"
import type { ObjectReader } from "./store/Objects.ts"
import { pageAttributes, type PageEntry } from "./pages/Page.ts"
import * as TrieDifferences from "./store/TrieDifferences.ts"

/** Fields of a page that are visible to readers, except its position. */
const visiblePageAttributes = [...pageAttributes, "document"] as const
export type PageAttribute = (typeof visiblePageAttributes)[number]

export const fileAttributes = ["name", "contentType", "size", "dimensions", "blob"] as const
export type FileAttribute = (typeof fileAttributes)[number]

export const reusableContentAttributes = ["title", "document"] as const
export type ReusableContentAttribute = (typeof reusableContentAttributes)[number]

export type SemanticChange =
  | { readonly type: "page_created"; readonly page: PageEntry }
  | { readonly type: "page_deleted"; readonly page: PageEntry }
  | {
      readonly type: "page_moved"
      readonly before: PageEntry
      readonly after: PageEntry
    }
  | {
      readonly type: "page_edited"
      readonly before: PageEntry
      readonly after: PageEntry
      readonly attributes: ReadonlyArray<PageAttribute>
    }
  | { readonly type: "file_created"; readonly file: FileEntry }
  | { readonly type: "file_deleted"; readonly file: FileEntry }
  | {
      readonly type: "file_edited"
      readonly before: FileEntry
      readonly after: FileEntry
      readonly attributes: ReadonlyArray<FileAttribute>
    }
  | { readonly type: "reusable_content_created"; readonly reusableContent: ReusableContentEntry }
  | { readonly type: "reusable_content_deleted"; readonly reusableContent: ReusableContentEntry }
  | {
      readonly type: "reusable_content_edited"
      readonly before: ReusableContentEntry
      readonly after: ReusableContentEntry
      readonly attributes: ReadonlyArray<ReusableContentAttribute>
    }
  | {
      readonly type: "variables_edited"
      readonly variables: Readonly<Record<string, { readonly before?: VariableValue; readonly after?: VariableValue }>>
    }

export interface SemanticChanges {
  readonly changes: ReadonlyArray<SemanticChange>
  /** Number of changes that the limit omits. */
  readonly more: number
}

const differingFields = <A, K extends keyof A>(before: A, after: A, names: ReadonlyArray<K>): ReadonlyArray<K> =>
  names.filter((name) => !Equal.equals(before[name], after[name]))

const pageChanges = ({ before, after }: TrieDifferences.Difference<PageEntry>): ReadonlyArray<SemanticChange> => {
  if (before === undefined) return after === undefined ? [] : [{ type: "page_created", page: after }]
  if (after === undefined) return [{ type: "page_deleted", page: before }]
  const changes: Array<SemanticChange> = []
  if (before.parent !== after.parent || before.position !== after.position) {
    changes.push({ type: "page_moved", before, after })
  }
  const attributes = differingFields(before, after, visiblePageAttributes)
  if (attributes.length > 0) changes.push({ type: "page_edited", before, after, attributes })
  return changes
}

const fileChanges = ({ before, after }: TrieDifferences.Difference<FileEntry>): ReadonlyArray<SemanticChange> => {
  if (before === undefined) return after === undefined ? [] : [{ type: "file_created", file: after }]
  if (after === undefined) return [{ type: "file_deleted", file: before }]
  const attributes = differingFields(before, after, fileAttributes)
  return attributes.length > 0 ? [{ type: "file_edited", before, after, attributes }] : []
}

const reusableContentChanges = ({
  before,
  after
}: TrieDifferences.Difference<ReusableContentEntry>): ReadonlyArray<SemanticChange> => {
  if (before === undefined) {
    return after === undefined ? [] : [{ type: "reusable_content_created", reusableContent: after }]
  }
  if (after === undefined) return [{ type: "reusable_content_deleted", reusableContent: before }]
  const attributes = differingFields(before, after, reusableContentAttributes)
  return attributes.length > 0 ? [{ type: "reusable_content_edited", before, after, attributes }] : []
}

/** Returns the changes between two contents, ordered by pages, files, reusable contents, variables. */
export const diff = Effect.fnUntraced(function* (
  objects: ObjectReader,
  before: Content,
  after: Content,
  options: { readonly limit?: number } = {}
): Effect.fn.Return<SemanticChanges, StorageError> {
  const limit = options.limit ?? 500
  const slice = yield* Slice.start
  const all: Array<SemanticChange> = []
  for (const difference of yield* TrieDifferences.all<PageEntry>(objects, before.pages, after.pages)) {
    for (const change of pageChanges(difference)) all.push(change)
    if (slice.isOver()) yield* slice.pause
  }
  for (const difference of yield* TrieDifferences.all<FileEntry>(objects, before.files, after.files)) {
    for (const change of fileChanges(difference)) all.push(change)
    if (slice.isOver()) yield* slice.pause
  }
  const reusableContents = yield* TrieDifferences.all<ReusableContentEntry>(
    objects,
    before.reusableContents,
    after.reusableContents
  )
  for (const difference of reusableContents) for (const change of reusableContentChanges(difference)) all.push(change)
  const variables = yield* TrieDifferences.all<VariableValue>(objects, before.variables, after.variables)
  if (variables.length > 0) {
    all.push({
      type: "variables_edited",
      variables: Object.fromEntries(
        variables.map((variable) => [
          variable.key,
          {
            ...(variable.before === undefined ? {} : { before: variable.before }),
            ...(variable.after === undefined ? {} : { after: variable.after })
          }
        ])
      )
    })
  }
  return { changes: all.slice(0, limit), more: Math.max(0, all.length - limit) }
})
