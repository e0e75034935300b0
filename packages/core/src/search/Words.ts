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
const plainLetters: Readonly<Record<string, string>> = {
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
const replacedLetters = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g")

const ascii = /^[^\u0080-\uffff]*$/

/** Returns a text without case, diacritics and width. */
export const foldText = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(diacritics, "")
        .toLowerCase()
        // Diacritics are removed after the conversion to lower case, since `toLowerCase` can add a combining mark.
        .replace(diacritics, "")
        .replace(replacedLetters, (letter) => plainLetters[letter]!)
        .normalize("NFC")

const unspaced =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]"

/** A flag, or a pictograph with modifiers, joined with others (UTS #51, "possible emoji"). */
const pictograph = "\\p{Extended_Pictographic}(?:[\\p{EMod}\\ufe0e\\ufe0f]|[\\u{e0020}-\\u{e007f}]+)?"
const emoji = `\\p{RI}{2}|${pictograph}(?:\\u200d${pictograph})*`

const wordRuns = new RegExp(`(${unspaced}+)|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+|(${emoji})`, "gv")
/** Matches words that are found at any position in a text: characters of scripts without spaces, and emoji. */
const unsegmented = new RegExp(`^(?:${unspaced}|${emoji})`, "v")
const segmentedCharacter = new RegExp(`^[[\\p{L}\\p{N}\\p{M}]--${unspaced}]`, "v")
const onlyLetters = new RegExp(`^[\\p{L}\\p{N}\\p{M}]+$`, "v")

/** Characters of names: letters, digits, and punctuation that occurs in names. */
const nameRuns = new RegExp(`[[\\p{L}\\p{N}\\p{M}\\-._\\/:@$#+]--${unspaced}]+`, "gv")
const namePunctuation = /[-._/:@$#+]/
const flag = /^--?[A-Za-z]/

/**
 * Kinds of ASCII characters: `letter` for lowercase letters and digits, `capital`, `punctuation` for
 * punctuation in names, `separator`.
 */
const [separator, letter, capital, punctuation] = [0, 1, 2, 3] as const
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (namePunctuation.test(character)) return punctuation
  return /[A-Z]/.test(character) ? capital : /[a-z0-9]/.test(character) ? letter : separator
})

const camelCase = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/
const camelCasePart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

export type WordKind =
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
const truncate = (word: string): string => {
  if (word.length <= maxWordLength) return word
  const head = word.slice(0, maxWordLength)
  return head.isWellFormed() ? head : head.slice(0, -1)
}

/** Returns a word as stored in the index: folded, then truncated. Folding can make a word longer: `ß` becomes `ss`. */
export const toIndexForm = (word: string): string => truncate(foldText(word))

type OnWord = (word: string, kind: WordKind, lowercase: string, end: number) => void

/**
 * Reports the words of a text in order, then its names. The callback receives the index form, the kind, the lowercase
 * form with diacritics, which stemmers need, and the end offset.
 */
export const forEachWord = (text: string, onWord: OnWord): void => {
  const wellFormedText = text.toWellFormed()
  if (ascii.test(wellFormedText)) return forEachAsciiWord(wellFormedText, onWord)
  const normal = wellFormedText.normalize("NFKC")
  for (const match of normal.matchAll(wordRuns)) {
    const [run, unspacedRun, emojiRun] = match
    const end = match.index + run.length
    if (emojiRun !== undefined) onWord(toIndexForm(emojiRun), "emoji", emojiRun, end)
    else if (unspacedRun !== undefined) forEachCharacter(run, (word, kind) => onWord(word, kind, word, end))
    else {
      const word = toIndexForm(run)
      // Removing diacritics may leave no letters, for example of a lone combining mark. The rest is then no word.
      if (onlyLetters.test(word)) onWord(word, "word", run.toLowerCase(), end)
      if (ascii.test(run)) forEachPart(run, end, onWord)
    }
  }
  for (const match of normal.matchAll(nameRuns)) {
    const name = nameIn(match[0])
    if (name !== undefined) onWord(name, "name", name, match.index + match[0].length)
  }
}

