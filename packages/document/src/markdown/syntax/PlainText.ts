/** Converts inlines to text without marks, for the description of an image or the title of a tab. */
import { emojiCharacters } from "../../EmojiCode.ts"
import type { Inline } from "./SyntaxTree.ts"

/** `isTitle`: true for a title, which has characters of emoji, labels of footnotes and no HTML. */
export const plainText = (inlines: ReadonlyArray<Inline>, isTitle = false): string => {
  let text = ""
  for (const inline of inlines) {
    switch (inline.type) {
      case "break":
        if (isTitle) text += " "
        break
      case "footnoteReference":
        if (isTitle) text += `[^${inline.label}]`
        break
      case "html":
        if (!isTitle) text += inline.value
        break
      case "emoji":
        text += isTitle ? emojiCharacters(inline.value) : `:${inline.name}:`
        break
      case "image":
      case "imageReference":
        text += inline.alt
        break
      default:
        text += "children" in inline ? plainText(inline.children, isTitle) : inline.value
    }
  }
  return text
}
