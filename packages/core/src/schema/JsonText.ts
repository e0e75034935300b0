/** JSON in place of the value that it is of, which is too large to unfold where others wait (see `JsonBody`). */
export class JsonText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

const folded = new WeakMap<object, { readonly rest: object; readonly name: string; readonly json: string }>()

/** The object with a field of which it is given the JSON: unfolded when it is first read, and written as it is. */
export const withField = <A extends object>(rest: Partial<A>, name: keyof A & string, json: string): A => {
  let value: unknown
  const get = () => (value ??= JSON.parse(json))
  const whole = Object.defineProperty({ ...rest } as A, name, { enumerable: true, get })
  folded.set(whole, { rest, name, json })
  return whole
}

/** The JSON of this field, where that is what the object was given of it. */
export const jsonOfField = (value: object, name: string): string | undefined => {
  const known = folded.get(value)
  return known?.name === name ? known.json : undefined
}

const texts = new WeakMap<object, string>()

/** The object with these fields of which this is the JSON: unfolded when one is first read, and written as it is. */
export const unfolding = <A extends object>(json: string, names: ReadonlyArray<keyof A & string>): A => {
  let value: A | undefined
  const read = () => (value ??= JSON.parse(json) as A)
  const fields = names.map((name) => [name, { enumerable: true, get: () => read()[name] }] as const)
  const whole = Object.defineProperties({}, Object.fromEntries(fields)) as A
  texts.set(whole, json)
  return whole
}

/** JSON of an object, or of a list whose `items` are some. */
export const stringify = (value: object): string => {
  const text = texts.get(value)
  if (text !== undefined) return text
  const known = folded.get(value)
  if (known !== undefined) return whole(known.rest, known.name, known.json)
  if (!isListOfFolded(value)) return JSON.stringify(value)
  const { items, ...rest } = value
  return whole(rest, "items", `[${items.map(stringify).join(",")}]`)
}

const isListOfFolded = (value: object): value is { readonly items: ReadonlyArray<object> } =>
  "items" in value && Array.isArray(value.items) && value.items.some((item: object) => folded.has(item))

const whole = (rest: object, name: string, json: string): string => {
  const text = JSON.stringify(rest)
  return `${text.slice(0, -1)}${text === "{}" ? "" : ","}${JSON.stringify(name)}:${json}}`
}
