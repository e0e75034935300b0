/**
 * Parses tabs in the syntax of PyMdown Extensions: `=== "A title"`, and blocks below it that are indented by four
 * columns. Adjacent tabs form a group. `===!` starts a new group. `===+` marks the initial tab, which is ignored.
 *
 * Limits: the first line has at most 1,000 characters. It is text unless an indented line follows.
 */
import * as Emoji from "../Emoji.ts"
import { collapseWhiteSpace } from "../OneLine.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const maxLine = 1000

export interface TabStart {
  readonly startsGroup: boolean
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number]
}

const firstLine = /^===(!|\+|!\+|\+!)?[ \t]+"(.*)"[ \t]*$/

export const startAt = ({ text, next, end }: LineCursor): TabStart | undefined => {
  if (end - next > maxLine) return undefined
  const line = text.slice(next, end)
  const match = firstLine.exec(line)
  if (match === null) return undefined
  const [, marker = "", title = ""] = match
  const titleEnd = next + line.trimEnd().length - 1
  return { startsGroup: marker.includes("!"), title: [titleEnd - title.length, titleEnd] }
}

/** Returns the text of a title without marks, on one line. */
export const titleText = ({ children }: Tree.Paragraph): string => collapseWhiteSpace(children.map(inlineText).join(""))

const inlineText = (node: Tree.Inline): string => {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "inlineMath":
      return node.value
    case "emoji":
      return Emoji.emojiCharacters(node.value)
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
      return node.children.map(inlineText).join("")
  }
}
