/**
 * Verifies exported pages by parsing them like an import. Values that an import would determine differently are added
 * to the front matter.
 */
import type { ContentRef, Document } from "@lectern/document/Document"
import { isAligned } from "@lectern/document/alignment/DocumentAlignment"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import type * as Markdown from "@lectern/document/markdown/Markdown"
import type { SourceText } from "@lectern/core/content/documents/SourceText"
import type * as StoredDocuments from "@lectern/core/content/documents/StoredDocument"
import * as PageSource from "../import/PageSource.ts"
import * as PageFrontMatter from "@lectern/core/content/pages/PageFrontMatter"
import type { ExportUrls } from "./ExportUrls.ts"
import * as FrontMatterUpdate from "./FrontMatterUpdate.ts"
import { coverRefs, type Metadata, urlsField } from "./PageMetadata.ts"

/** A page to be written. Plain data, which can be sent to another thread. */
export interface ExportPage {
  readonly path: string
  readonly title: string
  /** True for reusable content, which has no metadata of a page. */
  readonly isReusable?: boolean
  /** Title in the table of contents. Undefined if the page is not listed. */
  readonly listedTitle: string | undefined
  /** The page's name in navigation. `label`: the name that the entry states in addition to the title. */
  readonly linkTitle?: string
  readonly label?: string
  /** The title of the page in the table of contents at the time of its import. */
  readonly importedListedTitle?: string
  /** True if the table of contents does not list the page, which hides it in an import. */
  readonly isUnlisted?: boolean
  /** Slug of the page. Absent for reusable content. */
  readonly slug?: string
  /** True if an import would assign a different slug. */
  readonly statesSlug?: boolean
  readonly metadata: Metadata
  readonly document: StoredDocuments.StoredDocument
  /** Text of the imported file. */
  readonly source?: StoredDocuments.ParsedOrJson<SourceText>
}

export interface LinkedPage extends ExportPage {
  readonly urls: ExportUrls
}

/** A page whose document is parsed and whose references to the exported space contain no space. */
export interface ExportSource extends Omit<LinkedPage, "document"> {
  readonly document: Document
  /** True if texts contain no elements of other programs (see `PageSource.convert`). Default: false. */
  readonly isConverted?: boolean
  /** The front matter of the imported file, with its fences and the blank line after it. */
  readonly importedFrontMatter?: string
}

/** Returns true if an import restores the complete page. */
export const restoresPage = (
  source: ExportSource,
  read: PageSource.PageSource,
  urlOf: (ref: ContentRef) => string
): boolean => FrontMatterUpdate.restoresFields(source, read, urlOf) && isAligned(source.document, read.document)

/** Returns the URLs of references in the file of a page, and the URLs that must stay unchanged (see `ExportUrls`). */
export const urlsOf = ({ document, urls, metadata, path }: ExportSource) => {
  const verbatimUrls = urls.verbatimUrls([...DocumentRefs.refs(document), ...coverRefs(metadata)], path)
  return { asWritten: verbatimUrls, urlOf: (ref: ContentRef): string => urls.url(ref, path, verbatimUrls) }
}

export interface RoundTripResult {
  readonly text: string
  /** True if an import of the text reads an equal page. False if Markdown cannot express the whole document. */
  readonly isLossless: boolean
  /** The document that an import reads from the text. */
  readonly document: Document
}

/** Maximum number of front matter changes for fields that an import reads differently. */
const maxRounds = 3

/**
 * Adds the front matter that an import needs to restore the whole page, with as few changed lines as possible.
 * `fileHead`: the fenced front matter of the page's file.
 */
export const addFrontMatter = (
  source: ExportSource,
  body: string,
  fileHead = source.importedFrontMatter ?? newFrontMatter(source)
): RoundTripResult => {
  const { document } = source
  const { asWritten, urlOf } = urlsOf(source)
  const urls = urlsField(asWritten)
  let frontMatter = fileHead
  for (let round = 0; ; round++) {
    const text = body === "" ? frontMatter.replace(/\n+$/, "\n") : frontMatter + body
    const parsedPage = reparse(source, text)
    const restoresFields = FrontMatterUpdate.restoresFields(source, parsedPage, urlOf)
    const isLossless = restoresFields && isAligned(document, parsedPage.document)
    const next = isLossless
      ? frontMatter
      : FrontMatterUpdate.updateFields(frontMatter, source, parsedPage, { usesMapping: round > 0, urlOf, urls })
    // Stops if the front matter did not change, since it cannot fix a difference that only the text causes.
    if (round === maxRounds || (next === frontMatter && (restoresFields || round > 0)))
      return { text, isLossless, document: parsedPage.document }
    frontMatter = next
  }
}

/** Returns the front matter of a page that was not imported from a file. */
const newFrontMatter = ({ isReusable, metadata, title }: ExportSource): string => {
  const text = isReusable === true ? FrontMatter.write({ title }) : PageFrontMatter.write(metadata)
  return text === undefined ? "" : `---\n${text}\n---\n\n`
}

/** Returns the page that an import reads from its text. */
export const reparse = (
  { document, isConverted = false, isUnlisted = false, urls, listedTitle, label, path }: ExportSource,
  text: string,
  onBlockLocated?: Markdown.ParseOptions["onBlock"],
  /** Called with each URL, and with its target in the folder. */
  onUrlResolved?: (url: string, ref: ContentRef | undefined) => void
): PageSource.PageSource => {
  let keys = 0
  return PageSource.read(text, {
    path,
    title: listedTitle,
    label,
    hidden: isUnlisted,
    fenced: [],
    isConverted,
    nextKey: () => `export-${++keys}`,
    resolve: (url) => {
      const target = urls.resolve(url, path)
      // Earlier versions of the import did not resolve a URL that only other programs' rules resolve. If the document
      // still contains the URL as external, the import must not resolve it now.
      const staysUrl = target !== undefined && urls.isLoose(url, path) && containsUrl(document, url)
      const ref = staysUrl ? undefined : target
      onUrlResolved?.(url, ref)
      return ref
    },
    ...(onBlockLocated && { onBlock: onBlockLocated })
  })
}

/** Returns true if a document contains the URL as an external URL. */
const containsUrl = (document: Document, url: string): boolean => {
  for (const ref of DocumentRefs.refs(document)) if (ref.kind === "url" && ref.url === url) return true
  return false
}
