/**
 * A conflict of a merge: both sides changed one subject differently. A conflict is a record of a change request's
 * revision, never a marker in text. The content keeps the version of the change request (`ours`), and the record stores
 * main's version, until the conflict is resolved. If one side deleted something that the other side changed, the
 * content keeps the changed version of either side.
 *
 * Subjects are a field of a page (`page` and `field`), a block of its document (`page` and `block`), a file, a reusable
 * content or a variable. `base`, `main` and `ours` are the versions of the subject, or null if a side has none. For a
 * row, a column or a cell of a table (`block`), they are tables with only this row or column. For the field `page` they
 * are complete page entries, and for `file` and `reusableContent` complete entries. Null then means deleted.
 */
import { Schema } from "effect"
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { BlockAncestor } from "@lectern/document/merge/BlockAncestor"
import type { ObjectReader } from "../store/Objects.ts"
import { pageAttributes } from "../pages/Page.ts"

export const PageField = Schema.Literals([
  /** The page as a whole, which one side deleted. */
  "page",
  "type",
  ...pageAttributes,
  "frontMatter",
  "document",
  /** Parent and position. */
  "place"
])
export type PageField = typeof PageField.Type

export const Conflict = Schema.Struct({
  /** Id that is derived from the subject, so that a conflict has the same id in every revision. */
  id: Schema.String,
  page: Schema.optionalKey(Schema.String),
  file: Schema.optionalKey(Schema.String),
  reusableContent: Schema.optionalKey(Schema.String),
  variable: Schema.optionalKey(Schema.String),
  /**
   * Conflicting field. Of a page: a `PageField`. Of a file: `file`, `name` or `bytes`. Of reusable content:
   * `reusableContent` or `title`.
   */
  field: Schema.optionalKey(Schema.String),
  /** Key of a block of the document. */
  block: Schema.optionalKey(Schema.String),
  /** Row or column of a table. With both: a cell. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String),
  /** Enclosing blocks, outermost first. Absent at the top of the document. */
  inside: Schema.optionalKey(Schema.Array(BlockAncestor)),
  base: Schema.Unknown,
  main: Schema.Unknown,
  ours: Schema.Unknown
})
export type Conflict = typeof Conflict.Type

export const Keep = Schema.Literals(["main", "ours", "both"])
export type Keep = typeof Keep.Type

/**
 * Returns the versions of a conflict that a resolution may keep. Both versions of a block can be kept. Only one version
 * of a cell, a column header or any other subject can be kept, unless one side deleted the row or column.
 */
export const keepOptions = ({
  block,
  row,
  column,
  main,
  ours
}: Pick<Conflict, "block" | "row" | "column" | "main" | "ours">): ReadonlyArray<Keep> => {
  const isPart = row !== undefined || column !== undefined
  const canKeepBoth = block !== undefined && (!isPart || main === null || ours === null)
  return canKeepBoth ? Keep.literals : ["main", "ours"]
}

/** Raised if a resolution cannot be applied. Choose the other version, or edit the content. */
export class ConflictRefused extends Schema.TaggedError<ConflictRefused>()(
  "ConflictRefused",
  { conflict: Schema.String, message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Subject of a conflict: all fields except the id and the three versions. */
export type Subject = Omit<Conflict, "id" | "base" | "main" | "ours">

export const make = (
  objects: Pick<ObjectReader, "sha256">,
  subject: Subject,
  sides: { readonly base: unknown; readonly main: unknown; readonly ours: unknown }
): Conflict => ({
  // The id starts with a letter, so that it never consists of digits only.
  id: `c${objects.sha256(JSON.stringify(subjectNames(subject))).slice(0, 21)}`,
  ...subject,
  base: sides.base ?? null,
  main: sides.main ?? null,
  ours: sides.ours ?? null
})

const subjectNames = (subject: Subject): ReadonlyArray<string | null> => {
  const names = subjectFields.map((name) => subject[name] ?? null)
  const { column, row } = subject
  return row === undefined && column === undefined ? names : [...names, row ?? null, column ?? null]
}

const subjectFields = ["page", "file", "reusableContent", "variable", "field", "block"] as const

/** Returns the objects that the versions refer to, which garbage collection must keep. */
export const objectsOf = (conflict: Conflict): ReadonlyArray<ObjectHash> =>
  [conflict.base, conflict.main, conflict.ours].flatMap((version) => {
    if (conflict.field === "document") return typeof version === "string" ? [version as ObjectHash] : []
    if (version === null || (conflict.field !== "page" && conflict.field !== "reusableContent")) return []
    const { document, source } = version as { readonly document?: ObjectHash; readonly source?: ObjectHash }
    return [document, source].filter((hash) => hash !== undefined)
  })

/** Returns the blobs that the versions of a file refer to, which garbage collection must keep. */
export const blobsOf = (conflict: Conflict): ReadonlyArray<BlobHash> => {
  if (conflict.file === undefined) return []
  return [conflict.base, conflict.main, conflict.ours].flatMap((version) => {
    const blob = version !== null && typeof version === "object" && (version as { readonly blob?: BlobHash }).blob
    return blob ? [blob] : []
  })
}
