import { Effect } from "effect"
import { Slice, type Steps } from "../storage/Slice.ts"

/** JSON of a value that is too large to parse on the event loop (see `JsonBody`). */
export class JsonText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

const lazyFields = new WeakMap<object, { readonly rest: object; readonly name: string; readonly json: string }>()

/**
 * Returns an object with a field that is given as JSON. The JSON is parsed on first access and serialized unchanged.
 */
export const withLazyField = <A extends object>(rest: Partial<A>, name: keyof A & string, json: string): A => {
  let value: unknown
  const get = () => (value ??= JSON.parse(json))
  const result = Object.defineProperty({ ...rest } as A, name, { enumerable: true, get })
  lazyFields.set(result, { rest, name, json })
  return result
}

/** Returns the JSON that the object's field was created with. Undefined otherwise. */
export const jsonOfField = (value: object, name: string): string | undefined => {
  const lazyField = lazyFields.get(value)
  return lazyField?.name === name ? lazyField.json : undefined
}

const texts = new WeakMap<object, string>()

/**
 * Returns an object whose named fields are given as JSON. The JSON is parsed on first access and serialized unchanged.
 */
export const lazyObject = <A extends object>(json: string, names: ReadonlyArray<keyof A & string>): A => {
  let value: A | undefined
  const read = () => (value ??= JSON.parse(json) as A)
  const fields = names.map((name) => [name, { enumerable: true, get: () => read()[name] }] as const)
  const result = Object.defineProperties({}, Object.fromEntries(fields)) as A
  texts.set(result, json)
  return result
}

/** Serializes an object, or a list of objects in `items`. JSON that an object was created with is used unchanged. */
export const stringify = (value: object): string => {
  const text = texts.get(value)
  if (text !== undefined) return text
  const lazyField = lazyFields.get(value)
  if (lazyField !== undefined) return objectJson(lazyField.rest, lazyField.name, lazyField.json)
  if (!isListWithLazyFields(value)) return JSON.stringify(value)
  const { items, ...rest } = value
  return objectJson(rest, "items", `[${items.map(stringify).join(",")}]`)
}

const isListWithLazyFields = (value: object): value is { readonly items: ReadonlyArray<object> } =>
  "items" in value && Array.isArray(value.items) && value.items.some((item: object) => lazyFields.has(item))

const objectJson = (rest: object, name: string, json: string): string => {
  const text = JSON.stringify(rest)
  return `${text.slice(0, -1)}${text === "{}" ? "" : ","}${JSON.stringify(name)}:${json}}`
}

/** Minimum number of values of a large object. Serializing such an object at once takes more than 2 ms. */
const minLargeValues = 5_000
/** Maximum number of values that are serialized in one piece. */
const maxValuesAtOnce = 1_000

/** Returns the number of nested values, counted up to a limit. */
const countUpTo = (value: unknown, limit: number): number => {
  const pendingValues: Array<unknown> = [value]
  let count = 0
  while (pendingValues.length > 0 && count < limit) {
    const next = pendingValues.pop()
    count++
    if (typeof next !== "object" || next === null) continue
    for (const part of Array.isArray(next) ? next : Object.values(next)) pendingValues.push(part)
  }
  return count
}

/** True if `encode` serializes the object in time slices (see `Slice`). */
export const isLarge = (value: object): boolean =>
  !texts.has(value) &&
  !lazyFields.has(value) &&
  !isListWithLazyFields(value) &&
  countUpTo(value, minLargeValues) >= minLargeValues

/** Serializes a large object to JSON as UTF-8, in time slices (see `Slice`). */
export const encode = (value: object): Effect.Effect<Uint8Array<ArrayBuffer>> => Slice.run(encoding(value))

const encoder = new TextEncoder()

function* encoding(value: object): Steps<Uint8Array<ArrayBuffer>> {
  const parts: Array<Uint8Array> = []
  let length = 0
  for (const text of jsonParts(value)) {
    const part = encoder.encode(text)
    parts.push(part)
    length += part.length
    yield
  }
  const result = new Uint8Array(length)
  let offset = 0
  for (const [i, part] of parts.entries()) {
    result.set(part, offset)
    offset += part.length
    parts[i] = emptyBytes
    yield
  }
  return result
}

const emptyBytes = new Uint8Array(0)

/** Yields consecutive parts of a value's JSON. Recurses once for each level of the value. */
function* jsonParts(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || countUpTo(value, maxValuesAtOnce) < maxValuesAtOnce) {
    yield JSON.stringify(value)
    return
  }
  if (!Array.isArray(value)) {
    let before = "{"
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* jsonParts(part)
      before = ","
    }
    yield before === "{" ? "{}" : "}"
    return
  }
  let pendingItems: Array<unknown> = []
  let count = 0
  let before = "["
  const takePending = () => {
    const text = `${before}${JSON.stringify(pendingItems).slice(1, -1)}`
    pendingItems = []
    count = 0
    before = ","
    return text
  }
  for (const item of value) {
    const valueCount = countUpTo(item, maxValuesAtOnce)
    if (pendingItems.length > 0 && count + valueCount >= maxValuesAtOnce) yield takePending()
    if (valueCount < maxValuesAtOnce) {
      pendingItems.push(item)
      count += valueCount
      continue
    }
    yield before
    yield* jsonParts(item)
    before = ","
  }
  if (pendingItems.length > 0) yield takePending()
  yield before === "[" ? "[]" : "]"
}
