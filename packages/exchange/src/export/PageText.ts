/**
 * Writes a page or reusable content as a Markdown file from which an import restores it. Values that an import would
 * determine differently are stated in the front matter (see `PageFields`). They are found by parsing the file like an
 * import.
 */
import type { Block, ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as AnnotationLabels from "@lectern/document/markdown/AnnotationLabels"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as HiddenSource from "@lectern/document/markdown/elements/HiddenSource"
import * as Restoration from "@lectern/document/markdown/elements/Restoration"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as ReferenceLabels from "@lectern/document/markdown/ReferenceLabels"
import * as Written from "@lectern/document/markdown/SourceText"
import * as StoredDocuments from "@lectern/core/content/documents/StoredDocument"
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import * as FolderPath from "../import/FolderPath.ts"
import type { PageFields } from "../import/PageFields.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import * as SourceText from "@lectern/core/content/documents/SourceText"
import * as PageTextUpdate from "./PageTextUpdate.ts"
import { coverRefs, fieldsOf, fieldsLine, urlsField, withoutFalse } from "./PageMetadata.ts"
import { blockSourceTexts } from "./BlockSourceText.ts"
import { type RoundTripResult, type LinkedPage, addFrontMatter, type ExportSource, urlsOf } from "./RoundTrip.ts"

export type { ExportPage as Page } from "./RoundTrip.ts"

export interface PageText {
  readonly text: string
  /** Bytes that are written instead of the text (see `SourceText`). */
  readonly bytes?: Uint8Array
  /** Ids of the files of the exported space that the document refers to. */
  readonly files: ReadonlyArray<string>
  /**
   * Sentence about the part of the page that an import of the file does not restore. Absent if the import restores the
   * whole page.
   */
  readonly problem?: string
}

const binaryPartsLost = { problem: "What is no text in its file is replaced, since the page changed" }
const contentLost = { problem: "Markdown has no form for all that it holds" }

export const write = (linkedPage: LinkedPage): PageText => {
  const importedSource = linkedPage.source === undefined ? {} : StoredDocuments.parseValue(linkedPage.source)
  const page = writeMarkdown(linkedPage, importedSource)
  if (importedSource.bytes === undefined) return page
  return page.text === importedSource.text
    ? { ...page, bytes: SourceText.bytesOf(page.text, importedSource) }
    : { ...binaryPartsLost, ...page }
}

const writeMarkdown = (linkedPage: LinkedPage, importedSource: SourceText.SourceText): PageText => {
  const { urls } = linkedPage
  const document = StoredDocuments.parseDocument(linkedPage.document)
  const files = filesIn(DocumentRefs.refs(document), urls)
  const labelled = AnnotationLabels.withUniqueLabels(urls.withLocalRefs(document))
  const source = {
    ...linkedPage,
    document: labelled,
    metadata: withoutFalse(linkedPage.metadata),
    ...frontMatterOf(importedSource)
  }
  const updatedText = PageTextUpdate.write(source, importedSource)
  if (updatedText !== undefined) return { text: updatedText, files }
  const labelledSource = { ...source, document: ReferenceLabels.withValidLabels(source.document, urlsOf(source).urlOf) }
  const text = printWithSourceStyles(labelledSource, importedSource)
  return {
    ...(text === undefined
      ? (updateExpressible(labelledSource, importedSource) ?? writeNew(labelledSource))
      : { text }),
    files
  }
}

const frontMatterOf = ({ text }: SourceText.SourceText): Pick<ExportSource, "importedFrontMatter"> => {
  if (text === undefined) return {}
  const { bodyStart: bodyFrom, text: normal } = Written.readSourceText(text)
  return bodyFrom === 0 ? {} : { importedFrontMatter: `${normal.slice(0, bodyFrom).trimEnd()}\n\n` }
}

/**
 * Edits the imported file so that it contains the part of the page that Markdown can express. Undefined if no edit
 * results in this.
 */
const updateExpressible = (
  source: ExportSource,
  importedSource: SourceText.SourceText
): Omit<PageText, "files"> | undefined => {
  if (importedSource.text === undefined) return undefined
  const { document, isLossless } = tryPrint(source, hasHeading(source))
  const text = isLossless ? undefined : PageTextUpdate.write({ ...source, document }, importedSource)
  return text === undefined ? undefined : { text, ...contentLost }
}

/** Returns the ids of the files of the exported space among references. */
export const filesIn = (refs: Iterable<ContentRef>, urls: ExportUrls): ReadonlyArray<string> => {
  const files = new Set<string>()
  for (const ref of refs) if (ref.kind === "file" && urls.localRef(ref) !== undefined) files.add(ref.file)
  return [...files]
}

/** True if a heading states the title. The entry then states the title too, or only the name in navigation. */
const hasHeading = ({ label, linkTitle, listedTitle, title }: ExportSource): boolean =>
  listedTitle === title || (label === undefined && linkTitle !== undefined && linkTitle === listedTitle)

const writeNew = (source: ExportSource): Omit<PageText, "files"> => {
  // A title heading is for readers of the files. Without one, a first heading equal to the title would be parsed as the
  // title.
  const withHeading = hasHeading(source)
  const first = tryPrint(source, withHeading)
  if (first.isLossless) return { text: first.text }
  const second = tryPrint(source, !withHeading)
  if (second.isLossless) return { text: second.text }
  // Markdown cannot express the whole document. The parsed document must be stable in later exports and imports.
  const stable = tryPrint({ ...source, document: first.document }, withHeading)
  if (stable.isLossless) return { text: stable.text, ...contentLost }
  return { text: tryPrint({ ...source, document: second.document }, !withHeading).text, ...contentLost }
}

/**
 * Writes a page that Markdown cannot express or that takes too long to print: all metadata in the front matter, and the
 * document as JSON without loss. Takes no longer than serializing the JSON.
 */
export const jsonPage = ({
  document,
  label,
  linkTitle,
  urls,
  metadata,
  path,
  statesSlug,
  slug,
  title
}: LinkedPage): Omit<PageText, "files"> => {
  const verbatimUrls = urls.verbatimUrls(coverRefs(metadata), path)
  const fields: PageFields = {
    title,
    ...(linkTitle !== undefined && linkTitle !== label && { linkTitle }),
    ...(slug !== undefined && statesSlug === true && { slug }),
    ...fieldsOf(metadata, (ref) => urls.url(ref, path, verbatimUrls)),
    ...urlsField(verbatimUrls)
  }
  return {
    text: FrontMatter.join(fieldsLine(fields), StoredDocuments.jsonCodeBlock(document)),
    problem: "It can't be written as Markdown in the time a page may take: it holds its document as JSON"
  }
}

const tryPrint = (source: ExportSource, withHeading: boolean): RoundTripResult => {
  const { document } = source
  const nodes = withHeading ? [TitleHeading.headingOf(source.title), ...document.nodes] : document.nodes
  return addFrontMatter(source, print(source, nodes))
}

const print = (source: ExportSource, nodes: ReadonlyArray<Block>): string => {
  const text = Markdown.print({ ...source.document, nodes }, { href: urlsOf(source).urlOf })
  return FolderPath.isMdx(source.path) ? HiddenSource.restore(Restoration.escapeBraces(text)) : text
}

/**
 * Returns the page with blocks in their original style. Undefined if there are no such blocks, or if an import would
 * read a different page.
 */
const printWithSourceStyles = (source: ExportSource, { styled = [] }: SourceText.SourceText): string | undefined => {
  const { document, title } = source
  const blockSourceOf = blockSourceTexts(styled, document.nodes, urlsOf(source).urlOf)
  if (blockSourceOf === undefined) return undefined
  const nodes = hasHeading(source) ? [TitleHeading.headingOf(title), ...document.nodes] : document.nodes
  const { isLossless, text } = addFrontMatter(
    source,
    `${nodes.map((block) => blockSourceOf(block) ?? print(source, [block]).trim()).join("\n\n")}\n`
  )
  return isLossless ? text : undefined
}
