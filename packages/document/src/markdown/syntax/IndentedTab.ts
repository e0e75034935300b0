/**
 * A tab as PyMdown Extensions have it: `=== "A title"`, and blocks that are set in by four columns below it. Tabs that
 * follow one another are a group. One that begins with `===!` begins another group; with `===+` it is the one that is
 * shown first there, which says nothing here.
 *
 * Limits: a line of 1,000 characters; without a line that is set in behind it, it is text.
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

/** The words of a title, without marks. */
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
