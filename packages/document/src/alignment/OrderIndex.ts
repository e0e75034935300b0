/**
 * Creates strings that order the rows of a table by code point. Existing ones are fractional indexes or numbers of
 * fixed width. A new string sorts between any two existing ones, unless no such string exists.
 */

const digits = /^\d{1,15}$/u

/** Returns a string after `before` ("" = start) and before `after` (undefined = end). Undefined if no string fits. */
export const orderIndexBetween = (before: string, after: string | undefined): string | undefined => {
  if (after === undefined) return nextOrderIndex(before)
  if (!after.startsWith(before)) return `${before}V`
  const suffix = after.slice(before.length)
  // Skips any number of zeros, then takes half of the first character that leaves a smaller one.
  let zeros = 0
  while (suffix[zeros] === "0") zeros++
  if (zeros === suffix.length) return undefined
  const difference = suffix.charCodeAt(zeros) - 48
  if (difference < 0) return undefined
  const start = before + suffix.slice(0, zeros)
  return difference === 1 ? `${start}0V` : start + String.fromCharCode(48 + (difference >> 1))
}

const nextOrderIndex = (before: string): string => {
  if (!digits.test(before)) return `${before}V`
  const number = String(Number(before) + 1).padStart(before.length, "0")
  return number.length === before.length ? number : `${before}V`
}
