/** Converts inlines to text without marks, for the description of an image. */
import type { Inline } from "./SyntaxTree.ts"

export const plainText = (inlines: ReadonlyArray<Inline>): string => {
  let text = ""
  for (const inline of inlines) {
    switch (inline.type) {
      case "break":
      case "footnoteReference":
        break
      case "emoji":
        text += `:${inline.name}:`
        break
      case "image":
      case "imageReference":
        text += inline.alt
        break
      default:
        text += "children" in inline ? plainText(inline.children) : inline.value
    }
  }
  return text
}
