/**
 * Order of queryable values: null, numbers, text by code point, false, true. JavaScript compares UTF-16, which sorts
 * supplementary characters before U+E000 to U+FFFF.
 */
import type { Scalar } from "./Table.ts"

const rank = (value: Scalar): number =>
  value === null ? 0 : typeof value === "number" ? 1 : typeof value === "string" ? 2 : 3

const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  let i = 0
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++
  if (i === length) return a.length - b.length
  const left = a.charCodeAt(i)
  const right = b.charCodeAt(i)
  // A unit of a surrogate pair is greater than any other unit. Two surrogates are compared like their pairs.
  const leftPaired = left >= 0xd800 && left <= 0xdfff
  const rightPaired = right >= 0xd800 && right <= 0xdfff
  return leftPaired === rightPaired ? left - right : leftPaired ? 1 : -1
}

export const compare = (a: Scalar, b: Scalar): number => {
  const ranks = rank(a) - rank(b)
  if (ranks !== 0) return ranks
  return typeof a === "string" ? compareText(a, b as string) : Number(a) - Number(b)
}

/** Compares lists of values: the first difference decides. */
export const compareAll = (a: ReadonlyArray<Scalar>, b: ReadonlyArray<Scalar>): number => {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compare(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}

/** Compares rows by several fields. */
export const compareIn = (
  fields: ReadonlyArray<string>,
  a: ReadonlyMap<string, Scalar>,
  b: ReadonlyMap<string, Scalar>
): number => {
  for (const field of fields) {
    const order = compare(a.get(field) ?? null, b.get(field) ?? null)
    if (order !== 0) return order
  }
  return 0
}
