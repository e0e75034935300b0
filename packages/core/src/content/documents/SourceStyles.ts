/**
 * Blocks that were written in a style that differs from printed Markdown, such as `-` for list items or other padding
 * in a table. Their texts are stored with the source of the page (see `SourceText`), for exports. Saving unchanged
 * printed Markdown adds no such blocks.
 *
 * Limits: 64 Ki characters for a page. The latest texts are retained.
 */
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import type { SourceText } from "./SourceText.ts"

const maxLength = 64 * 1024

/** Returns the texts of blocks in Markdown that differ from their printed form. */
export const styledBlocksIn = (
  markdown: string,
  { frontMatter, document }: Markdown.ParsedMarkdown,
  ranges: ReadonlyMap<Block, TextRange>
): ReadonlyArray<string> => {
  const text = Syntax.normalizeText(markdown)
  const printedDocument = Markdown.print(document, frontMatter === undefined ? {} : { frontMatter })
  if (printedDocument.trim() === text.trim()) return []
  return document.nodes.flatMap((block) => {
    const range = ranges.get(block)
    const source = range === undefined ? "" : text.slice(range.from, range.to).trim()
    return source === "" || source === printBlock(block) ? [] : [source]
  })
}

const printBlock = (block: Block): string => Markdown.print({ object: "document", data: {}, nodes: [block] }).trim()

/** Returns the source style of a page with these texts of blocks added. */
export const withStyledBlocks = (before: SourceText | undefined, texts: ReadonlyArray<string>): SourceText => {
  const all = new Set([...texts, ...(before?.styled ?? [])])
  let length = 0
  const styled = Array.from(all).filter((text) => (length += text.length) <= maxLength)
  return { ...before, styled }
}
