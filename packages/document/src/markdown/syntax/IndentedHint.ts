/**
 * Parses hints in the syntax of Python-Markdown: `!!! note "A title"`, and blocks below it that are indented by four
 * columns. `???` starts a collapsed hint, `???+` an expanded one. Further words after the name are ignored. An unknown
 * name is an `info` hint.
 *
 * Limits: the first line has at most 1,000 characters. It is text unless an indented line follows.
 */
import * as HintStyles from "./HintStyles.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const maxLine = 1000
export const indent = 4

/** Matches the start of a line that could open a hint. */
export const opening = /^(?:!!!|\?\?\?\+?)[ \t]?[A-Za-z]/

export interface HintStart {
  readonly name: string
  readonly style: string
  readonly expandState: Tree.Admonition["expandState"]
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number] | undefined
}

const firstLine = /^(!!!|\?\?\?\+?)[ \t]?([A-Za-z][\w-]*)(?:[ \t]+[A-Za-z][\w-]*)*(?:[ \t]+"(.*)")?[ \t]*$/

export const startAt = ({ text, next, end }: LineCursor): HintStart | undefined => {
  if (end - next > maxLine) return undefined
  const line = text.slice(next, end)
  const match = firstLine.exec(line)
  if (match === null) return undefined
  const [, marker = "", name = "", title = ""] = match
  const titleEnd = next + line.trimEnd().length - 1
  return {
    name,
    style: HintStyles.mkDocsStyle(name.toLowerCase()) ?? "info",
    expandState: marker === "!!!" ? undefined : marker === "???" ? "closed" : "open",
    title: title.trim() === "" ? undefined : [titleEnd - title.length, titleEnd]
  }
}
