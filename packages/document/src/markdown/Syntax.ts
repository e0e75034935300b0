/** How Markdown is parsed: CommonMark, GFM, tags, formulas and emoji, as a tree. */
import { BlockParser } from "./syntax/BlockParser.ts"
import { InlineParser } from "./syntax/InlineParser.ts"
import type { Root } from "./syntax/SyntaxTree.ts"

interface Options {
  /** Offset at which reading begins, at the start of a line. Default: 0. */
  readonly from?: number
  /** CommonMark alone. Default: all of it. */
  readonly isPlain?: boolean
}

/** The tree of a text that is normalised. */
export const parse = (text: string, { from = 0, isPlain = false }: Options = {}): Root => {
  const { root, pending, ...labels } = new BlockParser(text, from, isPlain).parse()
  for (const { node, content, from: at } of pending) {
    const context = { isCell: node.type === "tableCell", isHeading: node.type === "heading", isPlain }
    node.children = new InlineParser(content, labels, context).parse(at)
  }
  return root
}

export const trim = (body: string): string => body.replace(/^\n+/, "").trimEnd()

/** A text as it is parsed: its lines end with a line feed alone. */
export const normalise = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
