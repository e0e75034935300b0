/**
 * Pages as an import reads them back. What it would decide otherwise is said in the front matter: it is
 * found out by reading the file as an import does.
 */
import { Equal, Result } from "effect"
import type { ContentRef, Document } from "@lectern/document/Document"
import { isAligned } from "@lectern/document/alignment/DocumentAlignment"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import type * as Markdown from "@lectern/document/markdown/Markdown"
import type { SourceText } from "../documents/SourceText.ts"
import type * as StoredDocuments from "../documents/StoredDocument.ts"
import type { PageFields } from "../import/PageFields.ts"
import * as PageSource from "../import/PageSource.ts"
import * as PageFrontMatter from "../pages/PageFrontMatter.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import { coverFields, coverRefs, type Metadata, metadataNames, ownFields, urlsField } from "./PageMetadata.ts"

/** A page as it is to be written. Plain data, which can go to another thread. */
export interface Page {
  readonly path: string
  readonly title: string
  /** Reusable content has none of a page's fields. */
  readonly isReusable?: boolean
  /** The title that the table of contents gives it; undefined where that does not name it. */
  readonly listedTitle: string | undefined
  /** The table of contents leaves it out, which hides it. */
  readonly isLeftOut?: boolean
  /** The page's slug; reusable content has none. */
  readonly slug?: string
  /** An import would give it another slug. */
  readonly saysSlug?: boolean
  readonly metadata: Metadata
  readonly document: StoredDocuments.StoredDocument
  /** The file that it was imported from. */
  readonly source?: StoredDocuments.Folded<SourceText>
}

export interface Linked extends Page {
  readonly urls: ExportUrls
}

/** A page whose document is unfolded, and names nothing of its own space. */
export interface Source extends Omit<Linked, "document"> {
  readonly document: Document
}

/** True where an import reads all of the page. */
export const isAll = (source: Source, read: PageSource.PageSource, urlOf: (ref: ContentRef) => string): boolean =>
  hasAllFields(source, read, urlOf) && isAligned(source.document, read.document)

/** True where an import reads all but the text. */
const hasAllFields = (source: Source, read: PageSource.PageSource, urlOf: (ref: ContentRef) => string): boolean =>
  (read.fields.slug === source.slug || (source.saysSlug !== true && read.fields.slug === undefined)) &&
  Object.keys(differences(source, read, urlOf)).length === 0

/** The URLs of references in the file of a page, and those that must stay as they are (see `ExportUrls`). */
export const urlsOf = ({ document, urls, metadata, path }: Source) => {
  const asWritten = urls.asWritten([...DocumentRefs.refs(document), ...coverRefs(metadata)], path)
  return { asWritten, urlOf: (ref: ContentRef): string => urls.url(ref, path, asWritten) }
}

export interface Attempt {
  readonly text: string
  /** False where Markdown has no form for all that the document holds. */
  readonly isWhole: boolean
  /** As it comes back. */
  readonly document: Document
}

/** A body with the front matter that it takes for an import to read all of the page; one of `heads` where that does. */
export const settle = (source: Source, body: string, heads: ReadonlyArray<string> = []): Attempt => {
  const { document } = source
  const { asWritten, urlOf } = urlsOf(source)
  const fields: { -readonly [K in keyof PageFields]: PageFields[K] } = {
    ...(source.slug !== undefined && source.saysSlug === true && { slug: source.slug }),
    ...urlsField(asWritten)
  }
  for (const head of heads) {
    const text = head + body
    const read = readBack(source, text)
    // No other front matter helps where only the text says something else.
    if (hasAllFields(source, read, urlOf)) {
      return { text, isWhole: isAligned(document, read.document), document: read.document }
    }
  }
  const bare = body.replace(/^\n+/, "")
  for (let round = 0; ; round++) {
    const text = FrontMatter.join(frontMatter(source, fields), bare)
    const read = readBack(source, text)
    const missing = differences(source, read, urlOf)
    if (Object.keys(missing).length === 0 || round === 3) {
      const isWhole = Object.keys(missing).length === 0 && isAligned(document, read.document)
      return { text, isWhole, document: read.document }
    }
    Object.assign(fields, missing)
    const { metadata } = source
    if (metadata.frontMatter !== undefined && Result.isFailure(FrontMatter.read(metadata.frontMatter))) {
      fields.frontMatter = metadata.frontMatter
    }
  }
}

/** The page as an import reads it from its text. */
export const readBack = (
  { document, isLeftOut = false, urls, listedTitle, path }: Source,
  text: string,
  located?: Markdown.ParseOptions["located"],
  /** Told of each URL, and of what it leads to in the folder. */
  resolved?: (url: string, ref: ContentRef | undefined) => void
): PageSource.PageSource => {
  let keys = 0
  return PageSource.read(text, {
    path,
    title: listedTitle,
    hidden: isLeftOut,
    fenced: [],
    nextKey: () => `export-${++keys}`,
    resolve: (url) => {
      const found = urls.resolve(url, path)
      // An import of earlier versions left it as it is: its file needs no word of that.
      const isLeft = found !== undefined && urls.isLoose(url, path) && isIn(document, url)
      const ref = isLeft ? undefined : found
      resolved?.(url, ref)
      return ref
    },
    ...(located && { located })
  })
}

/** Tells whether a document has the URL as it is. */
const isIn = (document: Document, url: string): boolean => {
  for (const ref of DocumentRefs.refs(document)) if (ref.kind === "url" && ref.url === url) return true
  return false
}

const frontMatter = ({ isReusable, metadata, title }: Source, fields: PageFields): string | undefined => {
  const { frontMatter: verbatim, ...others } = metadata
  const isSeparate = fields.frontMatter !== undefined || verbatim === undefined
  const said =
    isReusable === true
      ? FrontMatter.write({ title })
      : PageFrontMatter.write(isSeparate ? others : { ...others, frontMatter: verbatim })
  if (Object.keys(fields).length === 0) return said
  const own = ownFields(fields)
  return said === undefined ? own : `${said}\n${own}`
}

/** Fields of the page that an import would decide otherwise. */
const differences = (
  { title, metadata, isReusable }: Source,
  read: PageSource.PageSource,
  urlOf: (ref: ContentRef) => string
): PageFields => {
  const missing: Record<string, unknown> = {}
  if (read.title !== title) missing["title"] = title
  // Of reusable content an import takes the title and the text alone.
  if (isReusable === true) return missing
  for (const name of metadataNames) {
    if (!Equal.equals(read.metadata[name], metadata[name])) missing[name] = metadata[name] ?? null
  }
  if (!Equal.equals(read.metadata.cover, metadata.cover)) missing["cover"] = coverFields(metadata, urlOf) ?? null
  return missing
}
