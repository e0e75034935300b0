/**
 * Reprints an edited hint with a title. In the syntax of a dialect, such as `:::note A title`, the title is the first
 * paragraph of the hint, in bold. If another block is now first, the hint keeps its form without a title. The line
 * `[!NOTE]` of a blockquote is a paragraph in Markdown. Some blocks directly below this line would be parsed as part of
 * the paragraph.
 */
import type { Block } from "../Document.ts"
import { mapList, withParts } from "../DocumentMapping.ts"
import { isIndentedCode } from "./BlockMarkers.ts"
import { containers } from "./dialect/Dialects.ts"
import { indentLines, lineMargin } from "./Margins.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface TitledHint {
  /** First line of the hint, without a title. */
  readonly head: string
  /** Returns the first line with a title. */
  readonly withTitle: (title: string) => string
  /** Range of the text after the first line. */
  readonly contentRange: TextRange
  /** Returns printed blocks for use as the content of the hint, with its closing line. */
  readonly printContent: (printed: ReadonlyArray<string>) => string
}

/** Returns the parts of a hint with a title; undefined for other blocks. `first`: range of the first child block. */
export const parseTitledHint = (
  text: string,
  { from, to }: TextRange,
  first: TextRange | undefined
): TitledHint | undefined => {
  const before = text.slice(from, first?.from ?? from)
  if (before.includes("\n")) return undefined
  const syntax = containers.find(({ titledHead }) => titledHead?.test(before))
  const [head] = syntax?.titledHead?.exec(before) ?? []
  if (syntax === undefined || head === undefined) return undefined
  const end = text.indexOf("\n", from)
  const contentRange = { from: end === -1 || end > to ? to : end, to }
  const margin = lineMargin(text.slice(text.lastIndexOf("\n", from - 1) + 1, from)) + " ".repeat(syntax.indent)
  const closingLine = new RegExp(String.raw`\n[>\s]*[${syntax.starts}]{3,}[ \t]*$`)
  const [last = ""] = (syntax.indent === 0 && closingLine.exec(text.slice(contentRange.from, to))) || []
  return {
    head,
    withTitle: (title) => before + title + text.slice(first!.to, contentRange.from),
    contentRange,
    printContent: (printed) => printed.map((block) => `\n${margin}${indentLines(block, margin)}`).join("\n") + last
  }
}

/** True if a block can be a title: a paragraph in bold. */
export const isTitle = ({ nodes = [], type }: Block): boolean =>
  type === "paragraph" &&
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

/** Removes the bold marks that a title has as a paragraph. */
export const withoutBold = (block: Block): Block =>
  withParts(block, {
    nodes:
      block.nodes &&
      mapList(block.nodes, (node) =>
        node.object === "text"
          ? {
              ...node,
              leaves: node.leaves.map((leaf) => ({ ...leaf, marks: leaf.marks.filter(({ type }) => type !== "bold") }))
            }
          : node
      )
  })

const alert = /^>[ \t]*\[!\w+\][+-]?[ \t]*\n/

/**
 * True if a blank line must separate the first block of an alert from its marker. `previousText`: text before the
 * block. `text`: the printed block.
 */
export const needsBlankLine = (previousText: string, { type }: Block, text: string): boolean => {
  if (!alert.test(previousText)) return false
  if (type === "code") return isIndentedCode(text)
  return !type.startsWith("heading-") || text.includes("\n")
}
