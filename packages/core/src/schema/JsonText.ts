/** JSON in place of the value that it is of, which is too large to unfold where others wait (see `JsonBody`). */
export class JsonText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

const known = new WeakMap<object, string>()

/** The value of a JSON text that is kept beside it: to write it as JSON again costs nothing. */
export const unfold = (json: string): object => {
  const value = JSON.parse(json) as object
  known.set(value, json)
  return value
}

/** JSON of an object of which a field may be known as JSON. */
export const stringify = (value: object): string => {
  const large = Object.entries(value).find(
    ([, field]) => typeof field === "object" && field !== null && known.has(field)
  )
  if (large === undefined) return JSON.stringify(value)
  const [name, field] = large
  const rest = JSON.stringify({ ...value, [name]: undefined })
  return `${rest.slice(0, -1)}${rest === "{}" ? "" : ","}${JSON.stringify(name)}:${known.get(field as object)}}`
}
