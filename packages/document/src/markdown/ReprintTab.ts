/**
 * Reprints an edited tab below `=== "Title"`, or prints a new tab next to one. This form cannot express an icon or a
 * slug.
 */
import type { Block } from "../Document.ts"
import { indented, marginOf } from "./Margins.ts"
import type { Print } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Tab {
  /** First line of the tab. */
  readonly line: string
  /** Characters at the start of the first line, such as `===`. */
  readonly signs: string
  /** Range of the text after the first line. */
  readonly below: TextRange
  /** Prefix of the lines after the first. */
  readonly margin: string
}

const signsAt = /===(?:!|\+|!\+|\+!)?(?=[ \t]+")/y

/** Returns the tab at the start of a range; undefined if the range starts with other text. */
export const at = (text: string, { from, to }: TextRange): Tab | undefined => {
  signsAt.lastIndex = from
  const [signs] = signsAt.exec(text) ?? []
  const end = text.indexOf("\n", from)
  if (signs === undefined || end === -1 || end > to) return undefined
  const margin = `${marginOf(text.slice(text.lastIndexOf("\n", from - 1) + 1, from))}    `
  return { line: text.slice(from, end), signs, below: { from: end, to }, margin }
}

/** Returns the first line of a tab; undefined if the line cannot express all data of the tab. */
export const lineOf = ({ data = {} }: Block, signs: string, print: Print): string | undefined => {
  const { title = "", ...others } = data
  if (typeof title !== "string" || Object.keys(others).length > 0) return undefined
  const leaf = { object: "leaf" as const, text: title, marks: [] }
  const printed = print([{ object: "block", type: "paragraph", key: "", nodes: [{ object: "text", leaves: [leaf] }] }])
  return printed.trimEnd().includes("\n") ? undefined : `${signs} "${printed.trimEnd()}"`
}

/** Returns the blocks of a tab as the lines after its first line. */
export const holding = (blocks: ReadonlyArray<Block>, margin: string, print: Print): string =>
  blocks.map((block) => `\n\n${margin}${indented(print([block]), margin)}`).join("")
