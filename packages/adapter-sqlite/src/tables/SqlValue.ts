/**
 * Queryable values in SQLite. Columns have no affinity, so values keep their type. Null is stored as minus infinity,
 * which no row can hold: it sorts first, is unique in unique indexes, and avoids SQL's three-valued logic. Booleans are
 * blobs of one byte, so that they never equal a number. The order is: null, numbers, text by code point, false, true.
 */
import { isStorable } from "@lectern/core/storage/Row"
import type { Scalar } from "@lectern/core/storage/Table"

export type SqlValue = string | number | Buffer

export const nullValue = -Infinity
const falseValue = Buffer.of(0)
const trueValue = Buffer.of(1)

export const toSql = (value: Scalar): SqlValue =>
  value === null ? nullValue : typeof value === "boolean" ? (value ? trueValue : falseValue) : value

/** True if a row can hold this value. SQLite would convert other values, so they never become parameters. */
export const canOccur = (value: Scalar): boolean =>
  typeof value === "string" ? isStorable(value) : typeof value !== "number" || Number.isFinite(value)

/** Returns the least text above all texts with this prefix. Undefined if no text is above them. */
export const afterPrefix = (prefix: string): string | undefined => {
  const chars = Array.from(prefix)
  for (let last = chars.pop(); last !== undefined; last = chars.pop()) {
    const point = last.codePointAt(0)!
    if (point < 0x10ffff) return chars.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return undefined
}
