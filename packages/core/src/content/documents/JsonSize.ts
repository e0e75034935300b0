/**
 * Maximum length of the JSON of a detailed comparison (characters). Above, documents are compared as wholes or by
 * outermost blocks.
 */
export const maxTold = 8_000_000

/** Returns true if the JSON of a value has more than about `maxTold` characters. Stops counting at this size. */
export const isTooLarge = (value: unknown): boolean => {
  let left = maxTold
  const open: Array<unknown> = [value]
  while (open.length > 0 && left > 0) {
    const next = open.pop()
    left -= typeof next === "string" ? next.length + 2 : 4
    if (typeof next !== "object" || next === null) continue
    for (const [name, field] of Object.entries(next)) {
      if (!Array.isArray(next)) left -= name.length + 3
      open.push(field)
    }
  }
  return left <= 0
}
