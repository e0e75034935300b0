/** Fields that an edit sets on a page, and the resulting entry. */
import { PageEntry } from "./Page.ts"

/** Fields to set on a page, except its position and its document. Undefined removes a value. */
export type PagePatch = {
  readonly [
    K in Exclude<
      keyof PageEntry,
      "id" | "type" | "slug" | "parent" | "position" | "document" | "createdAt" | "updatedAt"
    >
  ]?: PageEntry[K] | undefined
} & { readonly title?: string; readonly slug?: string }

export type PageFields = { readonly [K in keyof PageEntry]?: PageEntry[K] | undefined }

/** Field names in the order of the schema, so that equal entries serialize to equal texts. */
const entryFields = Object.keys(PageEntry.fields) as ReadonlyArray<keyof PageEntry>

export const entryOf = (fields: PageFields): PageEntry =>
  Object.fromEntries(
    entryFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]])
  ) as unknown as PageEntry

const fixedFields: ReadonlySet<string> = new Set([
  "id",
  "type",
  "parent",
  "position",
  "document",
  "createdAt",
  "updatedAt"
])
const patchFields: ReadonlySet<string> = new Set(entryFields.filter((name) => !fixedFields.has(name)))

/** Returns only the fields that a patch may set, so that a wider object cannot set an entry's id or position. */
export const patchOf = (patch: PagePatch): PagePatch =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => patchFields.has(name)))
