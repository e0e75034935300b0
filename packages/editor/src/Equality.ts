/** Comparison of values of documents, and the attribute for `isVoid`. */

/** Compares JSON values. An absent property equals an undefined one. */
export const equals = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) {
    return a.length === (b as Array<unknown>).length && a.every((item, i) => equals(item, (b as Array<unknown>)[i]))
  }
  const [first, second] = [a, b] as [Record<string, unknown>, Record<string, unknown>]
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  for (const name of names) if (!equals(first[name], second[name])) return false
  return true
}

/** Attribute for a value of `isVoid`: null if it is the one that the type requires. */
export const isVoidAttribute = (value: boolean | undefined, required: true | undefined): boolean | "absent" | null =>
  value === required ? null : (value ?? "absent")

export const isVoidOf = (
  attribute: boolean | "absent" | null,
  required: true | undefined
): { readonly isVoid?: boolean } => {
  const value = attribute === null ? required : attribute
  return value === undefined || value === "absent" ? {} : { isVoid: value }
}
