/**
 * Updates the front matter of a page's file with the fields of the page that changed. Each field is changed in its own
 * lines. A field without a front matter key goes into the mapping `lectern` (see `PageFields`). The title is changed in
 * the front matter if it came from the front matter, and is never removed.
 */
import { Equal } from "effect"
import type { ContentRef } from "@lectern/document/Document"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as FrontMatterLines from "@lectern/document/markdown/FrontMatterLines"
import type { PageFields } from "../import/PageFields.ts"
import * as FrontMatterSlug from "../import/FrontMatterSlug.ts"
import * as PageSource from "../import/PageSource.ts"
import * as PageFrontMatter from "@lectern/core/content/pages/PageFrontMatter"
import * as PageMetadata from "./PageMetadata.ts"
import type { ExportSource } from "./RoundTrip.ts"

type Read = PageSource.PageSource

/** Returns the page's fields that differ from the values of an import; null for a field that the page lacks. */
export const changedFields = (source: ExportSource, read: Read, urlOf: (ref: ContentRef) => string): PageFields => {
  const { title, linkTitle, metadata, isReusable } = source
  const changedValues: Record<string, unknown> = {}
  if (read.title !== title) changedValues["title"] = title
  // Other fields are not written for reusable content, since an import reads only its title and text.
  if (isReusable === true) return changedValues
  // If the page has no name in navigation, the file must not state one. The table of contents then determines the name.
  const hasOtherLinkTitle = linkTitle === undefined ? read.fields.linkTitle !== undefined : read.linkTitle !== linkTitle
  if (hasOtherLinkTitle) changedValues["linkTitle"] = linkTitle
  for (const name of PageMetadata.metadataNames) {
    if (!Equal.equals(read.metadata[name], metadata[name])) changedValues[name] = metadata[name] ?? null
  }
  if (!Equal.equals(read.metadata.cover, metadata.cover)) {
    changedValues["cover"] = PageMetadata.coverFields(metadata, urlOf) ?? null
  }
  return changedValues
}

/** Returns the required title in the front matter of a page's file; undefined if the front matter has no title. */
export const frontMatterTitle = (source: ExportSource, read: Pick<Read, "fields" | "ownTitle">): string | undefined => {
  const { importedListedTitle, title } = source
  const { fields, ownTitle } = read
  if (ownTitle === undefined || fields.title === title) return ownTitle
  const isOwnTitle = importedListedTitle === undefined || PageSource.isSameTitle(ownTitle, importedListedTitle)
  return !isOwnTitle || PageSource.titleFrom(ownTitle) === title ? ownTitle : title
}

/** True if the page has the same slug after an import. */
const restoresSlug = ({ slug, statesSlug }: ExportSource, { fields, ownSlug }: Read): boolean => {
  if (fields.slug !== undefined || slug === undefined) return fields.slug === slug
  return ownSlug === undefined ? statesSlug !== true : FrontMatterSlug.isSlug(slug, ownSlug)
}

/** True if an import reads every field of the page. The text is not compared. */
export const restoresFields = (source: ExportSource, read: Read, urlOf: (ref: ContentRef) => string): boolean =>
  restoresSlug(source, read) &&
  frontMatterTitle(source, read) === read.ownTitle &&
  Object.keys(changedFields(source, read, urlOf)).length === 0

/**
 * Returns the head of a file (its fenced front matter, or nothing) with the fields that differ from `read`, the result
 * of an import. `usesMapping`: true to write fields into the mapping `lectern`, because their front matter keys did not
 * suffice.
 */
export const updateFields = (
  head: string,
  source: ExportSource,
  read: Read,
  {
    usesMapping,
    urlOf,
    urls
  }: { readonly usesMapping: boolean; readonly urlOf: (ref: ContentRef) => string; readonly urls: PageFields }
): string => {
  const changedValues = changedFields(source, read, urlOf)
  const values = new Map<string, unknown>()
  const { slug: _slug, urls: _urls, ...before } = read.fields
  const fields: { -readonly [K in keyof PageFields]: PageFields[K] } = {
    ...before,
    ...(statesSlug(source, read) && { slug: source.slug }),
    ...urls
  }
  const pageValues = new Map(PageFrontMatter.valuesOf(source.metadata))
  for (const [name, field] of PageFrontMatter.keys) {
    if (!(field in changedValues)) continue
    delete fields[field]
    values.set(name, pageValues.get(name))
  }
  if ("frontMatter" in changedValues) setUnrecognized(values, source, read)
  if ("title" in changedValues) {
    delete fields.title
    if (source.listedTitle === undefined || PageSource.isSameTitle(source.title, source.listedTitle)) {
      values.set("title", source.title)
    } else fields.title = source.title
  }
  const title = frontMatterTitle(source, { ...read, fields })
  if (title !== read.ownTitle) values.set("title", title)
  for (const name of ["computed", "cover"] as const) {
    delete fields[name]
    if (name in changedValues) Object.assign(fields, { [name]: changedValues[name] })
    else if (name in before) Object.assign(fields, { [name]: before[name] })
  }
  if (usesMapping) Object.assign(fields, changedValues)
  if ("linkTitle" in changedValues) {
    if (source.linkTitle === undefined) delete fields.linkTitle
    else fields.linkTitle = source.linkTitle
  }
  const orderedFields = PageMetadata.orderedFields(fields)
  const frontMatter = FrontMatter.split(head).frontMatter ?? ""
  if (Equal.equals(orderedFields, PageMetadata.orderedFields(read.fields))) values.delete("lectern")
  else values.set("lectern", undefined)
  let text = FrontMatterLines.withChangedValues(frontMatter, values)
  if (values.has("lectern") && Object.keys(orderedFields).length > 0) {
    text += `${text === "" ? "" : "\n"}${PageMetadata.fieldsLine(orderedFields)}`
  }
  return replaceFrontMatter(head, frontMatter, text)
}

/** True if the file must state the slug, since neither its path nor the `slug` in its front matter results in the slug. */
const statesSlug = (source: ExportSource, { ownSlug }: Read): boolean =>
  source.slug !== undefined &&
  (ownSlug === undefined ? source.statesSlug === true : !FrontMatterSlug.isSlug(source.slug, ownSlug))

/** Sets the unrecognized keys to the values of the page. */
const setUnrecognized = (values: Map<string, unknown>, { metadata }: ExportSource, read: Read): void => {
  const before = FrontMatterLines.read(read.metadata.frontMatter ?? "{}").fields
  const after = FrontMatterLines.read(metadata.frontMatter ?? "{}").fields
  for (const name of Object.keys(before)) if (!(name in after)) values.set(name, undefined)
  for (const [name, value] of Object.entries(after)) {
    if (!Equal.equals(before[name], value) && !values.has(name)) values.set(name, value)
  }
}

const replaceFrontMatter = (head: string, front: string, text: string): string => {
  if (text.trim() === "") return ""
  if (front === "") return `---\n${text}\n---\n\n`
  const start = head.indexOf("\n") + 1
  return head.slice(0, start) + text + head.slice(start + front.length)
}
