/**
 * Queryable values in PostgreSQL: one text for each value, in a column with the collation `C`. The first character states
 * the type, so the order of the texts is the order of values: null, numbers, text by code point, false, true.
 *
 * An entry of an index has at most 2,704 bytes. So a longer text is stored as its start and its hash: it is equal to
 * itself only, and ordered correctly among shorter texts, but not among long texts with the same start. Queries that
 * depend on that order are evaluated in the process (see `RowQueries`).
 */
import { createHash } from "node:crypto"
import type { Scalar } from "@lectern/core/storage/Table"

/** Least text above all encoded numbers, and above all encoded texts. */
export const afterNumbers = "2"
export const afterTexts = "3"

/** Separates the start of a long text from its hash. */
const separator = "\u0001"
const maxCharacterBytes = 4

/** Returns the encoding of a value. `limit`: length from which texts are long (bytes). */
export const encode = (value: Scalar, limit: number): string => {
  if (value === null) return "0"
  if (typeof value === "number") return `1${encodeNumber(value)}`
  if (typeof value === "string") return `2${encodeText(value, limit)}`
  return value ? "4" : "3"
}

/** Returns the encoding of a text among texts only, for list fields. */
export const encodeText = (text: string, limit: number): string => {
  if (!isLong(text, limit)) return text
  const bytes = Buffer.from(text)
  let end = Math.min(bytes.length, limit + maxCharacterBytes - 1)
  // A byte 10xxxxxx continues a character.
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString("utf8", 0, end) + separator + createHash("sha256").update(bytes).digest("base64url")
}

/** True if a value is stored as its start and its hash. */
export const isLong = (value: Scalar, limit: number): boolean =>
  // A UTF-16 unit has at most 3 bytes in UTF-8.
  typeof value === "string" && value.length * 3 > limit && Buffer.byteLength(value) > limit

const numbers = Buffer.alloc(8)

/** Returns 16 hexadecimal digits in the order of numbers. */
const encodeNumber = (value: number): string => {
  numbers.writeDoubleBE(value === 0 ? 0 : value)
  // Positive numbers get a set sign bit. Negative numbers are inverted, since their order is reversed.
  if (numbers[0]! < 0x80) numbers[0]! |= 0x80
  else for (let i = 0; i < 8; i++) numbers[i] = ~numbers[i]! & 0xff
  return numbers.toString("hex")
}

/** Returns the least text above all texts with this prefix. Undefined if no text is above them. */
export const afterPrefix = (prefix: string): string | undefined => {
  const chars = Array.from(prefix)
  for (let last = chars.pop(); last !== undefined; last = chars.pop()) {
    const point = last.codePointAt(0)!
    if (point < 0x10ffff) return chars.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return undefined
}

/** Returns the text of an array of texts, which PostgreSQL converts with `::text[]`. */
export const arrayLiteral = (values: Iterable<string>): string =>
  `{${Array.from(values, (value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
