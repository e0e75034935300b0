/**
 * Splits a text into words, both for the index and for queries. The core does this, so that every adapter finds the
 * same pages.
 *
 * Case, diacritics and width are ignored: `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ` are one word, and so are `Crème` and
 * `creme`.
 *
 * Scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) and Korean, which has endings, are split into
 * single characters and pairs of adjacent characters. A word is thus found at any position.
 *
 * An emoji is a word with all of its code points: skin tones, joined emoji, the two letters of a flag. Variation
 * selectors of emoji are ignored. All other characters except letters and digits separate words.
 *
 * Names of programs are words in addition to their parts: `--privileged`, `.git/config`, `node.js` and `C#` as written,
 * `useState` also as `use` and `state`.
 *
 * Limits: a word is truncated to 64 characters (UTF-16). A longer name is ignored.
 */
import { isWord, maxWordLength } from "../storage/SearchIndex.ts"

// Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic, and variation selectors of emoji. Marks of other
// scripts count as letters.
const diacritics = new RegExp(
  "[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1-\\u05c7\\u064b-\\u065f\\u0670" +
    "\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe0e\\ufe0f\\ufe20-\\ufe2f]",
  "g"
)

/** Replacements of letters that Unicode does not decompose, but that people type without diacritics. */
const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ς: "σ",
  ـ: ""
}
const special = new RegExp(`[${Object.keys(plain).join("")}]`, "g")

const ascii = /^[^\u0080-\uffff]*$/

/** Returns a text without case, diacritics and width. */
export const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(diacritics, "")
        .toLowerCase()
        // Diacritics are removed after the conversion to lower case, since `toLowerCase` can add a combining mark.
        .replace(diacritics, "")
        .replace(special, (letter) => plain[letter]!)
        .normalize("NFC")

const unspaced =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]"

/** A flag, or a pictograph with modifiers, joined with others (UTS #51, "possible emoji"). */
const picture = "\\p{Extended_Pictographic}(?:[\\p{EMod}\\ufe0e\\ufe0f]|[\\u{e0020}-\\u{e007f}]+)?"
const emoji = `\\p{RI}{2}|${picture}(?:\\u200d${picture})*`

const runs = new RegExp(`(${unspaced}+)|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+|(${emoji})`, "gv")
/** Matches words that are found at any position in a text: characters of scripts without spaces, and emoji. */
const dense = new RegExp(`^(?:${unspaced}|${emoji})`, "v")
const joins = new RegExp(`^[[\\p{L}\\p{N}\\p{M}]--${unspaced}]`, "v")
const everyLetter = new RegExp(`^[\\p{L}\\p{N}\\p{M}]+$`, "v")

/** Characters of names: letters, digits, and punctuation that occurs in names. */
const names = new RegExp(`[[\\p{L}\\p{N}\\p{M}\\-._\\/:@$#+]--${unspaced}]+`, "gv")
const sign = /[-._/:@$#+]/
const flag = /^--?[A-Za-z]/

/**
 * Kinds of ASCII characters: `letter` for lowercase letters and digits, `capital`, `signOfName` for punctuation in
 * names, `other`.
 */
const [separator, letter, capital, signOfName] = [0, 1, 2, 3] as const
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (sign.test(character)) return signOfName
  return /[A-Z]/.test(character) ? capital : /[a-z0-9]/.test(character) ? letter : separator
})

const humps = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/
const hump = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

export type Kind =
  /** A word of a text. */
  | "word"
  /** One or two characters of a script without spaces. */
  | "character"
  | "pair"
  | "emoji"
  /** A name with its punctuation, such as `C++`. The words of the name are also reported separately. */
  | "name"
  /** A part of a word, such as `use` in `useState`. */
  | "part"

/** Truncates a word to the maximum length of an index word. */
const shortened = (word: string): string => {
  if (word.length <= maxWordLength) return word
  const head = word.slice(0, maxWordLength)
  return head.isWellFormed() ? head : head.slice(0, -1)
}

/** Returns a word as stored in the index: folded, then truncated. Folding can make a word longer: `ß` becomes `ss`. */
export const toIndexForm = (word: string): string => shortened(fold(word))

type OnWord = (word: string, kind: Kind, lowercase: string, end: number) => void

/**
 * Reports the words of a text in order, then its names. The callback receives the index form, the kind, the lowercase
 * form with diacritics, which stemmers need, and the end offset.
 */
