/**
 * A tab below `=== "Title"` that was edited since it was read, or is new beside such a one. One that has an icon or a
 * slug has no such form.
 */
import type { Block } from "../Document.ts"
import { indented, marginOf } from "./Margins.ts"
import type { Print } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Tab {
  /** The line that begins it. */
  readonly line: string
  /** The signs that begin that line. */
  readonly signs: string
  /** All that stands below that line. */
  readonly below: TextRange
  /** The beginning of its lines. */
  readonly margin: string
}

const signsAt = /===(?:!|\+|!\+|\+!)?(?=[ \t]+")/y

/** The tab that begins a range; undefined where none begins it so. */
export const at = (text: string, { from, to }: TextRange): Tab | undefined => {
  signsAt.lastIndex = from
  const [signs] = signsAt.exec(text) ?? []
  const end = text.indexOf("\n", from)
  if (signs === undefined || end === -1 || end > to) return undefined
  const margin = `${marginOf(text.slice(text.lastIndexOf("\n", from - 1) + 1, from))}    `
  return { line: text.slice(from, end), signs, below: { from: end, to }, margin }
}

/** The line that says the title of a tab; undefined where it can't say all that is said of it. */
export const lineOf = ({ data = {} }: Block, signs: string, print: Print): string | undefined => {
  const { title = "", ...others } = data
  if (typeof title !== "string" || Object.keys(others).length > 0) return undefined
  const leaf = { object: "leaf" as const, text: title, marks: [] }
  const printed = print([{ object: "block", type: "paragraph", key: "", nodes: [{ object: "text", leaves: [leaf] }] }])
  return printed.trimEnd().includes("\n") ? undefined : `${signs} "${printed.trimEnd()}"`
}

/** Blocks below that line. */
export const holding = (blocks: ReadonlyArray<Block>, margin: string, print: Print): string =>
  blocks.map((block) => `\n\n${margin}${indented(print([block]), margin)}`).join("")
