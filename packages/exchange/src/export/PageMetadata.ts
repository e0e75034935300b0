/** Converts the metadata of a page to fields in files of a folder (see `PageFields`). */
import type { ContentRef } from "@lectern/document/Document"
import { PageFields } from "../import/PageFields.ts"
import type { PageEntry } from "@lectern/core/content/pages/Page"

export const metadataNames = [
  "emoji",
  "icon",
  "description",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "condition",
  "layout",
  "variables",
  "tags",
  "computed",
  "frontMatter"
] as const

export type Metadata = Partial<Pick<PageEntry, (typeof metadataNames)[number] | "cover">>

/** Returns the metadata of a page. */
export const metadataOf = (page: PageEntry): Metadata => {
  const names = [...metadataNames, "cover" as const]
  return Object.fromEntries(names.flatMap((name) => (page[name] === undefined ? [] : [[name, page[name]] as const])))
}

export const withoutFalse = (metadata: { readonly [K in keyof Metadata]?: Metadata[K] | undefined }): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== false && value !== undefined))

/** Returns all metadata of a page without a file as fields. */
export const fieldsOf = (metadata: Metadata, urlOf: (ref: ContentRef) => string): PageFields => {
  const definedMetadata = withoutFalse(metadata)
  const cover = coverFields(definedMetadata, urlOf)
  const plainFields = metadataNames.flatMap((name) =>
    definedMetadata[name] === undefined ? [] : [[name, definedMetadata[name]] as const]
  )
  return { ...Object.fromEntries(plainFields), ...(cover !== undefined && { cover }) }
}

export const coverFields = ({ cover }: Metadata, urlOf: (ref: ContentRef) => string): PageFields["cover"] | undefined =>
  cover && {
    ...(cover.ref !== undefined && { url: urlOf(cover.ref) }),
    ...(cover.refDark !== undefined && { dark: urlOf(cover.refDark) }),
    y: cover.yPos,
    ...(cover.height !== undefined && { height: cover.height })
  }

/** Returns the references of a cover. */
export const coverRefs = ({ cover }: Metadata): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

/**
 * Returns the fields as a line of front matter. JSON is valid YAML and preserves every string exactly, unlike other
 * YAML styles.
 */
export const fieldsLine = (fields: PageFields): string => `lectern: ${JSON.stringify(orderedFields(fields))}`

/** Returns the fields in the order of the schema, so that equal fields result in equal text. */
export const orderedFields = (fields: PageFields): PageFields =>
  Object.fromEntries(
    Object.keys(PageFields.fields).flatMap((name) =>
      name in fields ? [[name, fields[name as keyof PageFields]] as const] : []
    )
  )

/** Returns the field with URLs that an import must not resolve to files of the folder. */
export const urlsField = (verbatimUrls: ReadonlySet<string>): PageFields =>
  verbatimUrls.size === 0 ? {} : { urls: [...verbatimUrls].sort() }