export const forEachWord = (text: string, onWord: OnWord): void => {
  const whole = text.toWellFormed()
  if (ascii.test(whole)) return cutAscii(whole, onWord)
  const normal = whole.normalize("NFKC")
  for (const match of normal.matchAll(runs)) {
    const [run, unspacedRun, picture] = match
    const end = match.index + run.length
    if (picture !== undefined) onWord(toIndexForm(picture), "emoji", picture, end)
    else if (unspacedRun !== undefined) cutDense(run, (word, kind) => onWord(word, kind, word, end))
    else {
      const word = toIndexForm(run)
      // The rest of a lone combining mark, or of a character that decomposes again, is not a word.
      if (everyLetter.test(word)) onWord(word, "word", run.toLowerCase(), end)
      if (ascii.test(run)) cutHumps(run, end, onWord)
    }
  }
  for (const match of normal.matchAll(names)) {
    const name = nameIn(match[0])
    if (name !== undefined) onWord(name, "name", name, match.index + match[0].length)
  }
}

/** Reports the words of an ASCII text, the most frequent case, in one pass. */
const cutAscii = (text: string, onWord: OnWord): void => {
  const namesWithEnds: Array<readonly [name: string, end: number]> = []
  const { length } = text
  for (let index = 0; index < length; index++) {
    if (kinds[text.charCodeAt(index)] === separator) continue
    const start = index
    let word = -1
    let hasCapitals = false
    let mayHaveHumps = false
    let hasSigns = false
    for (; ; index++) {
      const kind = index < length ? kinds[text.charCodeAt(index)]! : separator
      if (kind === letter || kind === capital) {
        if (kind === capital) {
          hasCapitals = true
          if (word !== -1) mayHaveHumps = true
        }
        if (word === -1) word = index
        continue
      }
      if (word !== -1) {
        const run = text.slice(word, index)
        const lowercase = hasCapitals ? run.toLowerCase() : run
        onWord(shortened(lowercase), "word", lowercase, index)
        if (mayHaveHumps) cutHumps(run, index, onWord)
        word = -1
        hasCapitals = mayHaveHumps = false
      }
      if (kind === separator) break
      hasSigns = true
    }
    const name = hasSigns ? nameIn(text.slice(start, index)) : undefined
    if (name !== undefined) namesWithEnds.push([name, index])
  }
  for (const [name, end] of namesWithEnds) onWord(name, "name", name, end)
}

const cutHumps = (run: string, end: number, onWord: OnWord): void => {
  if (!humps.test(run)) return
  for (const [part] of run.matchAll(hump)) {
    const lowercase = shortened(part.toLowerCase())
    if (part.length > 1) onWord(lowercase, "part", lowercase, end)
  }
}

/**
 * Returns the name in a run of name characters, without punctuation of the sentence. Undefined if the run contains no
 * name.
 */
const nameIn = (run: string): string | undefined => {
  // Such a run is too long for a name, even without punctuation at its ends.
  if (run.length > 2 * maxWordLength || !sign.test(run)) return undefined
  let start = 0
  while (start < run.length && !canBegin(run, start)) start++
  let end = run.length
  while (end > start && !canEnd(run, end - 1)) end--
  const name = run.slice(start, end)
  return sign.test(name) ? asName(fold(name)) : undefined
}

const asName = (name: string) => (isWord(name) ? name : undefined)

const isLetter = (run: string, index: number) => index >= 0 && index < run.length && !sign.test(run[index]!)

const canBegin = (run: string, index: number): boolean => {
  if (isLetter(run, index)) return true
  if (run[index] === "-") return flag.test(run.slice(index, index + 3))
  return "._@$".includes(run[index]!) && isLetter(run, index + 1)
}

/** Returns true if a name can end at this index. `C++` and `C#` end with punctuation that is part of the name. */
const canEnd = (run: string, index: number): boolean =>
  isLetter(run, index) ||
  (run[index] === "#" && isLetter(run, index - 1)) ||
  (run[index] === "+" && run[index - 1] === "+" && isLetter(run, index - 2))

const cutDense = (run: string, onWord: (word: string, kind: Kind) => void): void => {
  const characters = Array.from(fold(run))
  for (const [i, character] of characters.entries()) {
    onWord(character, "character")
    if (i > 0) onWord(characters[i - 1]! + character, "pair")
  }
}

/** Returns true if a folded text contains a word, as a whole word or as a prefix of a word. */
export const standsIn = (folded: string, word: string, match: "whole" | "beginning"): boolean =>
  placeOf(folded, word, match) !== -1

/** Returns the index of a word's first occurrence in a folded text; -1 if the text does not contain the word. */
export const placeOf = (folded: string, word: string, match: "whole" | "beginning"): number => {
  const isDense = dense.test(word)
  for (let index = folded.indexOf(word); index !== -1; index = folded.indexOf(word, index + 1)) {
    if (isDense) return index
    if (joinsWith(folded, index - 1)) continue
    if (match === "beginning" || word.length >= maxWordLength - 1 || !joinsWith(folded, index + word.length))
      return index
  }
  return -1
}

/** Returns true if the character at an index is part of a word in a script with spaces. */
const joinsWith = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  const isLow = code >>> 10 === 0x37
  const point = text.codePointAt(isLow ? index - 1 : index)
  return point !== undefined && joins.test(String.fromCodePoint(point))
}
