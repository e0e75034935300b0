/** Detects text that could be parsed as a `{% … %}` tag on its own line. */
import { isWhitespace } from "../syntax/Characters.ts"

const lineFeed = 10
const percent = 37
const brace = 125
const backslash = 92

/** True if the `{` at an offset could start a tag. False if further text follows the closing `%}` on its line. */
export const isTagLike = (text: string, at: number): boolean => {
  if (text.charCodeAt(at + 1) !== percent) return false
  for (let i = at + 2; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === lineFeed || code === backslash) return true
    if (code === 34 || code === 39) {
      i = endOfQuotedText(text, i)
      if (i === -1) return true
    } else if (code === percent && text.charCodeAt(i + 1) === brace) return !hasTextAfter(text, i + 2)
  }
  return true
}

const endOfQuotedText = (text: string, at: number): number => {
  const quote = text.charCodeAt(at)
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i
    if (code === lineFeed || code === backslash) return -1
  }
  return -1
}

const hasTextAfter = (text: string, from: number): boolean => {
  let i = from
  while (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9) i++
  return !isWhitespace(text.charCodeAt(i))
}
