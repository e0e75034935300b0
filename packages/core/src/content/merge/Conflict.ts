/**
 * A conflict of a merge: both sides changed the same thing differently. It is a record of a change request's
 * revision, never a marker in text. The content keeps the change request's version (`ours`) and the record
 * keeps main's, until someone resolves it. Where one side deleted what the other changed, the content keeps
 * the changed thing, whichever side changed it.
 *
 * A conflict is about a field of a page (`page` and `field`), a block of its document (`page` and
 * `block`), or a file, reusable content or a variable. `base`, `main` and `ours` are what each
 * side has there; null where it has nothing. About a row or a column of a table (`block`), or a cell
 * of it, they are tables of that row or column alone. For the field `page` they are whole page entries,
 * for `file` and `reusableContent` likewise: null then means deleted.
 */
import { Schema } from "effect"
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Around } from "@lectern/document/merge/Around"
import type { ObjectReader } from "../store/Objects.ts"
import { pageAttributes } from "../pages/Page.ts"

export const PageField = Schema.Literals([
  /** The page as a whole: one side deleted it. */
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
  /** Follows from what it is about: the same conflict has the same id in every revision. */
  id: Schema.String,
  page: Schema.optionalKey(Schema.String),
  file: Schema.optionalKey(Schema.String),
  reusableContent: Schema.optionalKey(Schema.String),
  variable: Schema.optionalKey(Schema.String),
  /** Of a page a `PageField`; of a file `file`, `name` or `bytes`; of reusable content `reusableContent` or `title`. */
  field: Schema.optionalKey(Schema.String),
  /** The key of a block of the document. */
  block: Schema.optionalKey(Schema.String),
  /** Of a table: the row, the column, or with both the cell that it is about. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String),
  /** Blocks that the block stands in, outermost first. Left out at the top of the document. */
  inside: Schema.optionalKey(Schema.Array(Around)),
  base: Schema.Unknown,
  main: Schema.Unknown,
  ours: Schema.Unknown
})
export type Conflict = typeof Conflict.Type

export const Keep = Schema.Literals(["main", "ours", "both"])
export type Keep = typeof Keep.Type

/**
 * Versions of a conflict that may be kept. Both may stay of a block; not of a cell or the header of a column,
 * unless one side deleted the row or column, nor of anything else that there is one of.
 */
export const keepsOf = ({
  block,
  row,
  column,
  main,
  ours
}: Pick<Conflict, "block" | "row" | "column" | "main" | "ours">): ReadonlyArray<Keep> => {
  const isPart = row !== undefined || column !== undefined
  const hasRoom = block !== undefined && (!isPart || main === null || ours === null)
  return hasRoom ? Keep.literals : ["main", "ours"]
}

/** The conflict can't be resolved this way. */
export class ConflictRefused extends Schema.TaggedError<ConflictRefused>()(
  "ConflictRefused",
  { conflict: Schema.String, message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Subject of a conflict: all of it but the three versions. */
export type Subject = Omit<Conflict, "id" | "base" | "main" | "ours">

export const make = (
  objects: Pick<ObjectReader, "sha256">,
  subject: Subject,
  sides: { readonly base: unknown; readonly main: unknown; readonly ours: unknown }
): Conflict => ({
  // A letter in front keeps it from being all digits.
  id: `c${objects.sha256(JSON.stringify(namesOf(subject))).slice(0, 21)}`,
  ...subject,
  base: sides.base ?? null,
  main: sides.main ?? null,
  ours: sides.ours ?? null
})

const namesOf = (subject: Subject): ReadonlyArray<string | null> => {
  const names = subjectFields.map((name) => subject[name] ?? null)
  const { column, row } = subject
  return row === undefined && column === undefined ? names : [...names, row ?? null, column ?? null]
}

const subjectFields = ["page", "file", "reusableContent", "variable", "field", "block"] as const

/** The objects that its versions refer to: a sweep of what nothing refers to has to spare them. */
export const objectsOf = (conflict: Conflict): ReadonlyArray<ObjectHash> =>
  [conflict.base, conflict.main, conflict.ours].flatMap((version) => {
    if (conflict.field === "document") return typeof version === "string" ? [version as ObjectHash] : []
    if (version === null || (conflict.field !== "page" && conflict.field !== "reusableContent")) return []
    const { document, source } = version as { readonly document?: ObjectHash; readonly source?: ObjectHash }
    return [document, source].filter((hash) => hash !== undefined)
  })

/** The bytes that its versions of a file refer to, likewise. */
export const blobsOf = (conflict: Conflict): ReadonlyArray<BlobHash> => {
  if (conflict.file === undefined) return []
  return [conflict.base, conflict.main, conflict.ours].flatMap((version) => {
    const blob = version !== null && typeof version === "object" && (version as { readonly blob?: BlobHash }).blob
    return blob ? [blob] : []
  })
}
