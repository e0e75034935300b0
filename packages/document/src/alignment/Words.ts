/**
 * Splits text into words: a word with the white space before it, a symbol, or one character of a script that is written
 * without spaces.
 */
const unspacedScripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}"
const joiners = "[\\p{M}\\p{Emoji_Modifier}\\u200d\\ufe0f]"
const wordPattern = new RegExp(
  `\\s*(?:[${unspacedScripts}]${joiners}*|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}\\p{M}_])+|[^\\s\\p{L}\\p{N}_](?:${joiners}+\\p{So}?)*)|\\s+`,
  "gu"
)

export const splitWords = (text: string): ReadonlyArray<string> => text.match(wordPattern) ?? []
