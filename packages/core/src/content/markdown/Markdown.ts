/**
 * Markdown as input and output format of a document: CommonMark, GFM and `{% … %}` tags.
 *
 * Text is a fixpoint after one pass, and a document that came from `parse` comes back from its own
 * text equal but for its keys. What is not understood stays verbatim.
 *
 * Limits: see `SyntaxLimits` and `TagTree`; what exceeds one is kept as text.
 */
import { fromMarkdown } from "mdast-util-from-markdown"
import { toMarkdown } from "mdast-util-to-markdown"
import { schemaVersion, type Block, type ContentRef, type Document } from "../Document.ts"
import { countNodes, maxNodes } from "../DocumentInput.ts"
import * as BlocksFromMarkdown from "./BlocksFromMarkdown.ts"
import * as BlocksToMarkdown from "./BlocksToMarkdown.ts"
import * as Dialect from "./Dialect.ts"
import * as FrontMatter from "./FrontMatter.ts"
import { isHostile } from "./HostileText.ts"
import type { Resolve } from "./LinkReferences.ts"
import * as RefUrl from "./RefUrl.ts"

export interface ParseOptions {
  readonly nextKey: () => string
  /** Turns a URL into a reference; undefined leaves it to `RefUrl.fromUrl`. */
  readonly resolve?: Resolve
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
}

export const parse = (text: string, options: ParseOptions): Parsed => {
  const { frontMatter, body } = FrontMatter.split(normalise(text))
  const nodes = read(body, options) ?? verbatim(body, options)
  const document: Document = { object: "document", data: { schemaVersion }, nodes }
  return frontMatter === undefined ? { document } : { document, frontMatter }
}

/** Undefined where the text is more than a document may hold. */
const read = (body: string, { nextKey, resolve }: ParseOptions): Array<Block> | undefined => {
  if (isHostile(trim(body))) return undefined
  const root = fromMarkdown(body, { extensions: [...Dialect.syntax], mdastExtensions: [...Dialect.fromMarkdown] })
  const nodes = BlocksFromMarkdown.read(root, { nextKey, resolve })
  return countNodes(nodes, maxNodes) > maxNodes ? undefined : nodes
}

const verbatim = (body: string, { nextKey }: ParseOptions): Array<Block> => [
  {
    object: "block",
    type: "verbatim",
    key: nextKey(),
    data: { markdown: trim(body) },
    isVoid: true
  }
]

export const print = (document: Document, { frontMatter, href }: PrintOptions = {}): string => {
  const root = BlocksToMarkdown.write(document, (ref) => href?.(ref) ?? RefUrl.toUrl(ref))
  return FrontMatter.join(frontMatter, toMarkdown(root, Dialect.toMarkdown))
}

const trim = (body: string): string => body.replace(/^\n+/, "").trimEnd()

const normalise = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")
