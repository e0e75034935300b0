/** Detects Chinese, Japanese and Korean characters, and joins lines of text in these scripts. */

const wideCharacters =
  "\\u1100-\\u11ff\\u20a9\\u2329\\u232a\\u2630-\\u2637\\u268a-\\u268f\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\ua4c6" +
  "\\ua960-\\ua97c\\uac00-\\ud7fb\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uffee\\u{16fe0}-\\u{18df2}" +
  "\\u{1aff0}-\\u{1b2fb}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}"

/** Wide, full-width and half-width characters, and Hangul, without emoji. */
const cjkCharacter = `(?!\\p{Emoji_Presentation})[${wideCharacters}]`
const cjkPattern = new RegExp(cjkCharacter, "u")

export const isCjk = (code: number): boolean => code >= 0x1100 && cjkPattern.test(String.fromCodePoint(code))

/** Chinese and Japanese characters. Korean is excluded because its words are separated by spaces. */
const unspacedCharacter = `(?!\\p{Script=Hangul})${cjkCharacter}`
const unspacedLineEnd = new RegExp(`(?<=${unspacedCharacter})\\n(?=${unspacedCharacter})`, "gu")

/**
 * Returns the offsets of line feeds between two Chinese or Japanese characters, which stand for no space. `before`,
 * `after`: the neighboring text. Default: empty.
 */
export const unspacedLineEnds = (text: string, before = "", after = ""): ReadonlyArray<number> => {
  if (!text.includes("\n")) return []
  // A character has two UTF-16 code units at most.
  const [start, end] = [before.slice(-2), after.slice(0, 2)]
  return Array.from(`${start}${text}${end}`.matchAll(unspacedLineEnd), ({ index }) => index - start.length).filter(
    (at) => at >= 0 && at < text.length
  )
}

/** Returns the text without line feeds between Chinese or Japanese characters. */
export const joinLines = (text: string, before = "", after = ""): string => {
  let joined = ""
  let from = 0
  for (const at of unspacedLineEnds(text, before, after)) {
    joined += text.slice(from, at)
    from = at + 1
  }
  return joined + text.slice(from)
}
