/**
 * Markdown as input and output format of a document: CommonMark, GFM and `{% … %}` tags.
 *
 * Text is a fixpoint after one pass, and a document that came from `parse` comes back from its own
 * text equal but for its keys. What is not understood stays verbatim.
 *
 * Limits: see `HostileText`, `syntax/BlockParser` and `TagTree`; what exceeds one is kept as text.
 */
import { schemaVersion, type Block, type ContentRef, type Document } from "../Document.ts"
import { countNodes, maxNodes } from "../DocumentSize.ts"
import type { WrittenFootnotes } from "./AnnotationFootnotes.ts"
import * as BlocksFromMarkdown from "./BlocksFromMarkdown.ts"
import * as BlocksToMarkdown from "./BlocksToMarkdown.ts"
import * as FrontMatter from "./FrontMatter.ts"
import type { Resolve } from "./LinkReferences.ts"
import * as Blocks from "./print/Blocks.ts"
import { standard, type Style } from "./print/Style.ts"
import * as RefUrl from "./RefUrl.ts"
import * as Syntax from "./Syntax.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"
import { isHostile } from "./HostileText.ts"

export interface ParseOptions {
  readonly nextKey: () => string
  /** Turns a URL into a reference; undefined leaves it to `RefUrl.fromUrl`. */
  readonly resolve?: Resolve
  /**
   * Told where each block stands in the text as `Syntax.normalise` gives it; of what HTML says, the whole alone.
   * The footnote of an annotation is told of as a block that the document does not have, around what it holds.
   */
  readonly located?: (block: Block, range: TextRange) => void
}

export interface Parsed {
  readonly document: Document
  /** The YAML between the `---` at the start, verbatim (see `FrontMatter`). */
  readonly frontMatter?: string
}

export interface PrintOptions {
  readonly frontMatter?: string
  /** The URL that a reference is written as; undefined leaves it to `RefUrl.toUrl`. */
  readonly href?: (ref: ContentRef) => string | undefined
  /** Default: `standard`. */
  readonly style?: Style
  /** Writes tables as HTML, but for those of which that can't say all. */
  readonly hasHtmlTables?: boolean
  /** The document that these blocks are a part of, by whose definitions links are written. Default: they are all. */
  readonly whole?: Document
  /** Footnotes of annotations that are written elsewhere, and not again. Default: none. */
  readonly footnotes?: WrittenFootnotes
}

export const parse = (text: string, options: ParseOptions): Parsed =>
  readBy((whole, body) => read(whole, body, options) ?? verbatim(body, options), text)

/** Markdown that nothing is read of: it stays verbatim. */
export const asItIs = (text: string, options: ParseOptions): Parsed =>
  readBy((_whole, body) => verbatim(body, options), text)

const readBy = (nodesOf: (whole: string, body: string) => Array<Block>, text: string): Parsed => {
  const whole = Syntax.normalise(text)
  const { frontMatter, body } = FrontMatter.split(whole)
  const document: Document = { object: "document", data: { schemaVersion }, nodes: nodesOf(whole, body) }
  return frontMatter === undefined ? { document } : { document, frontMatter }
}

/** Undefined where the text is more than a document may hold. */
const read = (text: string, body: string, { nextKey, resolve, located }: ParseOptions): Array<Block> | undefined => {
  if (isHostile(Syntax.trim(body))) return undefined
  // Its ranges are those in the whole text.
  const root = Syntax.parse(text, { from: text.length - body.length })
  const nodes = BlocksFromMarkdown.read(root, { nextKey, resolve, located, source: text })
  // No character gives more than so many nodes, so a short text needs no counting.
  if (body.length * 10 <= maxNodes) return nodes
  return countNodes(nodes, maxNodes) > maxNodes ? undefined : nodes
}

const verbatim = (body: string, { nextKey }: ParseOptions): Array<Block> => [
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
  { frontMatter, href, style = standard, hasHtmlTables = false, whole = document, footnotes }: PrintOptions = {}
): string => {
  const blocks = BlocksToMarkdown.write(
    document,
    whole,
    (ref) => href?.(ref) ?? RefUrl.toUrl(ref),
    hasHtmlTables,
    footnotes
  )
  const text = FrontMatter.join(frontMatter, Blocks.write(blocks, style))
  return style.lineEnd === "\n" ? text : text.replaceAll("\n", style.lineEnd)
}
