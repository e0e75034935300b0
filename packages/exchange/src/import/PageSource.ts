/** Parses a Markdown file of a folder as a page: its title, metadata and document. */
import type { PagePatch } from "@lectern/core/content/edits/ContentEditor"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as FrontMatterLines from "@lectern/document/markdown/FrontMatterLines"
import * as Conversion from "@lectern/document/markdown/elements/Conversion"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import * as BlockOrigin from "@lectern/document/integration-blocks/BlockOrigin"
import * as Text from "@lectern/document/Text"
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import { maxTitle } from "@lectern/core/content/pages/Page"
import * as PageFrontMatter from "@lectern/core/content/pages/PageFrontMatter"
import * as FolderPath from "./FolderPath.ts"
import * as FrontMatterSlug from "./FrontMatterSlug.ts"
import * as PageFields from "./PageFields.ts"
import { titleOf } from "./FolderTree.ts"

export interface PageSource {
  readonly title: string
  /**
   * Name in navigation, if it differs from the title. It is the entry of the table of contents, if the heading differs
   * from the entry.
   */
  readonly linkTitle?: string
  /** True if the title comes from the heading, and the table of contents states another. */
  readonly isTitleFromHeading: boolean
  /** All fields that a file can set. Undefined if the file does not set the field. */
  readonly metadata: Omit<PagePatch, "title" | "linkTitle" | "slug" | "target" | "git">
  readonly document: Document
  /** The heading that only repeats the title and is left out of the document, with its index among the blocks. */
  readonly heading?: { readonly block: Block; readonly at: number }
  /** Fields that only an export writes (see `PageFields`). */
  readonly fields: PageFields.PageFields
  /** Names of these fields with invalid values, which are ignored. */
  readonly invalidFields: ReadonlyArray<string>
  /** Title in the front matter. */
  readonly ownTitle?: string
  /** Slug in the front matter of another program (see `FrontMatterSlug`). `fields.slug` has precedence. */
  readonly ownSlug?: string
  /** The YAML error of the front matter, as a sentence; absent if the front matter is valid. */
  readonly problem?: string
}

/** A page's path and its entry in the table of contents. */
export interface PageFile {
  readonly path: string
  /**
   * Title of the entry in the table of contents. If the heading differs, the heading is the title and this is the name
   * in navigation.
   */
  readonly title: string | undefined
  /** Name in navigation that the entry states in addition to its title. */
  readonly label?: string | undefined
  readonly hidden: boolean
}

interface Options extends PageFile, Pick<Markdown.ParseOptions, "onBlock"> {
  readonly nextKey: () => string
  readonly resolve: (url: string) => ContentRef | undefined
  /** Blocks of integrations that are stored as code. */
  readonly fenced: ReadonlyArray<BlockOrigin.FencedBlock>
  /** True if the elements of other programs are converted already (see `Conversion`). Default: false. */
  readonly isConverted?: boolean
}

export const read = (text: string, options: Options): PageSource =>
  readWith(Markdown.parse, options.isConverted === true ? text : (convert(text, options)?.text ?? text), options)

/** Returns the text of a file with the elements of other programs as blocks; undefined if it has none. */
export const convert = (
  text: string,
  { path, resolve }: Pick<Options, "path" | "resolve">
): Conversion.Conversion | undefined => Conversion.convert(text, { isMdx: FolderPath.isMdx(path), resolve })

/** Parses the fields of a page and keeps its text as one verbatim block. Takes no time, independent of the size. */
export const readVerbatim = (text: string, options: Options): PageSource =>
  readWith(Markdown.verbatimDocument, text, options)

