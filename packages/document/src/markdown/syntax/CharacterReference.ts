/** Character references and escapes, as they stand in text, URLs, titles and labels. */
import { namedCharacter } from "../../NamedCharacter.ts"

/** One reference from `&` to `;`; undefined where it names nothing. */
export const decodeOne = (source: string): string | undefined => {
  if (source.charCodeAt(1) !== 35) return namedCharacter(source.slice(1, -1))
  const isHex = (source.charCodeAt(2) | 32) === 120
  return characterOf(Number.parseInt(source.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10))
}

/** Character of a code. A code that can't stand in a text is the replacement character. */
export const characterOf = (code: number): string =>
  code < 9 ||
  code === 11 ||
  (code > 13 && code < 32) ||
  (code > 126 && code < 160) ||
  (code > 55295 && code < 57344) ||
  (code > 64975 && code < 65008) ||
  (code & 65535) === 65535 ||
  (code & 65535) === 65534 ||
  code > 1114111
    ? "\uFFFD"
    : String.fromCodePoint(code)

/** At a `&`. */
export const referenceAt = /&(?:#(?:\d{1,7}|[xX][\da-fA-F]{1,6})|[\da-zA-Z]{1,31});/y

const escapeOrReference = /\\([!-/:-@[-`{-~])|&(?:#(?:\d{1,7}|x[\da-f]{1,6})|[\da-z]{1,31});/gi

/** A text with what its escapes and references stand for. */
export const decode = (source: string): string =>
  source.includes("\\") || source.includes("&")
    ? source.replace(escapeOrReference, (whole, escaped: string | undefined) => escaped ?? decodeOne(whole) ?? whole)
    : source
