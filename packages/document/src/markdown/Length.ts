/** A width or height: a number of pixels, or a number with its unit, such as `33.3%`. */

const pattern = /^(0|[1-9]\d{0,5})(\.\d{1,16})?([a-z]{1,4}|%)?$/

/** Returns the length; undefined unless `write` returns the same text for it. */
export const read = (text: string): number | { readonly unit: string; readonly value: number } | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const unit = match[3]
  const value = Number(unit === undefined ? text : text.slice(0, -unit.length))
  const length = unit === undefined ? value : { unit, value }
  return write(length) === text ? length : undefined
}

export const write = (value: unknown): string | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== "object" || value === null) return undefined
  const { unit, value: number } = value as { readonly unit?: unknown; readonly value?: unknown }
  return typeof unit === "string" && typeof number === "number" ? `${number}${unit}` : undefined
}
