/**
 * Tells whether a run of `*`, `_` or `~` can open or close emphasis, by the characters on both sides of it. The rules are
 * those of CommonMark with the amendments for Chinese, Japanese and Korean text (markdown-cjk-friendly): punctuation of
 * these scripts counts as letters do, and other punctuation may touch their characters from within emphasis.
 *
 * Beyond U+FFFF, only characters of these scripts are told apart; all others count as letters.
 */
import { isCjk } from "../../EastAsian.ts"
import { isPunctuation, isWhitespace } from "./Characters.ts"

/** The kind of a character beside a run. */
export type Kind = "letter" | "space" | "punctuation" | "cjkLetter" | "cjkPunctuation"

const kindOf = (code: number): Kind => {
  if (isWhitespace(code)) return "space"
  const isMark = code <= 0xffff && isPunctuation(code)
  if (isCjk(code)) return isMark ? "cjkPunctuation" : "cjkLetter"
  return isMark ? "punctuation" : "letter"
}

/** The kind of the character at an offset; no character counts as `none`. */
export const kindAfter = (text: string, at: number, none: Kind = "space"): Kind => {
  const code = text.codePointAt(at)
  return code === undefined ? none : kindOf(code)
}

/** The kind of the character before an offset; no character counts as `none`. A selector of a variant counts as its base. */
export const kindBefore = (text: string, at: number, none: Kind = "space"): Kind => {
  const code = codeBefore(text, at)
  if (code === undefined) return none
  if (code >= 0xe0100 && code <= 0xe01ef) return "cjkLetter"
  if (code < 0xfe00 || code > 0xfe0e) return kindOf(code)
  const base = codeBefore(text, at - 1)
  if (base === undefined) return kindOf(code)
  // Quotation marks in their full-width form.
  if (code === 0xfe01 && /[\u2018\u2019\u201c\u201d]/.test(String.fromCodePoint(base))) return "cjkPunctuation"
  const kind = kindOf(base)
  return kind === "space" ? kindOf(code) : kind
}

const codeBefore = (text: string, at: number): number | undefined => {
  if (at <= 0) return undefined
  const code = text.codePointAt(at - 2)
  return code !== undefined && code > 0xffff ? code : text.charCodeAt(at - 1)
}

/** Tells whether a run that stands before `inside` and after `outside` holds on to the first. */
const holds = (outside: Kind, inside: Kind): boolean =>
  inside !== "space" && (inside !== "punctuation" || outside !== "letter")

const isMark = (kind: Kind): boolean => kind === "punctuation" || kind === "cjkPunctuation"

export interface Flanking {
  readonly opens: boolean
  readonly closes: boolean
}

/** `isStrict`: the run is of `_`, which means nothing within words. */
export const flanking = (before: Kind, after: Kind, isStrict: boolean): Flanking => {
  const [isLeft, isRight] = [holds(before, after), holds(after, before)]
  return isStrict ? strict(before, after, isLeft, isRight) : { opens: isLeft, closes: isRight }
}

/** The same of a run of `_` of which it is known what it holds on to. */
export const strict = (before: Kind, after: Kind, isLeft: boolean, isRight: boolean): Flanking => ({
  opens: isLeft && (!isRight || isMark(before)),
  closes: isRight && (!isLeft || isMark(after))
})