/** Reports the words of an ASCII text, the most frequent case, in one pass. */
const forEachAsciiWord = (text: string, onWord: OnWord): void => {
  const namesWithEnds: Array<readonly [name: string, end: number]> = []
  const { length } = text
  for (let index = 0; index < length; index++) {
    if (kinds[text.charCodeAt(index)] === separator) continue
    const start = index
    let word = -1
    let hasCapitals = false
    let mayBeCamelCase = false
    let hasNamePunctuation = false
    for (; ; index++) {
      const kind = index < length ? kinds[text.charCodeAt(index)]! : separator
      if (kind === letter || kind === capital) {
        if (kind === capital) {
          hasCapitals = true
          if (word !== -1) mayBeCamelCase = true
        }
        if (word === -1) word = index
        continue
      }
      if (word !== -1) {
        const run = text.slice(word, index)
        const lowercase = hasCapitals ? run.toLowerCase() : run
        onWord(truncate(lowercase), "word", lowercase, index)
        if (mayBeCamelCase) forEachPart(run, index, onWord)
        word = -1
        hasCapitals = mayBeCamelCase = false
      }
      if (kind === separator) break
      hasNamePunctuation = true
    }
    const name = hasNamePunctuation ? nameIn(text.slice(start, index)) : undefined
    if (name !== undefined) namesWithEnds.push([name, index])
  }
  for (const [name, end] of namesWithEnds) onWord(name, "name", name, end)
}

const forEachPart = (run: string, end: number, onWord: OnWord): void => {
  if (!camelCase.test(run)) return
  for (const [part] of run.matchAll(camelCasePart)) {
    const lowercase = truncate(part.toLowerCase())
    if (part.length > 1) onWord(lowercase, "part", lowercase, end)
  }
}

/**
 * Returns the name in a run of name characters, without punctuation of the sentence. Undefined if the run contains no
 * name.
 */
const nameIn = (run: string): string | undefined => {
  // Such a run is too long for a name, even without punctuation at its ends.
  if (run.length > 2 * maxWordLength || !namePunctuation.test(run)) return undefined
  let start = 0
  while (start < run.length && !canStartName(run, start)) start++
  let end = run.length
  while (end > start && !canEndName(run, end - 1)) end--
  const name = run.slice(start, end)
  return namePunctuation.test(name) ? indexableName(foldText(name)) : undefined
}

const indexableName = (name: string) => (isWord(name) ? name : undefined)

const isLetter = (run: string, index: number) => index >= 0 && index < run.length && !namePunctuation.test(run[index]!)

const canStartName = (run: string, index: number): boolean => {
  if (isLetter(run, index)) return true
  if (run[index] === "-") return flag.test(run.slice(index, index + 3))
  return "._@$".includes(run[index]!) && isLetter(run, index + 1)
}

/** Returns true if a name can end at this index. `C++` and `C#` end with punctuation that is part of the name. */
const canEndName = (run: string, index: number): boolean =>
  isLetter(run, index) ||
  (run[index] === "#" && isLetter(run, index - 1)) ||
  (run[index] === "+" && run[index - 1] === "+" && isLetter(run, index - 2))

const forEachCharacter = (run: string, onWord: (word: string, kind: WordKind) => void): void => {
  const characters = Array.from(foldText(run))
  for (const [i, character] of characters.entries()) {
    onWord(character, "character")
    if (i > 0) onWord(characters[i - 1]! + character, "pair")
  }
}

/** Returns true if a folded text contains a word, as a whole word or as a prefix of a word. */
export const containsWord = (folded: string, word: string, match: "whole" | "beginning"): boolean =>
  offsetOf(folded, word, match) !== -1

/** Returns the index of a word's first occurrence in a folded text; -1 if the text does not contain the word. */
export const offsetOf = (folded: string, word: string, match: "whole" | "beginning"): number => {
  const isUnsegmented = unsegmented.test(word)
  for (let index = folded.indexOf(word); index !== -1; index = folded.indexOf(word, index + 1)) {
    if (isUnsegmented) return index
    if (isWordCharacterAt(folded, index - 1)) continue
    if (match === "beginning" || word.length >= maxWordLength - 1 || !isWordCharacterAt(folded, index + word.length))
      return index
  }
  return -1
}

/** Returns true if the character at an index is part of a word in a script with spaces. */
const isWordCharacterAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  const isLowSurrogate = code >>> 10 === 0x37
  const codePoint = text.codePointAt(isLowSurrogate ? index - 1 : index)
  return codePoint !== undefined && segmentedCharacter.test(String.fromCodePoint(codePoint))
}
