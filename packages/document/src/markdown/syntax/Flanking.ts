/**
 * Determines if a run of `*`, `_` or `~` can open or close emphasis, by the characters on both sides. The rules are
 * CommonMark's with the amendments for Chinese, Japanese and Korean text (markdown-cjk-friendly). Punctuation of these
 * scripts counts as letters. Other punctuation may touch their characters from within emphasis.
 *
 * Beyond U+FFFF only characters of these scripts are distinguished; all others count as letters.
 */
import { isCjk } from "../../EastAsian.ts"
import { isPunctuation, isWhitespace } from "./Characters.ts"

/** Kind of a character next to a run. */
export type CharacterKind = "letter" | "space" | "punctuation" | "cjkLetter" | "cjkPunctuation"

const kindOf = (code: number): CharacterKind => {
  if (isWhitespace(code)) return "space"
  const isMark = code <= 0xffff && isPunctuation(code)
  if (isCjk(code)) return isMark ? "cjkPunctuation" : "cjkLetter"
  return isMark ? "punctuation" : "letter"
}

/** Returns the kind of the character at an offset; `fallback` at the end of the text. */
export const kindAfter = (text: string, at: number, fallback: CharacterKind = "space"): CharacterKind => {
  const code = text.codePointAt(at)
  return code === undefined ? fallback : kindOf(code)
}

/**
 * Returns the kind of the character before an offset; `fallback` at the start of the text. A variation selector counts
 * as its base character.
 */
export const kindBefore = (text: string, at: number, fallback: CharacterKind = "space"): CharacterKind => {
  const code = codeBefore(text, at)
  if (code === undefined) return fallback
  if (code >= 0xe0100 && code <= 0xe01ef) return "cjkLetter"
  if (code < 0xfe00 || code > 0xfe0e) return kindOf(code)
  const base = codeBefore(text, at - 1)
  if (base === undefined) return kindOf(code)
  // Quotation marks with the full-width variation selector (U+FE01) count as Chinese or Japanese punctuation.
  if (code === 0xfe01 && /[\u2018\u2019\u201c\u201d]/.test(String.fromCodePoint(base))) return "cjkPunctuation"
  const kind = kindOf(base)
  return kind === "space" ? kindOf(code) : kind
}

const codeBefore = (text: string, at: number): number | undefined => {
  if (at <= 0) return undefined
  const code = text.codePointAt(at - 2)
  return code !== undefined && code > 0xffff ? code : text.charCodeAt(at - 1)
}

/** True if a run between `outside` and `inside` is flanking on the side of `inside`. */
const isFlanking = (outside: CharacterKind, inside: CharacterKind): boolean =>
  inside !== "space" && (inside !== "punctuation" || outside !== "letter")

const isMark = (kind: CharacterKind): boolean => kind === "punctuation" || kind === "cjkPunctuation"

export interface Flanking {
  readonly opens: boolean
  readonly closes: boolean
}

/**
 * Determines if a run opens or closes emphasis. `isStrict`: true for runs of `_`, which have no effect within words.
 */
export const flanking = (before: CharacterKind, after: CharacterKind, isStrict: boolean): Flanking => {
  const [isLeft, isRight] = [isFlanking(before, after), isFlanking(after, before)]
  return isStrict ? strictFlanking(before, after, isLeft, isRight) : { opens: isLeft, closes: isRight }
}

/**
 * Determines if a run of `_` opens or closes emphasis. `isLeft`, `isRight`: true if the run is left-flanking or
 * right-flanking.
 */
export const strictFlanking = (
  before: CharacterKind,
  after: CharacterKind,
  isLeft: boolean,
  isRight: boolean
): Flanking => ({
  opens: isLeft && (!isRight || isMark(before)),
  closes: isRight && (!isLeft || isMark(after))
})
