/**
 * Returns the values of a form's fields by their keys in the block's state. On the server, these are the fields of a
 * sent form; in the browser, the fields that a form would send. The prefix of a field's name states the type of its
 * value (see `Controls`).
 */
export const formState = (fields: Iterable<readonly [name: string, value: unknown]>): ReadonlyMap<string, unknown> => {
  const state = new Map<string, unknown>()
  for (const [name, value] of fields) {
    const [prefix, key] = [name.slice(0, 2), name.slice(2)]
    if (prefix === "t.") state.set(key, value)
    else if (prefix === "b.") state.set(key, value === "1")
    else if (prefix === "l.") {
      const previous = state.get(key)
      const list: Array<unknown> = Array.isArray(previous) ? previous : []
      // A list also has a field with an empty value, so that the list exists if nothing is selected.
      if (value !== "") list.push(value)
      state.set(key, list)
    }
  }
  return state
}
