/**
 * A page, or reusable content, as a Markdown file that an import reads back as it was. What the
 * import would decide otherwise is said in the front matter (see `PageFields`): it is found out by
 * reading the file as an import does.
 */
import { Equal, Result } from "effect"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { PageFields } from "../import/PageFields.ts"
import * as PageSource from "../import/PageSource.ts"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { PageEntry } from "../pages/Page.ts"
import * as PageFrontMatter from "../pages/PageFrontMatter.ts"
import * as StoredDocuments from "../documents/StoredDocument.ts"
import type { StoredDocument } from "../documents/StoredDocument.ts"
import type { ExportLinks } from "./ExportLinks.ts"

export type Metadata = Partial<
  Pick<
    PageEntry,
    | "emoji"
    | "icon"
    | "description"
    | "hidden"
    | "noIndex"
    | "noRobotsIndex"
    | "condition"
    | "layout"
    | "cover"
    | "variables"
    | "computed"
    | "frontMatter"
  >
>

/** A page as it is to be written. Plain data, which can go to another thread. */
export interface Page {
  readonly path: string
  readonly title: string
  /** The title that the table of contents gives it; undefined where that does not name it. */
  readonly listedTitle: string | undefined
  /** The page's slug, where an import would make another of the path. */
  readonly slug?: string
  readonly metadata: Metadata
  readonly document: StoredDocument
}

interface Linked extends Page {
  readonly links: ExportLinks
}

interface Source extends Linked {
  readonly document: Document
}

export interface PageText {
  readonly text: string
  /** The files of its own space that its document refers to. */
  readonly files: ReadonlyArray<string>
  /** A sentence about the part of the page that an import does not read back. */
  readonly problem?: string
}

const noForm = { problem: "Markdown has no form for all that it holds" }

export const write = (given: Linked): PageText => {
  const { links } = given
  const document = StoredDocuments.unfold(given.document)
  const files = filesIn(DocumentRefs.refs(document), links)
  return { ...written({ ...given, document: links.owned(document), metadata: withoutFalse(given.metadata) }), files }
}

/** The files of its own space among references. */
export const filesIn = (refs: Iterable<ContentRef>, links: ExportLinks): ReadonlyArray<string> => {
  const files = new Set<string>()
  for (const ref of refs) if (ref.kind === "file" && links.own(ref) !== undefined) files.add(ref.file)
  return [...files]
}

const written = (source: Source): Omit<PageText, "files"> => {
  // A title above the text is for readers of the files; where there is none, a heading that says the
  // same as the title would be taken for it.
  const withHeading = source.listedTitle === source.title
  const first = attempt(source, withHeading)
  if (first.isWhole) return { text: first.text }
  const second = attempt(source, !withHeading)
  if (second.isWhole) return { text: second.text }
  // What comes back is another document, and that one is to come back from now on.
  const again = attempt({ ...source, document: first.document }, withHeading)
  if (again.isWhole) return { text: again.text, ...noForm }
  return { text: attempt({ ...source, document: second.document }, !withHeading).text, ...noForm }
}

/**
 * A page that can't be written as Markdown, or takes too long to: all that is known of it in the front
 * matter, and its document as JSON, which loses nothing. It takes no longer than the JSON does.
 */
export const asJson = ({ document, links, metadata, path, slug, title }: Linked): Omit<PageText, "files"> => {
  const asWritten = links.asWritten(coverRefs(metadata), path)
  const fields: PageFields = {
    title,
    ...(slug !== undefined && { slug }),
    ...fieldsOf(metadata, (ref) => links.url(ref, path, asWritten)),
    ...urlsField(asWritten)
  }
  return {
    text: FrontMatter.join(ownFields(fields), StoredDocuments.asJson(document)),
    problem: "It can't be written as Markdown in the time a page may take: it holds its document as JSON"
  }
}

interface Attempt {
  readonly text: string
  /** False where Markdown has no form for all that the document holds. */
  readonly isWhole: boolean
  /** As it comes back. */
  readonly document: Document
}

