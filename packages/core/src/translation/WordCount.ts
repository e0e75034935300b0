/** Number of words in a text. In scripts without spaces each character counts as a word, as in word processors. */

const unspaced =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}]]"
const word = new RegExp(
  `${unspaced}|[[\\p{L}\\p{N}\\p{M}]--${unspaced}](?:['’.\\-]?[[\\p{L}\\p{N}\\p{M}]--${unspaced}])*`,
  "gv"
)

/** Text that consists only of combining marks, which is not a word. */
const marks = /^\p{M}+$/u

export const countWords = (text: string): number => {
  let words = 0
  for (const [match] of text.matchAll(word)) if (!marks.test(match)) words++
  return words
}