const readWith = (parse: typeof Markdown.parse, text: string, options: Options): PageSource => {
  const { fields, rest, wrong: invalidFields } = fieldsOf(FrontMatter.split(text.replace(/\r\n?/g, "\n")).frontMatter)
  const unresolvedUrls = new Set(fields.urls)
  const resolve = (url: string) => (unresolvedUrls.has(url) ? undefined : options.resolve(url))
  const { nextKey, fenced, onBlock } = options
  const parsed = parse(text, { nextKey, resolve, ...(onBlock && { onBlock }) })
  const { metadata, problem, verbatim } = PageFrontMatter.read(rest)
  const ownSlug = FrontMatterSlug.read(rest)
  const heading = TitleHeading.textIn(parsed.document)
  const ownTitle = metadata.title ?? heading
  const isTitleFromHeading =
    fields.title === undefined &&
    metadata.title === undefined &&
    options.title !== undefined &&
    options.label === undefined &&
    heading !== undefined &&
    isTitle(heading) &&
    !isSameTitle(heading, options.title)
  const title =
    fields.title ??
    titleFrom(
      // The table of contents collapses white space, so the file's own spelling of an equal title wins.
      isTitleFromHeading || isSameTitle(ownTitle, options.title) ? ownTitle : options.title,
      metadata.title,
      heading,
      titleOf(FolderPath.isReadme(options.path) ? folderName(options.path) : FolderPath.baseName(options.path))
    )
  const linkTitle = options.label ?? (isTitleFromHeading ? titleFrom(options.title) : fields.linkTitle)
  const titleRemoval = TitleHeading.withoutTitle(parsed.document, title, { text, isInFile: true })
  return {
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    isTitleFromHeading,
    metadata: {
      emoji: metadata.emoji,
      icon: metadata.icon,
      description: metadata.description,
      hidden: options.hidden || metadata.hidden || undefined,
      noIndex: metadata.noIndex || undefined,
      noRobotsIndex: metadata.noRobotsIndex || undefined,
      condition: metadata.condition,
      layout: metadata.layout,
      variables: metadata.variables,
      tags: metadata.tags,
      cover: PageFrontMatter.cover(rest, resolve),
      frontMatter: verbatim,
      ...withoutLinkTitle(PageFields.patch(fields, resolve))
    },
    document: BlockOrigin.withFences(titleRemoval.document, fenced, nextKey),
    ...(titleRemoval.heading !== undefined && {
      heading: { block: titleRemoval.heading, at: titleRemoval.index ?? 0 }
    }),
    fields,
    invalidFields,
    ...(metadata.title !== undefined && { ownTitle: metadata.title }),
    ...(ownSlug !== undefined && { ownSlug }),
    ...(problem !== undefined && { problem })
  }
}

/** True if two titles differ only in white space. */
export const isSameTitle = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  collapseWhiteSpace(titleFrom(one)) === collapseWhiteSpace(titleFrom(other))

/** Returns the fields that an export wrote, and the remaining front matter. */
const fieldsOf = (frontMatter: string | undefined): PageFields.Read & { readonly rest: string | undefined } => {
  const unchanged = { fields: {}, rest: frontMatter, wrong: [] }
  if (frontMatter === undefined || !/^lectern:/m.test(frontMatter)) return unchanged
  const { fields, problem } = FrontMatterLines.read(frontMatter)
  const { lectern, ...others } = fields
  const parsed = PageFields.read(lectern)
  if (parsed === undefined) return unchanged
  const rest =
    problem === undefined
      ? FrontMatter.write(others)
      : FrontMatterLines.withChangedValues(frontMatter, new Map([["lectern", undefined]]))
  return { ...parsed, rest: rest || undefined }
}

/** Returns the URLs in a file that stay unchanged. */
export const urlsOf = (text: string): ReadonlySet<string> =>
  new Set(fieldsOf(FrontMatter.split(text.replace(/\r\n?/g, "\n")).frontMatter).fields.urls)

/** Returns the patch without the name in navigation, which also depends on the page's entry and heading. */
const withoutLinkTitle = ({ linkTitle: _, ...patch }: ReturnType<typeof PageFields.patch>) => patch

/** True for a text that fits into a title completely. */
const isTitle = (text: string): boolean => text !== "" && Text.toLine(text, maxTitle) === text

export const titleFrom = (...candidates: ReadonlyArray<string | undefined>): string => {
  for (const candidate of candidates) {
    const title = Text.toLine(candidate ?? "", maxTitle)
    if (title !== "") return title
  }
  return "Untitled"
}

const folderName = (path: string): string =>
  FolderPath.baseName(FolderPath.directory(path)) || FolderPath.baseName(path)
