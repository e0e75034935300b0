/** Decodes character references and escapes in text, URLs, titles and labels. */
import { namedCharacter } from "../../NamedCharacter.ts"

/** Decodes one reference from `&` to `;`. Returns undefined if the name is unknown. */
export const decodeReference = (source: string): string | undefined => {
  if (source.charCodeAt(1) !== 35) return namedCharacter(source.slice(1, -1))
  const isHex = (source.charCodeAt(2) | 32) === 120
  return characterOf(Number.parseInt(source.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10))
}

/**
 * Returns the character of a code point. Returns U+FFFD for controls, surrogates, noncharacters and codes above
 * U+10FFFF. Tab, line feed, form feed and carriage return are valid.
 */
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

/** Matches a character reference at `lastIndex`. */
export const referencePattern = /&(?:#(?:\d{1,7}|[xX][\da-fA-F]{1,6})|[\da-zA-Z]{1,31});/y

const escapeOrReference = /\\([!-/:-@[-`{-~])|&(?:#(?:\d{1,7}|x[\da-f]{1,6})|[\da-z]{1,31});/gi

/** Decodes all escapes and references of a text. */
export const decodeText = (source: string): string =>
  source.includes("\\") || source.includes("&")
    ? source.replace(
        escapeOrReference,
        (whole, escaped: string | undefined) => escaped ?? decodeReference(whole) ?? whole
      )
    : source
