/**
 * Values that readers have filled in, by their keys in the state of a block: on the server what a form was sent with, in
 * the browser what it would be sent with. The name of a field says of which kind its value is (see `Controls`).
 */
export const filledIn = (fields: Iterable<readonly [name: string, value: unknown]>): ReadonlyMap<string, unknown> => {
  const filled = new Map<string, unknown>()
  for (const [name, value] of fields) {
    const [kind, key] = [name.slice(0, 2), name.slice(2)]
    if (kind === "t.") filled.set(key, value)
    else if (kind === "b.") filled.set(key, value === "1")
    else if (kind === "l.") {
      const before = filled.get(key)
      const list: Array<unknown> = Array.isArray(before) ? before : []
      // Each box of a list sends an empty value, too, so that the list is there where nothing of it is chosen.
      if (value !== "") list.push(value)
      filled.set(key, list)
    }
  }
  return filled
}
