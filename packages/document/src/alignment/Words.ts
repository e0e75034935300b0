/**
 * Splits text into words: a word with the white space before it, a symbol, or one character of a script that is written
 * without spaces.
 */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}"
const joined = "[\\p{M}\\p{Emoji_Modifier}\\u200d\\ufe0f]"
const word = new RegExp(
  `\\s*(?:[${unspaced}]${joined}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+|[^\\s\\p{L}\\p{N}_](?:${joined}+\\p{So}?)*)|\\s+`,
  "gu"
)

export const split = (text: string): ReadonlyArray<string> => text.match(word) ?? []
