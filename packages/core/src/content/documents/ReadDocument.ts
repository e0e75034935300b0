/**
 * Reads a document from a client: Markdown or a document tree. The result is validated and complete. All blocks have
 * keys, and names of the batch are replaced by ids.
 */
import { Result } from "effect"
import { keysFrom } from "../../identity/Ids.ts"
import * as Computation from "../../thread/Computation.ts"
import * as BlockOrigin from "@lectern/document/integration-blocks/BlockOrigin"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentAnchors from "@lectern/document/DocumentAnchors"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { DocumentSize } from "@lectern/document/DocumentSize"
import { plainText } from "@lectern/document/DocumentText"
import { BatchRefs, type BatchRefTable } from "./BatchRefs.ts"
import { JsonText } from "../../schema/JsonText.ts"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import { toLine } from "@lectern/document/Text"
import { maxTitle, type PageCover } from "../pages/Page.ts"
import * as PageFrontMatter from "../pages/PageFrontMatter.ts"
import * as TitleHeading from "./TitleHeading.ts"
import { serialize, type StoredDocument } from "./StoredDocument.ts"
import * as SourceStyles from "./SourceStyles.ts"

/** Document in the form in which it was sent. `json`: a document tree that is not parsed yet. */
type DocumentSource = { readonly markdown: string } | { readonly value: unknown } | { readonly json: string }

export const documentSourceOf = (value: unknown): DocumentSource => {
  if (value instanceof JsonText) return { json: value.json }
  return countValues(value) <= smallDocument ? { value } : { json: JSON.stringify(value) }
}

interface ReadInput {
  readonly source: DocumentSource
  readonly refs: BatchRefTable
  /** Blocks of integrations that are written as code. */
  readonly fenced: ReadonlyArray<BlockOrigin.FencedBlock>
  /**
   * Titles of the page, if the Markdown belongs to a page. A first heading that repeats a title is removed. If the list
   * is empty and the front matter has no title, the first heading becomes the title. Undefined if the document belongs
   * to no page.
   */
  readonly titles?: ReadonlyArray<string> | undefined
  /** Text from which the keys of the blocks are derived. */
  readonly key: string
}

export interface ReadResult {
  readonly document: StoredDocument
  readonly metadata: PageFrontMatter.PageFrontMatter["metadata"] & { readonly cover?: typeof PageCover.Type }
  /**
   * Front matter to store verbatim. If `frontMatter` is undefined, the stored front matter is removed. Absent if the
   * input has no front matter.
   */
  readonly verbatim?: { readonly frontMatter: string | undefined }
  /** Texts of blocks whose style differs from printed Markdown (see `SourceStyles`). */
  readonly styledTexts?: ReadonlyArray<string>
  /** Text of a heading at the start of the document, which becomes the title of a page without one. */
  readonly heading?: string
}

type ReadOutcome = ReadResult | { readonly problem: DocumentInput.InvalidDocument }

/** Maximum length of Markdown or JSON that is parsed without a thread (characters). */
const smallText = 16 * 1024
const smallDocument = 2000

const isSmall = ({ source }: ReadInput): boolean =>
  "value" in source || ("markdown" in source ? source.markdown : source.json).length <= smallText

/** Counts the values in a tree. Stops soon after `smallDocument`. */
const countValues = (value: unknown): number => {
  let count = 0
  const pending: Array<unknown> = [value]
  while (pending.length > 0 && count <= smallDocument) {
    const next = pending.pop()
    count++
    if (typeof next !== "object" || next === null) continue
    for (const field of Object.values(next)) pending.push(field)
  }
  return count
}

const run = ({ source, refs: table, fenced, titles, key }: ReadInput): ReadOutcome => {
  const refs = new BatchRefs(table)
  const nextKey = keysFrom(key)
  if ("markdown" in source) {
    // Markdown that is too large is rejected before parsing, since the parsed document would be as large and could not
    // be sent as a tree either.
    const problem = new DocumentSize().countText(source.markdown)
    if (problem !== undefined) return { problem: { path: "markdown", message: problem } }
    const ranges = new Map<Block, TextRange>()
    const parsed = Markdown.parse(source.markdown, {
      nextKey,
      resolve: (url) => refs.fromUrl(url),
      onBlock: (block, range) => void ranges.set(block, range)
    })
    const styledTexts = SourceStyles.styledBlocksIn(source.markdown, parsed, ranges)
    const { metadata, verbatim } = PageFrontMatter.read(parsed.frontMatter)
    const cover = PageFrontMatter.cover(parsed.frontMatter, (url) => {
      const ref = refs.fromUrl(url) ?? RefUrl.fromUrl(url)
      return ref.kind === "file" ? ref : undefined
    })
    const heading = titleOf(TitleHeading.textIn(parsed.document))
    const allTitles = [...(titles ?? []), ...(metadata.title === undefined ? [] : [metadata.title])]
    const headingTitles = titles === undefined ? [] : allTitles.length === 0 ? [heading ?? ""] : allTitles
    const document = headingTitles.reduce(
      (rest, title) =>
        rest === parsed.document ? TitleHeading.withoutTitle(rest, title, { text: source.markdown }).document : rest,
      parsed.document
    )
    return {
      document: serialize(BlockOrigin.withFences(document, fenced, nextKey)),
      metadata: { ...metadata, ...(cover !== undefined && { cover }) },
      ...(parsed.frontMatter !== undefined && { verbatim: { frontMatter: verbatim } }),
      ...(styledTexts.length > 0 && { styledTexts }),
      ...(heading !== undefined && { heading })
    }
  }
  const normalized = DocumentInput.normalizeDocument("json" in source ? JSON.parse(source.json) : source.value, nextKey)
  if (Result.isFailure(normalized)) return { problem: normalized.failure }
  const document = DocumentRefs.mapRefs(normalized.success, (ref) => refs.resolve(DocumentAnchors.originalRef(ref)))
  return {
    document: serialize(BlockOrigin.withFences(document, fenced, nextKey)),
    metadata: {},
    ...sectionHeadingOf(document)
  }
}

export const ReadDocument = Computation.make({ name: "read-document", isSmall, run })

/** Returns the text of a heading, cut to the maximum length of a title. Undefined if it is empty. */
const titleOf = (heading: string | undefined): string | undefined => toLine(heading ?? "", maxTitle) || undefined

/**
 * Returns the title in a document tree. A tree has no heading above the level of sections, so a section heading at the
 * start counts.
 */
const sectionHeadingOf = ({ nodes: [first] }: Document): { readonly heading?: string } => {
  const heading = first?.type === "heading-1" ? titleOf(plainText(first)) : undefined
  return heading === undefined ? {} : { heading }
}
