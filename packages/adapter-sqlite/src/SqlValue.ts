/**
 * Queryable values in SQLite. Columns have no affinity, so a value stays what it was. Null is kept
 * as minus infinity, which no row can hold: it sorts first, equals itself in unique indexes, and
 * spares every comparison SQL's third truth value. A boolean is kept as a blob of one byte, so that
 * it never equals a number. Hence the order: null, numbers, text by code point, false, true.
 */
import { isStorable } from "@lectern/core/storage/Row"
import type { Scalar } from "@lectern/core/storage/Table"

export type SqlValue = string | number | Buffer

export const nullValue = -Infinity
const falseValue = Buffer.of(0)
const trueValue = Buffer.of(1)

export const toSql = (value: Scalar): SqlValue =>
  value === null ? nullValue : typeof value === "boolean" ? (value ? trueValue : falseValue) : value

/**
 * Tells whether any row can hold this value. SQLite would read an impossible one as something else, so it
 * never gets there.
 */
export const canOccur = (value: Scalar): boolean =>
  typeof value === "string" ? isStorable(value) : typeof value !== "number" || Number.isFinite(value)

/** The least text that is greater than every text with this prefix; undefined where there is none. */
export const afterPrefix = (prefix: string): string | undefined => {
  const chars = Array.from(prefix)
  for (let last = chars.pop(); last !== undefined; last = chars.pop()) {
    const point = last.codePointAt(0)!
    if (point < 0x10ffff) return chars.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return undefined
}
