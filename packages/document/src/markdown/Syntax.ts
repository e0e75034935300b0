/** Parses Markdown as a syntax tree: CommonMark, GFM, tags, formulas and emoji. */
import { BlockParser } from "./syntax/BlockParser.ts"
import { InlineParser } from "./syntax/InlineParser.ts"
import type { Root } from "./syntax/SyntaxTree.ts"

interface Options {
  /** Offset at which parsing starts: the start of a line. Default: 0. */
  readonly from?: number
  /** True to parse only CommonMark. Default: false. */
  readonly isPlain?: boolean
}

/** Returns the syntax tree of a normalized text. */
export const parse = (text: string, { from = 0, isPlain = false }: Options = {}): Root => {
  const { root, pending, ...labels } = new BlockParser(text, from, isPlain).parse()
  for (const { node, content, from: at } of pending) {
    const context = { isCell: node.type === "tableCell", isHeading: node.type === "heading", isPlain }
    node.children = new InlineParser(content, labels, context).parse(at)
  }
  return root
}

export const trim = (body: string): string => body.replace(/^\n+/, "").trimEnd()

/**
 * Normalizes a text for the parser: removes the byte order mark, converts line ends to line feeds, and replaces NUL by
 * U+FFFD.
 */
export const normalizeText = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
