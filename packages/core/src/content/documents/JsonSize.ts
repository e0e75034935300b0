/**
 * Maximum length of the JSON of a detailed comparison (characters). Above, documents are compared as wholes or by
 * outermost blocks.
 */
export const maxComparisonLength = 8_000_000

/** Returns true if the JSON of a value has more than about `maxComparisonLength` characters. Stops counting at this size. */
export const isTooLarge = (value: unknown): boolean => {
  let remaining = maxComparisonLength
  const pending: Array<unknown> = [value]
  while (pending.length > 0 && remaining > 0) {
    const next = pending.pop()
    remaining -= typeof next === "string" ? next.length + 2 : 4
    if (typeof next !== "object" || next === null) continue
    for (const [name, field] of Object.entries(next)) {
      if (!Array.isArray(next)) remaining -= name.length + 3
      pending.push(field)
    }
  }
  return remaining <= 0
}
