/**
 * Reprints an edited tab below `=== "Title"`, or prints a new tab next to one. This form cannot express an icon or a
 * slug.
 */
import type { Block } from "../Document.ts"
import { indentLines, lineMargin } from "./Margins.ts"
import type { PrintBlocks } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Tab {
  /** First line of the tab. */
  readonly line: string
  /** Characters at the start of the first line, such as `===`. */
  readonly marker: string
  /** Range of the text after the first line. */
  readonly contentRange: TextRange
  /** Prefix of the lines after the first. */
  readonly margin: string
}

const markerPattern = /===(?:!|\+|!\+|\+!)?(?=[ \t]+")/y

/** Returns the tab at the start of a range; undefined if the range starts with other text. */
export const tabAt = (text: string, { from, to }: TextRange): Tab | undefined => {
  markerPattern.lastIndex = from
  const [marker] = markerPattern.exec(text) ?? []
  const end = text.indexOf("\n", from)
  if (marker === undefined || end === -1 || end > to) return undefined
  const margin = `${lineMargin(text.slice(text.lastIndexOf("\n", from - 1) + 1, from))}    `
  return { line: text.slice(from, end), marker, contentRange: { from: end, to }, margin }
}

/** Returns the first line of a tab; undefined if the line cannot express all data of the tab. */
export const titleLine = ({ data = {} }: Block, marker: string, print: PrintBlocks): string | undefined => {
  const { title = "", ...others } = data
  if (typeof title !== "string" || Object.keys(others).length > 0) return undefined
  const leaf = { object: "leaf" as const, text: title, marks: [] }
  const printed = print([{ object: "block", type: "paragraph", key: "", nodes: [{ object: "text", leaves: [leaf] }] }])
  return printed.trimEnd().includes("\n") ? undefined : `${marker} "${printed.trimEnd()}"`
}

/** Returns the blocks of a tab as the lines after its first line. */
export const printContent = (blocks: ReadonlyArray<Block>, margin: string, print: PrintBlocks): string =>
  blocks.map((block) => `\n\n${margin}${indentLines(print([block]), margin)}`).join("")
