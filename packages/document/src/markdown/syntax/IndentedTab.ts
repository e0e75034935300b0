/**
 * Parses tabs in the syntax of PyMdown Extensions: `=== "A title"`, and blocks below it that are indented by four
 * columns. Adjacent tabs form a group. `===!` starts a new group. `===+` marks the initial tab, which is ignored.
 *
 * Limits: the first line has at most 1,000 characters. It is text unless an indented line follows.
 */
import * as Emoji from "../Emoji.ts"
import { collapsed } from "../OneLine.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const maxLine = 1000

export interface Start {
  readonly beginsGroup: boolean
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number]
}

const line = /^===(!|\+|!\+|\+!)?[ \t]+"(.*)"[ \t]*$/

export const startAt = ({ text, next, end }: LineCursor): Start | undefined => {
  if (end - next > maxLine) return undefined
  const written = text.slice(next, end)
  const found = line.exec(written)
  if (found === null) return undefined
  const [, marks = "", title = ""] = found
  const titleEnd = next + written.trimEnd().length - 1
  return { beginsGroup: marks.includes("!"), title: [titleEnd - title.length, titleEnd] }
}

/** Returns the text of a title without marks, on one line. */
export const wordsOf = ({ children }: Tree.Paragraph): string => collapsed(children.map(wordsIn).join(""))

const wordsIn = (node: Tree.Inline): string => {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "inlineMath":
      return node.value
    case "emoji":
      return Emoji.charactersOf(node.value)
    case "image":
    case "imageReference":
      return node.alt
    case "footnoteReference":
      return `[^${node.label}]`
    case "break":
      return " "
    case "html":
      return ""
    default:
      return node.children.map(wordsIn).join("")
  }
}
