/**
 * How many words a text has. In scripts without spaces each character counts as one, as word
 * processors count them.
 */

const unspaced =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}]]"
const word = new RegExp(
  `${unspaced}|[[\\p{L}\\p{N}\\p{M}]--${unspaced}](?:['’.\\-]?[[\\p{L}\\p{N}\\p{M}]--${unspaced}])*`,
  "gv"
)

/** A mark that stands by itself is none. */
const marks = /^\p{M}+$/u

export const countWords = (text: string): number => {
  let words = 0
  for (const [found] of text.matchAll(word)) if (!marks.test(found)) words++
  return words
}
