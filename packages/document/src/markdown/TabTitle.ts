/** Returns the text of a tab's title without marks, on one line. */
import * as Emoji from "./Emoji.ts"
import { collapseWhiteSpace } from "./OneLine.ts"
import type * as Tree from "./syntax/SyntaxTree.ts"

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