const attempt = (source: Source, withHeading: boolean): Attempt => {
  const { document, links, path } = source
  const refs = [...DocumentRefs.refs(document), ...coverRefs(source.metadata)]
  const asWritten = links.asWritten(refs, path)
  const urlOf = (ref: ContentRef) => links.url(ref, path, asWritten)
  const nodes = withHeading ? [headingOf(source.title), ...document.nodes] : document.nodes
  const body = Markdown.print({ ...document, nodes }, { href: urlOf })

  const fields: { -readonly [K in keyof PageFields]: PageFields[K] } = {
    ...(source.slug !== undefined && { slug: source.slug }),
    ...urlsField(asWritten)
  }
  for (let round = 0; ; round++) {
    const text = FrontMatter.join(frontMatter(source, fields), body)
    let keys = 0
    const read = PageSource.read(text, {
      path,
      title: source.listedTitle,
      hidden: false,
      fenced: [],
      nextKey: () => `export-${++keys}`,
      resolve: (url) => links.resolve(url, path)
    })
    const missing = differences(source, read, urlOf)
    if (Object.keys(missing).length === 0 || round === 3) {
      const isWhole = Object.keys(missing).length === 0 && align(document, read.document) === document
      return { text, isWhole, document: read.document }
    }
    Object.assign(fields, missing)
    const { metadata } = source
    if (metadata.frontMatter !== undefined && Result.isFailure(FrontMatter.read(metadata.frontMatter))) {
      fields.frontMatter = metadata.frontMatter
    }
  }
}

const urlsField = (asWritten: ReadonlySet<string>): PageFields =>
  asWritten.size === 0 ? {} : { urls: [...asWritten].sort() }

const metadataNames = [
  "emoji",
  "icon",
  "description",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "condition",
  "layout",
  "variables",
  "computed",
  "frontMatter"
] as const

/** The metadata of a page. */
export const metadataOf = (page: PageEntry): Metadata => {
  const names = [...metadataNames, "cover" as const]
  return Object.fromEntries(names.flatMap((name) => (page[name] === undefined ? [] : [[name, page[name]] as const])))
}

const withoutFalse = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== false && value !== undefined))

const frontMatter = ({ listedTitle, metadata, title }: Source, fields: PageFields): string | undefined => {
  const { frontMatter: verbatim, ...others } = metadata
  const isSeparate = fields.frontMatter !== undefined || verbatim === undefined
  const said =
    listedTitle === undefined
      ? FrontMatter.write({ title })
      : PageFrontMatter.write(isSeparate ? others : { ...others, frontMatter: verbatim })
  if (Object.keys(fields).length === 0) return said
  const own = ownFields(fields)
  return said === undefined ? own : `${said}\n${own}`
}

/** Fields in the front matter. JSON is YAML, and gives back each string as it was, which longer forms of YAML do not. */
const ownFields = (fields: PageFields): string => `lectern: ${JSON.stringify(inOrder(fields))}`

/** Fields in the order of the schema, so that the same fields are the same text. */
export const inOrder = (fields: PageFields): PageFields =>
  Object.fromEntries(
    Object.keys(PageFields.fields).flatMap((name) =>
      name in fields ? [[name, fields[name as keyof PageFields]] as const] : []
    )
  )

/** Fields of the page that an import would decide otherwise. */
const differences = (
  { title, metadata, listedTitle }: Source,
  read: PageSource.PageSource,
  urlOf: (ref: ContentRef) => string
): PageFields => {
  const missing: Record<string, unknown> = {}
  if (read.title !== title) missing["title"] = title
  // Of reusable content an import takes the title and the text alone.
  if (listedTitle === undefined) return missing
  for (const name of metadataNames) {
    if (!Equal.equals(read.metadata[name], metadata[name])) missing[name] = metadata[name] ?? null
  }
  if (!Equal.equals(read.metadata.cover, metadata.cover)) missing["cover"] = coverFields(metadata, urlOf) ?? null
  return missing
}

/** All the metadata of a page that has no file, which only fields can say. */
export const fieldsOf = (metadata: Metadata, urlOf: (ref: ContentRef) => string): PageFields => {
  const said = withoutFalse(metadata)
  const cover = coverFields(said, urlOf)
  const plain = metadataNames.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]] as const]))
  return { ...Object.fromEntries(plain), ...(cover !== undefined && { cover }) }
}

const coverFields = ({ cover }: Metadata, urlOf: (ref: ContentRef) => string): PageFields["cover"] | undefined =>
  cover && {
    ...(cover.ref !== undefined && { url: urlOf(cover.ref) }),
    ...(cover.refDark !== undefined && { dark: urlOf(cover.refDark) }),
    y: cover.yPos
  }

/** References of a cover. */
export const coverRefs = ({ cover }: Metadata): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

const headingOf = (title: string): Block => ({
  object: "block",
  type: "heading-1",
  key: "title",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: title, marks: [] }] }]
})
