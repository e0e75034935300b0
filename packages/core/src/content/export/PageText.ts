/**
 * Writes a page or reusable content as a Markdown file from which an import restores it. Values that an import would
 * determine differently are stated in the front matter (see `PageFields`). They are found by parsing the file like an
 * import.
 */
import type { Block, ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as AnnotationLabels from "@lectern/document/markdown/AnnotationLabels"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as ReferenceLabels from "@lectern/document/markdown/ReferenceLabels"
import * as Written from "@lectern/document/markdown/WrittenText"
import * as StoredDocuments from "../documents/StoredDocument.ts"
import * as TitleHeading from "../documents/TitleHeading.ts"
import type { PageFields } from "../import/PageFields.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import * as SourceText from "../documents/SourceText.ts"
import * as PageTextUpdate from "./PageTextUpdate.ts"
import { coverRefs, fieldsOf, ownFields, urlsField, withoutFalse } from "./PageMetadata.ts"
import { reader } from "./BlockSourceText.ts"
import { type Attempt, type Linked, settle, type Source, urlsOf } from "./RoundTrip.ts"

export type { Page } from "./RoundTrip.ts"

export interface PageText {
  readonly text: string
  /** Bytes that are written instead of the text (see `SourceText`). */
  readonly bytes?: Uint8Array
  /** Ids of the files of the exported space that the document refers to. */
  readonly files: ReadonlyArray<string>
  /** A sentence about the part of the page that an import does not read back. */
  readonly problem?: string
}

const noText = { problem: "What is no text in its file is replaced, since the page changed" }
const noForm = { problem: "Markdown has no form for all that it holds" }

export const write = (given: Linked): PageText => {
  const form = given.source === undefined ? {} : StoredDocuments.unfold(given.source)
  const page = writeAs(given, form)
  if (form.bytes === undefined) return page
  return page.text === form.text ? { ...page, bytes: SourceText.bytesOf(page.text, form) } : { ...noText, ...page }
}

const writeAs = (given: Linked, form: SourceText.SourceText): PageText => {
  const { urls } = given
  const document = StoredDocuments.open(given.document)
  const files = filesIn(DocumentRefs.refs(document), urls)
  const labelled = AnnotationLabels.settled(urls.owned(document))
  const source = { ...given, document: labelled, metadata: withoutFalse(given.metadata), ...headOf(form) }
  const kept = PageTextUpdate.write(source, form)
  if (kept !== undefined) return { text: kept, files }
  const settled = { ...source, document: ReferenceLabels.held(source.document, urlsOf(source).urlOf) }
  const text = styled(settled, form)
  return { ...(text === undefined ? (said(settled, form) ?? written(settled)) : { text }), files }
}

const headOf = ({ text }: SourceText.SourceText): Pick<Source, "head"> => {
  if (text === undefined) return {}
  const { bodyFrom, text: normal } = Written.of(text)
  return bodyFrom === 0 ? {} : { head: `${normal.slice(0, bodyFrom).trimEnd()}\n\n` }
}

/**
 * Edits the imported file so that it contains the part of the page that Markdown can express. Undefined if no edit
 * results in this.
 */
const said = (source: Source, form: SourceText.SourceText): Omit<PageText, "files"> | undefined => {
  if (form.text === undefined) return undefined
  const { document, isWhole } = attempt(source, hasHeading(source))
  const text = isWhole ? undefined : PageTextUpdate.write({ ...source, document }, form)
  return text === undefined ? undefined : { text, ...noForm }
}

/** Returns the ids of the files of the exported space among references. */
export const filesIn = (refs: Iterable<ContentRef>, urls: ExportUrls): ReadonlyArray<string> => {
  const files = new Set<string>()
  for (const ref of refs) if (ref.kind === "file" && urls.own(ref) !== undefined) files.add(ref.file)
  return [...files]
}

/** True if a heading states the title. The entry then states the title too, or only the name in navigation. */
const hasHeading = ({ label, linkTitle, listedTitle, title }: Source): boolean =>
  listedTitle === title || (label === undefined && linkTitle !== undefined && linkTitle === listedTitle)

const written = (source: Source): Omit<PageText, "files"> => {
  // A title heading is for readers of the files. Without one, a first heading equal to the title would be parsed as the
  // title.
  const withHeading = hasHeading(source)
  const first = attempt(source, withHeading)
  if (first.isWhole) return { text: first.text }
  const second = attempt(source, !withHeading)
  if (second.isWhole) return { text: second.text }
  // Markdown cannot express the whole document. The parsed document must be stable in later exports and imports.
  const again = attempt({ ...source, document: first.document }, withHeading)
  if (again.isWhole) return { text: again.text, ...noForm }
  return { text: attempt({ ...source, document: second.document }, !withHeading).text, ...noForm }
}

/**
 * Writes a page that Markdown cannot express or that takes too long to print: all metadata in the front matter, and the
 * document as JSON without loss. Takes no longer than serializing the JSON.
 */
export const asJson = ({
  document,
  label,
  linkTitle,
  urls,
  metadata,
  path,
  saysSlug,
  slug,
  title
}: Linked): Omit<PageText, "files"> => {
  const asWritten = urls.asWritten(coverRefs(metadata), path)
  const fields: PageFields = {
    title,
    ...(linkTitle !== undefined && linkTitle !== label && { linkTitle }),
    ...(slug !== undefined && saysSlug === true && { slug }),
    ...fieldsOf(metadata, (ref) => urls.url(ref, path, asWritten)),
    ...urlsField(asWritten)
  }
  return {
    text: FrontMatter.join(ownFields(fields), StoredDocuments.asJson(document)),
    problem: "It can't be written as Markdown in the time a page may take: it holds its document as JSON"
  }
}

const attempt = (source: Source, withHeading: boolean): Attempt => {
  const { document } = source
  const nodes = withHeading ? [TitleHeading.of(source.title), ...document.nodes] : document.nodes
  return settle(source, print(source, nodes))
}

const print = (source: Source, nodes: ReadonlyArray<Block>): string =>
  Markdown.print({ ...source.document, nodes }, { href: urlsOf(source).urlOf })

/**
 * Returns the page with blocks in their original style. Undefined if there are no such blocks, or if an import would
 * read a different page.
 */
const styled = (source: Source, { styled = [] }: SourceText.SourceText): string | undefined => {
  const { document, title } = source
  const own = reader(styled, document.nodes, urlsOf(source).urlOf)
  if (own === undefined) return undefined
  const nodes = hasHeading(source) ? [TitleHeading.of(title), ...document.nodes] : document.nodes
  const { isWhole, text } = settle(
    source,
    `${nodes.map((block) => own(block) ?? print(source, [block]).trim()).join("\n\n")}\n`
  )
  return isWhole ? text : undefined
}
