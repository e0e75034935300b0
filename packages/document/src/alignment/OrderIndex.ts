/**
 * Texts that order the rows of a table by code point. Fractional indexes and numbers of a fixed
 * width both occur; what is made here stands between any two of them, where something can.
 */

const digits = /^\d{1,15}$/u

/** A text after `before` ("" for the start) and before `after` (undefined for the end). */
export const between = (before: string, after: string | undefined): string | undefined => {
  if (after === undefined) return next(before)
  if (!after.startsWith(before)) return `${before}V`
  const rest = after.slice(before.length)
  // After any number of zeros, half of the first character that leaves room below it.
  let zeros = 0
  while (rest[zeros] === "0") zeros++
  if (zeros === rest.length) return undefined
  const room = rest.charCodeAt(zeros) - 48
  if (room < 0) return undefined
  const start = before + rest.slice(0, zeros)
  return room === 1 ? `${start}0V` : start + String.fromCharCode(48 + (room >> 1))
}

const next = (before: string): string => {
  if (!digits.test(before)) return `${before}V`
  const number = String(Number(before) + 1).padStart(before.length, "0")
  return number.length === before.length ? number : `${before}V`
}
