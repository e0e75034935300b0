/**
 * Pages as an import reads them back. What it would decide otherwise is said in the front matter: it is
 * found out by reading the file as an import does.
 */
import type { ContentRef, Document } from "@lectern/document/Document"
import { isAligned } from "@lectern/document/alignment/DocumentAlignment"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import type * as Markdown from "@lectern/document/markdown/Markdown"
import type { SourceText } from "../documents/SourceText.ts"
import type * as StoredDocuments from "../documents/StoredDocument.ts"
import * as PageSource from "../import/PageSource.ts"
import * as PageFrontMatter from "../pages/PageFrontMatter.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import * as KeptFrontMatter from "./KeptFrontMatter.ts"
import { coverRefs, type Metadata, urlsField } from "./PageMetadata.ts"

/** A page as it is to be written. Plain data, which can go to another thread. */
export interface Page {
  readonly path: string
  readonly title: string
  /** Reusable content has none of a page's fields. */
  readonly isReusable?: boolean
  /** The title that the table of contents gives it; undefined where that does not name it. */
  readonly listedTitle: string | undefined
  /** The page's name in navigation. `label`: the name that the entry states in addition to the title. */
  readonly linkTitle?: string
  readonly label?: string
  /** The title of the page in the table of contents at the time of its import. */
  readonly listedBefore?: string
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
  /** The front matter of the imported file, with its fences and the blank line after it. */
  readonly head?: string
}

/** True where an import reads all of the page. */
export const isAll = (source: Source, read: PageSource.PageSource, urlOf: (ref: ContentRef) => string): boolean =>
  KeptFrontMatter.isAll(source, read, urlOf) && isAligned(source.document, read.document)

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

/** Maximum number of front matter changes for fields that an import reads differently. */
const maxRounds = 3

/**
 * Adds the front matter that an import needs to read all of the page, with as few changed lines as possible. `head`:
 * the fenced front matter of the page's file.
 */
export const settle = (source: Source, body: string, head = source.head ?? newHead(source)): Attempt => {
  const { document } = source
  const { asWritten, urlOf } = urlsOf(source)
  const urls = urlsField(asWritten)
  let own = head
  for (let round = 0; ; round++) {
    const text = body === "" ? own.replace(/\n+$/, "\n") : own + body
    const read = readBack(source, text)
    const isAll = KeptFrontMatter.isAll(source, read, urlOf)
    const isWhole = isAll && isAligned(document, read.document)
    const next = isWhole ? own : KeptFrontMatter.changed(own, source, read, { isLast: round > 0, urlOf, urls })
    // Front matter can't fix a difference that only the text causes.
    if (round === maxRounds || (next === own && (isAll || round > 0))) return { text, isWhole, document: read.document }
    own = next
  }
}

/** Returns the front matter of a page that was not imported from a file. */
const newHead = ({ isReusable, metadata, title }: Source): string => {
  const text = isReusable === true ? FrontMatter.write({ title }) : PageFrontMatter.write(metadata)
  return text === undefined ? "" : `---\n${text}\n---\n\n`
}

/** The page as an import reads it from its text. */
export const readBack = (
  { document, isLeftOut = false, urls, listedTitle, label, path }: Source,
  text: string,
  located?: Markdown.ParseOptions["located"],
  /** Told of each URL, and of what it leads to in the folder. */
  resolved?: (url: string, ref: ContentRef | undefined) => void
): PageSource.PageSource => {
  let keys = 0
  return PageSource.read(text, {
    path,
    title: listedTitle,
    label,
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
