/**
 * Escapes text so that none of it is parsed as syntax: with a backslash, or with a character reference if a backslash
 * has no effect. The escapes depend on the context (`TextContext`) and on the surrounding characters. The time is
 * linear in the length of the text.
 */
import { blockOpenings, inlineOpenings } from "../dialect/Dialects.ts"
import * as AttributeList from "../syntax/AttributeList.ts"
import {
  isAlphanumeric,
  isAsciiPunctuation,
  isDigit,
  isLetter,
  isPunctuation,
  isSpace,
  isWhitespace
} from "../syntax/Characters.ts"
import * as TextContext from "./TextContext.ts"

export const escape = (value: string, context: number, before: string, after: string): string => {
  const candidates = candidatesIn(context)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code < 128 && candidates[code] === 1) return new Escaper(value, context, before, after).write()
  }
  return value
}

/**
 * Bits of the result of `#reasonAt`:
 *
 * - `unsafe`: the character could be parsed as syntax.
 * - `dependsOnBefore`: this depends on the character before it, and is ruled out if that character is escaped.
 * - `dependsOnAfter`: this depends on the character after it, and is ruled out if that character is escaped.
 */
const unsafe = 4
const dependsOnBefore = 1
const dependsOnAfter = 2

class Escaper {
  readonly #value: string
  /**
   * `#surrounded`: the text with the characters before and after it. `#from`, `#end`: range of the text in
   * `#surrounded`.
   */
  readonly #surrounded: string
  readonly #from: number
  readonly #end: number
  readonly #after: string
  readonly #context: number
  readonly #candidates: Uint8Array
  /**
   * Offsets from which pairs of characters are searched. The second character of a pair is not the first of another
   * pair.
   */
  readonly #pairs = { lineFeedAfter: 0, lineFeedBefore: 0, returnAfter: 0, returnBefore: 0, at: 0, dot: 0 }

  constructor(value: string, context: number, before: string, after: string) {
    this.#value = value
    this.#surrounded = before + value + after
    this.#from = before.length
    this.#end = before.length + value.length
    this.#after = after
    this.#context = context
    this.#candidates = candidatesIn(context)
  }

