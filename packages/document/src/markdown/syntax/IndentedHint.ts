/**
 * A hint as Python-Markdown has it: `!!! note "A title"`, and blocks that are set in by four columns below it. One that
 * begins with `???` is folded, with `???+` unfolded. Words behind the name say how it looks there, and nothing here. A
 * name that is not known makes a hint of the first style.
 *
 * Limits: a line of 1,000 characters; without a line that is set in behind it, it is text.
 */
import * as HintStyles from "./HintStyles.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const maxLine = 1000
export const indent = 4

/** The beginning of a line that could begin one. */
export const opening = /^(?:!!!|\?\?\?\+?)[ \t]?[A-Za-z]/

export interface Start {
  readonly name: string
  readonly style: string
  readonly fold: Tree.Admonition["fold"]
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number] | undefined
}

const line = /^(!!!|\?\?\?\+?)[ \t]?([A-Za-z][\w-]*)(?:[ \t]+[A-Za-z][\w-]*)*(?:[ \t]+"(.*)")?[ \t]*$/

export const startAt = ({ text, next, end }: LineCursor): Start | undefined => {
  if (end - next > maxLine) return undefined
  const written = text.slice(next, end)
  const found = line.exec(written)
  if (found === null) return undefined
  const [, marks = "", name = "", title = ""] = found
  const titleEnd = next + written.trimEnd().length - 1
  return {
    name,
    style: HintStyles.ofMkDocs(name.toLowerCase()) ?? "info",
    fold: marks === "!!!" ? undefined : marks === "???" ? "closed" : "open",
    title: title.trim() === "" ? undefined : [titleEnd - title.length, titleEnd]
  }
}
