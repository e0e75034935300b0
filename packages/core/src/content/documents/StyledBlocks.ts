/**
 * Blocks that somebody wrote in another form than they would be printed in: with `-` for items, say, or other
 * padding in a table. Their text is kept beside the page (see `SourceText`), for exports. Who writes what was
 * read before writes no such blocks.
 *
 * Limits: 64 Ki characters for a page; what was written last is kept.
 */
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import type { SourceText } from "./SourceText.ts"

const maxLength = 64 * 1024

/** The texts of such blocks in Markdown that was read as a document. */
export const of = (
  markdown: string,
  { frontMatter, document }: Markdown.Parsed,
  ranges: ReadonlyMap<Block, TextRange>
): ReadonlyArray<string> => {
  const text = Syntax.normalise(markdown)
  const whole = Markdown.print(document, frontMatter === undefined ? {} : { frontMatter })
  if (whole.trim() === text.trim()) return []
  return document.nodes.flatMap((block) => {
    const range = ranges.get(block)
    const written = range === undefined ? "" : text.slice(range.from, range.to).trim()
    return written === "" || written === printed(block) ? [] : [written]
  })
}

const printed = (block: Block): string => Markdown.print({ object: "document", data: {}, nodes: [block] }).trim()

/** The form of a page with these texts. */
export const kept = (before: SourceText | undefined, texts: ReadonlyArray<string>): SourceText => {
  const all = new Set([...texts, ...(before?.styled ?? [])])
  let length = 0
  const styled = Array.from(all).filter((text) => (length += text.length) <= maxLength)
  return { ...before, styled }
}