  write(): string {
    const surrounded = this.#surrounded
    const from = this.#from
    const end = this.#end
    let result = ""
    let start = from
    // The line end before the text may be the first of two.
    if (isLineEnd(surrounded.charCodeAt(from - 1))) this.#reasonAt(from - 1)
    let previousReason = 0
    let nextReason = -1
    let nextReasonAt = -1
    for (let at = from; at < end; at++) {
      const code = surrounded.charCodeAt(at)
      const reason =
        code < 128 && this.#candidates[code] === 1 ? (nextReasonAt === at ? nextReason : this.#reasonAt(at)) : 0
      const before = previousReason
      previousReason = reason
      if (reason === 0) continue
      if (code === underscore) {
        const wordEnd = this.#underscoreRunEnd(at)
        if (wordEnd !== -1) {
          at = wordEnd - 1
          continue
        }
      }
      if ((reason & dependsOnAfter) !== 0 && at + 1 < end) {
        nextReasonAt = at + 1
        const next = surrounded.charCodeAt(nextReasonAt)
        nextReason = next < 128 && this.#candidates[next] === 1 ? this.#reasonAt(nextReasonAt) : 0
        if (nextReason === unsafe) continue
      }
      // The character is no syntax if the neighbor that it depends on is escaped.
      if ((reason & dependsOnBefore) !== 0 && before === unsafe) continue
      result += doubleBackslashes(surrounded.slice(start, at), "\\") + this.result(code)
      start = at + 1
    }
    return result + doubleBackslashes(this.#value.slice(start - from), this.#after)
  }

  result(code: number): string {
    const isInFence = (this.#context & (TextContext.language | TextContext.info)) !== 0
    return isAsciiPunctuation(code) && !(isInFence && code === 96)
      ? `\\${String.fromCharCode(code)}`
      : characterReference(code)
  }

  /** Returns the end of a run of underscores within a word, in which they are no syntax. Returns -1 otherwise. */
  #underscoreRunEnd(at: number): number {
    const surrounded = this.#surrounded
    if (at === 0 || !isWordCharacter(surrounded.charCodeAt(at - 1))) return -1
    // The character next to emphasis may become a character reference, which ends the word. So the underscore may be at
    // the end of the word.
    if (at - lengthBefore(surrounded, at) === this.#from && isEmphasis(surrounded.charCodeAt(this.#from - 1))) return -1
    let end = at + 1
    while (end < this.#end && surrounded.charCodeAt(end) === underscore) end++
    if (end >= surrounded.length || !isWordCharacter(surrounded.charCodeAt(end))) return -1
    return end + lengthAfter(surrounded, end) === this.#end && isEmphasis(surrounded.charCodeAt(this.#end)) ? -1 : end
  }

  /** True if `#` characters directly follow a word, as in `C#`. These do not close a heading. */
  #followsText(at: number): boolean {
    let before = at - 1
    while (this.#surrounded.charCodeAt(before) === 35) before--
    return isWordCharacter(this.#surrounded.charCodeAt(before))
  }

  /**
   * Returns the reasons for which a character could be parsed as syntax; 0 if it could not. Called once for each
   * character, in order.
   */
  #reasonAt(at: number): number {
    const context = this.#context
    const surrounded = this.#surrounded
    const code = surrounded.charCodeAt(at)
    const next = surrounded.charCodeAt(at + 1)
    const previous = surrounded.charCodeAt(at - 1)
    const isInline = (context & (TextContext.phrasing | TextContext.span)) === TextContext.phrasing
    const isPlain = (context & TextContext.plain) !== 0
    if (!isPlain && this.#startsBlock(code, at)) return unsafe | dependsOnBefore | dependsOnAfter
    if (!isPlain && isInline && code < 128 && hasOpening(inlineOpenings[code], surrounded, at)) return unsafe
    switch (code) {
      case 9:
      case 32: {
        if ((context & TextContext.language) !== 0) return unsafe
        if ((context & TextContext.phrasing) === 0) return 0
        return combineReasons(isLineEnd(next) ? dependsOnAfter : -1, isLineEnd(previous) ? dependsOnBefore : -1)
      }
      case 10: {
        if ((context & singleLineContexts) !== 0) return unsafe
        if ((context & TextContext.phrasing) === 0) return 0
        const pairs = this.#pairs
        const isSecond = at > pairs.lineFeedBefore && previous === 10
        const isFirst = at >= pairs.lineFeedAfter && isLineEnd(next)
        if (isSecond) pairs.lineFeedBefore = at + 1
        if (isFirst) pairs.lineFeedAfter = at + 2
        return combineReasons(isFirst ? dependsOnAfter : -1, isSecond ? dependsOnBefore : -1)
      }
      case 13: {
        if ((context & singleLineContexts) !== 0) return unsafe
        if ((context & TextContext.phrasing) === 0) return 0
        const pairs = this.#pairs
        const isSecond = at > pairs.returnBefore && isLineEnd(previous)
        const isFirst = at >= pairs.returnAfter && next === 13
        if (isSecond) pairs.returnBefore = at + 1
        if (isFirst) pairs.returnAfter = at + 2
        return combineReasons(isFirst ? dependsOnAfter : -1, isSecond ? dependsOnBefore : -1)
      }
      case 33:
        return isInline && next === 91 ? unsafe | dependsOnAfter : 0
      case 34:
        return (context & TextContext.title) !== 0 ? unsafe : 0
      case 35: {
        const isLast = (context & TextContext.heading) !== 0 && (next !== next || isLineEnd(next))
        const endsHeading = isLast && !this.#followsText(at)
        return combineReasons(endsHeading ? dependsOnAfter : -1, this.#startsLine(at) ? dependsOnBefore : -1)
      }
      case 38:
        return (context & contextsWithReferences) !== 0 && (next === 35 || isLetter(next)) ? unsafe | dependsOnAfter : 0
      case 40:
        if ((context & TextContext.destination) !== 0) return unsafe
        return isInline && previous === 93 ? unsafe | dependsOnBefore : 0
      case 41:
        if ((context & TextContext.destination) !== 0) return unsafe
        return this.#endsNumber(at) ? unsafe | dependsOnBefore : 0
      case 42:
        if (isInline) return unsafe
        return (isBlank(next) || next === 42) && this.#startsLine(at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      case 43:
        return isBlank(next) && this.#startsLine(at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      case 45: {
        const isMarkup = isBlank(next) || next === 45 || (!isPlain && (next === 58 || next === 124))
        return isMarkup && this.#startsLine(at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      }
      case 46: {
        const isMarker = (next !== next || isBlank(next)) && this.#endsNumber(at)
        return isMarker || this.#isInAddress(at, "dot", isLetterW) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      }
      case 58: {
        const isScheme = (context & TextContext.address) !== 0 && (previous === 112 || previous === 115) && next === 47
        const isDelimiter = !isPlain && next === 45 && this.#startsLine(at)
        return isScheme || isDelimiter ? unsafe | dependsOnBefore | dependsOnAfter : 0
      }
      case 60:
        if ((context & TextContext.enclosed) !== 0) return unsafe
        // A destination that starts with `<` extends to the `>`.
        if ((context & TextContext.destination) !== 0 && at === this.#from) return unsafe
        if (next !== 33 && next !== 47 && next !== 63 && !isLetter(next)) return 0
        if (isInline) return unsafe | dependsOnAfter
        return this.#startsLine(at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      case 62:
        if ((context & TextContext.enclosed) !== 0) return unsafe
        return this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      case 61:
        return this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      case 64:
        return this.#isInAddress(at, "at", isAddressCharacter) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      case 91: {
        // A footnote reference may start anywhere in phrasing text.
        const isMarkup =
          (context & TextContext.label) !== 0 || isInline || (!isPlain && (context & TextContext.phrasing) !== 0)
        return isMarkup ? unsafe : this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      }
      case 92:
        return (context & TextContext.phrasing) !== 0 && isLineEnd(next) ? unsafe | dependsOnAfter : 0
      case 93:
        return (context & TextContext.label) !== 0 ? unsafe : 0
      case 94: {
        // After `[`, a `^` is escaped, because the brackets would become a footnote reference: `[^text]`.
        const isFirst = at === this.#from && previous === 91
        return isFirst && (context & TextContext.label) !== 0 && /^\S+$/.test(this.#value) ? unsafe : 0
      }
      case 96:
        if ((context & (TextContext.language | TextContext.info)) !== 0) return unsafe
        return isInline ? unsafe : this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      case underscore:
        return isInline ? unsafe : this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      case 126:
        return isInline && !isPlain ? unsafe : this.#startsLine(at) ? unsafe | dependsOnBefore : 0
      case 123:
        if (isPlain) return 0
        if (this.#startsLine(at)) return isAttributeLike(surrounded, at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
        return at === this.#from && inlineEnd.test(surrounded.charAt(at - 1)) && isAttributeLike(surrounded, at)
          ? unsafe
          : 0
      case 124: {
        if ((context & TextContext.cell) !== 0) return unsafe
        const isRow = !isPlain && (isSpace(next) || next === 58 || next === 45)
        return isRow && this.#startsLine(at) ? unsafe | dependsOnBefore | dependsOnAfter : 0
      }
      default:
        return 0
    }
  }

  /** True if only white space precedes an offset on its line. */
  #startsLine(at: number): boolean {
    let i = at - 1
    while (isSpace(this.#surrounded.charCodeAt(i))) i--
    return isLineEnd(this.#surrounded.charCodeAt(i))
  }

  /** True if a hint, tab or tag of a dialect could start at an offset. */
  #startsBlock(code: number, at: number): boolean {
    const syntaxes = code > 127 ? undefined : blockOpenings[code]
    return syntaxes !== undefined && this.#startsLine(at) && hasOpening(syntaxes, this.#surrounded, at)
  }

  /** True if only a number precedes an offset on its line. */
  #endsNumber(at: number): boolean {
    let i = at
    while (isDigit(this.#surrounded.charCodeAt(i - 1))) i--
    return i < at && this.#startsLine(i)
  }

  #isInAddress(at: number, kind: "at" | "dot", isBefore: (code: number) => boolean): boolean {
    if ((this.#context & TextContext.address) === 0 || at <= this.#pairs[kind]) return false
    const next = this.#surrounded.charCodeAt(at + 1)
    if (!isBefore(this.#surrounded.charCodeAt(at - 1)) || !(next === 45 || next === 46 || isWord(next))) return false
    this.#pairs[kind] = at + 2
    return true
  }
}

/** Matches the last character of an inline that an attribute list may follow. */
const inlineEnd = /[)\]*_~`>:]/

const isAttributeLike = (text: string, at: number): boolean => matchesAt(AttributeList.opening, text, at)

/** True if a block or inline of a dialect could start at an offset. */
const hasOpening = (
  syntaxes: ReadonlyArray<{ readonly opening?: RegExp }> | undefined,
  text: string,
  at: number
): boolean => syntaxes?.some(({ opening }) => opening !== undefined && matchesAt(opening, text, at)) === true

/** True if a sticky pattern matches at an offset. */
const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

/**
 * Combines the dependencies of two reasons; -1 = the reason does not apply. The result depends on a neighbor only if
 * both reasons do.
 */
const combineReasons = (one: number, other: number): number =>
  one === -1 ? (other === -1 ? 0 : unsafe | other) : unsafe | (other === -1 ? one : one & other)

const underscore = 95
const singleLineContexts =
  TextContext.heading | TextContext.cell | TextContext.enclosed | TextContext.language | TextContext.info
const contextsWithReferences =
  TextContext.phrasing |
  TextContext.destination |
  TextContext.enclosed |
  TextContext.title |
  TextContext.language |
  TextContext.info

const isLineEnd = (code: number): boolean => code === 10 || code === 13
const isBlank = (code: number): boolean => isSpace(code) || isLineEnd(code)
const isWord = (code: number): boolean => code === underscore || isAlphanumeric(code)
const isLetterW = (code: number): boolean => (code | 32) === 119
const isAddressCharacter = (code: number): boolean => code === 43 || code === 45 || code === 46 || isWord(code)
const isEmphasis = (code: number): boolean => code === 42 || code === underscore || code === 126
const isWordCharacter = (code: number): boolean => !isWhitespace(code) && !isPunctuation(code)

/** Returns the length of the character that ends or starts at an offset: 2 for a surrogate pair, 1 otherwise. */
const lengthBefore = (text: string, at: number): number => ((text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1)
const lengthAfter = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

export const characterReference = (code: number): string => `&#x${code.toString(16).toUpperCase()};`

/** Doubles the backslashes that would escape the next character. */
const doubleBackslashes = (text: string, after: string): string =>
  text.includes("\\")
    ? (text + after.slice(0, 1))
        .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
        .slice(0, -after.slice(0, 1).length || undefined)
    : text

const dialectCharacters = String.fromCharCode(...Array(128).keys()).replace(/[^]/g, (character, code: number) =>
  blockOpenings[code] || inlineOpenings[code] ? character : ""
)
const commonCharacters = `#)*+-.<=>[\\_\`~{|:${dialectCharacters}`
const charactersByContext: ReadonlyArray<readonly [context: number, characters: string]> = [
  [TextContext.phrasing, "\t\r\n !&(*<[_`~"],
  [TextContext.address, "@.:"],
  [TextContext.label, "[]^"],
  [TextContext.heading, "\r\n#"],
  [TextContext.cell, "\r\n|"],
  [TextContext.destination, "()&"],
  [TextContext.enclosed, "\r\n<>&"],
  [TextContext.title, '"&'],
  [TextContext.language, "\t\r\n `&"],
  [TextContext.info, "\r\n`&"]
]
const candidatesByContext = new Map<number, Uint8Array>()

/** Returns a table with 1 for each character that could be syntax in a context. */
const candidatesIn = (context: number): Uint8Array => {
  let table = candidatesByContext.get(context)
  if (table === undefined) {
    table = new Uint8Array(128)
    let characters = commonCharacters
    for (const [bit, more] of charactersByContext) if ((context & bit) !== 0) characters += more
    for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1
    candidatesByContext.set(context, table)
  }
  return table
}
