/**
 * Markdown as input and output format of documents: CommonMark, GFM and `{% … %}` tags.
 *
 * Parsing and printing a printed text again does not change it. A document from `parse` equals the document parsed from
 * its printed text, except for keys. Unknown syntax stays verbatim.
 *
 * Limits: see `OversizedText`, `syntax/BlockParser` and `TagTree`. Content that exceeds a limit is stored as text.
 */
import { schemaVersion, type Block, type ContentRef, type Document } from "../Document.ts"
import { countNodes, maxNodes } from "../DocumentSize.ts"
import type { ExistingFootnotes } from "./AnnotationFootnotes.ts"
import * as BlocksFromMarkdown from "./BlocksFromMarkdown.ts"
import * as BlocksToMarkdown from "./BlocksToMarkdown.ts"
import * as FrontMatterBlock from "./FrontMatterBlock.ts"
import type { Resolve } from "./LinkReferences.ts"
import * as Blocks from "./print/Blocks.ts"
import { standardStyle, type Style } from "./print/Style.ts"
import * as RefUrl from "./RefUrl.ts"
import * as Syntax from "./Syntax.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"
import { exceedsLimits } from "./OversizedText.ts"

export interface ParseOptions {
  readonly nextKey: () => string
  /** Converts a URL to a reference. If it returns undefined, `RefUrl.fromUrl` is used. */
  readonly resolve?: Resolve
  /**
   * Called with each block and its range in the text that `Syntax.normalizeText` returns. HTML is reported only as a
   * whole. The footnote of an annotation is reported as a block that encloses its content, although the document has no
   * such block.
   */
  readonly onBlock?: (block: Block, range: TextRange) => void
}

export interface ParsedMarkdown {
  readonly document: Document
  /** The YAML between the `---` at the start, verbatim (see `FrontMatter`). */
  readonly frontMatter?: string
}

export interface PrintOptions {
  readonly frontMatter?: string
  /** Returns the URL of a reference. If it returns undefined, `RefUrl.toUrl` is used. */
  readonly href?: (ref: ContentRef) => string | undefined
  /** Choice between equivalent forms of Markdown. Default: `standard`. */
  readonly style?: Style
  /** True to write tables as HTML, except those that HTML cannot express completely. Default: false. */
  readonly hasHtmlTables?: boolean
  /** Document that contains these blocks and has the definitions of their links. Default: the printed document. */
  readonly contextDocument?: Document
  /** Footnotes of annotations that are written elsewhere and not repeated. Default: none. */
  readonly footnotes?: ExistingFootnotes
}

export const parse = (text: string, options: ParseOptions): ParsedMarkdown =>
  parseWith((normalized, body) => read(normalized, body, options) ?? verbatimBlock(body, options), text)

/** Returns a document with the text in a verbatim block, without parsing it. */
export const verbatimDocument = (text: string, options: ParseOptions): ParsedMarkdown =>
  parseWith((_whole, body) => verbatimBlock(body, options), text)

const parseWith = (nodesOf: (normalized: string, body: string) => Array<Block>, text: string): ParsedMarkdown => {
  const normalized = Syntax.normalizeText(text)
  const { frontMatter, body } = FrontMatterBlock.split(normalized)
  const document: Document = { object: "document", data: { schemaVersion }, nodes: nodesOf(normalized, body) }
  return frontMatter === undefined ? { document } : { document, frontMatter }
}

/** Returns the blocks; undefined if the text exceeds the limits of a document. */
const read = (text: string, body: string, { nextKey, resolve, onBlock }: ParseOptions): Array<Block> | undefined => {
  if (exceedsLimits(Syntax.trim(body))) return undefined
  // The ranges of nodes are offsets in the whole text.
  const root = Syntax.parse(text, { from: text.length - body.length })
  const nodes = BlocksFromMarkdown.read(root, { nextKey, resolve, located: onBlock, source: text })
  // A character yields at most 10 nodes, so short texts need no count.
  if (body.length * 10 <= maxNodes) return nodes
  return countNodes(nodes, maxNodes) > maxNodes ? undefined : nodes
}

const verbatimBlock = (body: string, { nextKey }: ParseOptions): Array<Block> => [
  {
    object: "block",
    type: "verbatim",
    key: nextKey(),
    data: { markdown: Syntax.trim(body) },
    isVoid: true
  }
]

export const print = (
  document: Document,
  {
    frontMatter,
    href,
    style = standardStyle,
    hasHtmlTables = false,
    contextDocument: normalized = document,
    footnotes
  }: PrintOptions = {}
): string => {
  const blocks = BlocksToMarkdown.write(
    document,
    normalized,
    (ref) => href?.(ref) ?? RefUrl.toUrl(ref),
    hasHtmlTables,
    footnotes
  )
  const text = FrontMatterBlock.join(frontMatter, Blocks.write(blocks, style))
  return style.lineEnd === "\n" ? text : text.replaceAll("\n", style.lineEnd)
}
