/**
 * The words of a text, as the index keeps them and as a query asks for them. The core makes them,
 * so that every adapter finds the same pages.
 *
 * Case, diacritics and width make no difference: `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ` are one word, and so
 * are `Crème` and `creme`. Scripts that are written without spaces (Chinese, Japanese, Thai), and
 * Korean with its endings, are cut into every two characters that stand side by side and into single
 * ones, so that a word is found wherever it begins. Whatever is no letter or digit parts words.
 *
 * Limits: a word is cut to 64 characters (UTF-16); a page has at most 20,000 distinct words out of
 * its first 200,000 characters, a query at most 512 words.
 */
import { maxWordLength } from "../storage/SearchIndex.ts"

export const maxPageWords = 20_000
export const maxPageText = 200_000
export const maxQueryWords = 512

/** Counts up when the same text comes to mean other words: then every index is made anew. */
export const version = 2

export interface QueryWords {
  /** Those that a page has as they are. */
  readonly words: ReadonlyArray<string>
  /** The last one, as far as it is typed; undefined where a script without spaces ends the query. */
  readonly prefix: string | undefined
}

// Marks of Latin, Greek, Cyrillic, Hebrew and Arabic. Those of other scripts are letters to their readers.
const diacritics = new RegExp(
  "[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1-\\u05c7\\u064b-\\u065f\\u0670" +
    "\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]",
  "g"
)

/** Letters that no decomposition takes apart, but that people type without. */
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

/** A text with its case, diacritics and width taken away. */
export const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(diacritics, "")
        .toLowerCase()
        // Lower-casing can bring a mark of its own.
        .replace(diacritics, "")
        .replace(special, (letter) => plain[letter]!)
        .normalize("NFC")

const unspaced =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]"
const runs = new RegExp(`(${unspaced}+)|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+`, "gv")
const dense = new RegExp(`^${unspaced}`, "v")
const joins = new RegExp(`^[[\\p{L}\\p{N}\\p{M}]--${unspaced}]`, "v")
const asciiRuns = /[a-z0-9]+/g

const cut = (word: string): string => {
  if (word.length <= maxWordLength) return word
  const head = word.slice(0, maxWordLength)
  return head.isWellFormed() ? head : head.slice(0, -1)
}

/** Adds the words of a text to those that are there, up to `limit`. */
export const addTo = (words: Set<string>, text: string, limit: number): void => {
  const folded = fold(text.toWellFormed())
  if (ascii.test(folded)) {
    for (const [word] of folded.matchAll(asciiRuns)) {
      if (words.size >= limit) return
      words.add(cut(word))
    }
    return
  }
  for (const [run, dense] of folded.matchAll(runs)) {
    if (words.size >= limit) return
    if (dense === undefined) {
      words.add(cut(run))
      continue
    }
    let last = ""
    for (const character of dense) {
      if (words.size >= limit) return
      words.add(character)
      if (last !== "") words.add(last + character)
      last = character
    }
  }
}

/** Tells whether a word stands in a folded text: as a whole word, or as the beginning of one. */
export const standsIn = (folded: string, word: string, match: "whole" | "beginning"): boolean =>
  placeOf(folded, word, match) !== -1

/** Index of a word's first occurrence in a folded text; -1 for none. */
export const placeOf = (folded: string, word: string, match: "whole" | "beginning"): number => {
  const isDense = dense.test(word)
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
    if (isDense) return at
    if (joinsWith(folded, at - 1)) continue
    if (match === "beginning" || word.length >= maxWordLength - 1 || !joinsWith(folded, at + word.length)) return at
  }
  return -1
}

/** Tells whether the character at an index is part of a word with its neighbours. */
const joinsWith = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  const isLow = code >>> 10 === 0x37
  const point = text.codePointAt(isLow ? at - 1 : at)
  return point !== undefined && joins.test(String.fromCodePoint(point))
}

/** Words that a query asks for, the last as a prefix. A query without words finds nothing. */
export const ofQuery = (query: string): QueryWords => {
  const words = new Set<string>()
  let prefix: string | undefined
  for (const [run, dense] of fold(query.toWellFormed()).matchAll(runs)) {
    if (words.size >= maxQueryWords) break
    if (prefix !== undefined) words.add(prefix)
    prefix = undefined
    if (dense === undefined) {
      prefix = cut(run)
      continue
    }
    const characters = Array.from(dense)
    if (characters.length === 1) words.add(dense)
    for (let i = 1; i < characters.length; i++) words.add(characters[i - 1]! + characters[i]!)
  }
  return { words: [...words].slice(0, maxQueryWords), prefix }
}
