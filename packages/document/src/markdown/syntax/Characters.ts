/** Character classes by character code. */

export const isSpace = (code: number): boolean => code === 32 || code === 9

/** True for an ASCII letter. */
export const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const isAlphanumeric = (code: number): boolean => isDigit(code) || isLetter(code)

/** True for ASCII punctuation, which a backslash escapes. */
export const isAsciiPunctuation = (code: number): boolean =>
  (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126)

const unicodePunctuation = /[\p{P}\p{S}]/u
const unicodeSpace = /\s/

/** True for white space, and for NaN, which stands for the start and the end of a text. */
export const isWhitespace = (code: number): boolean =>
  code !== code ||
  code === 32 ||
  (code >= 9 && code <= 13) ||
  (code > 127 && unicodeSpace.test(String.fromCharCode(code)))

export const isPunctuation = (code: number): boolean =>
  code < 128 ? isAsciiPunctuation(code) : unicodePunctuation.test(String.fromCharCode(code))
