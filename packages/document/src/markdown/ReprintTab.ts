/**
 * Reprints an edited tab in the syntax of a dialect, or prints a new tab next to one. This form has no icon and no slug.
 */
import type { Block } from "../Document.ts"
import type { ContainerSyntax } from "./dialect/Dialect.ts"
import { containers } from "./dialect/Dialects.ts"
import { indentLines, lineMargin } from "./Margins.ts"
import type { PrintBlocks } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Tab {
  /** First line of the tab. */
  readonly line: string
  readonly syntax: ContainerSyntax
  /** Characters at the start of the first line. */
  readonly marker: string
  /** Range of the text after the first line. */
  readonly contentRange: TextRange
  /** Prefix of the lines after the first. */
  readonly margin: string
}

/** Returns the tab at the start of a range; undefined if the range starts with other text. */
export const tabAt = (text: string, { from, to }: TextRange): Tab | undefined => {
  const end = text.indexOf("\n", from)
  if (end === -1 || end > to) return undefined
  for (const syntax of containers) {
    const { indent, tabLine } = syntax
    if (tabLine === undefined) continue
    tabLine.marker.lastIndex = from
    const [marker] = tabLine.marker.exec(text) ?? []
    if (marker === undefined) continue
    const margin = lineMargin(text.slice(text.lastIndexOf("\n", from - 1) + 1, from)) + " ".repeat(indent)
    return { line: text.slice(from, end), syntax, marker, contentRange: { from: end, to }, margin }
  }
  return undefined
}

/**
 * Returns the first line of a tab; undefined if the line cannot express all data of the tab. `marker`: default is the
 * marker of a new tab.
 */
export const titleLine = (
  { data = {} }: Block,
  { tabLine }: ContainerSyntax,
  print: PrintBlocks,
  marker = tabLine?.newMarker ?? ""
): string | undefined => {
  const { title = "", ...others } = data
  if (typeof title !== "string" || Object.keys(others).length > 0) return undefined
  const leaf = { object: "leaf" as const, text: title, marks: [] }
  const printed = print([{ object: "block", type: "paragraph", key: "", nodes: [{ object: "text", leaves: [leaf] }] }])
  return printed.trimEnd().includes("\n") ? undefined : tabLine?.print(marker, printed.trimEnd())
}

/** Returns the blocks of a tab as the lines after its first line. */
export const printContent = (blocks: ReadonlyArray<Block>, margin: string, print: PrintBlocks): string =>
  blocks.map((block) => `\n\n${margin}${indentLines(print([block]), margin)}`).join("")
