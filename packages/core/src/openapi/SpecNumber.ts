/**
 * Numbers of a spec as written. JSON allows numbers that JavaScript changes (`1.0`, `1e400`, integers above 2^53). Such
 * a number stays a raw JSON value, which `JSON.stringify` writes unchanged. All others are JavaScript numbers.
 *
 * `parse` costs a plain `JSON.parse` if the text can't contain such a number, and about eight times as much otherwise.
 */

/** A JSON number that JavaScript would change, with its text. */
interface RawNumber {
  readonly rawJSON: string
}

interface RawJson {
  readonly rawJSON: (text: string) => RawNumber
  readonly isRawJSON: (value: unknown) => value is RawNumber
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown
  ) => unknown
}

const json = JSON as unknown as RawJson

/** Maximum length of a raw number's text in characters. A longer number is written as JavaScript formats it. */
const maxLength = 1_000

const grammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Matches text that may contain a number that JavaScript would change. These are exponents, trailing zeros of a
 * fraction, 16 or more digits, small fractions, and minus zero.
 */
const needsRawParsing = /\d[eE][+-]?\d|\.\d*0(?!\d)|\d[\d.]{15}|0\.0{6}|-0(?![.\d])/

export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value)

/** Parses JSON with its numbers as written. Throws like `JSON.parse`. */
export const parse = (text: string): unknown =>
  needsRawParsing.test(text)
    ? json.parse(text, (_, value, { source }) => (typeof value === "number" ? preserved(value, source!) : value))
    : JSON.parse(text)

/**
 * Returns a number with this text: raw if JavaScript would write it differently. Returns the plain number if the text
 * is not JSON.
 */
export const preserved = (value: number, text: string): unknown => {
  if (String(value) === text || !grammar.test(text)) return value
  if (text.length <= maxLength) return json.rawJSON(text)
  return Number.isFinite(value) ? value : json.rawJSON(value < 0 ? "-1e999" : "1e999")
}

/** Returns a deep copy of a value. */
export const copy = (value: unknown): unknown => parse(JSON.stringify(value))

const rawNumberPrefix = "\u0000number "

/**
 * Calls a function that does not preserve raw numbers. It receives the numbers as marked strings, and its result
 * contains the raw numbers again.
 */
export const withRawNumbers = (value: unknown, program: (value: unknown) => unknown): unknown => {
  let isNeeded = false
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (!isRawNumber(item)) return item
    isNeeded = true
    return `${rawNumberPrefix}${item.rawJSON}`
  })
  const result = program(JSON.parse(text))
  if (!isNeeded) return result
  return JSON.parse(JSON.stringify(result), (_, item: unknown) => {
    const number =
      typeof item === "string" && item.startsWith(rawNumberPrefix) ? item.slice(rawNumberPrefix.length) : ""
    return grammar.test(number) ? json.rawJSON(number) : item
  })
}

/** Returns the text of a number; undefined for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : isRawNumber(value) ? value.rawJSON : undefined

/** Returns a number for comparisons; undefined for any other value. */
export const valueOf = (value: unknown): number | undefined => {
  const text = textOf(value)
  return text === undefined ? undefined : Number(text)
}

/**
 * Returns the larger of two numbers (`sign` 1) or the smaller (`sign` -1). Integers that are equal as doubles are
 * compared by their texts.
 */
export const furthest = (a: unknown, b: unknown, sign: 1 | -1): unknown => {
  const [first, second] = [valueOf(a), valueOf(b)]
  if (first === undefined || second === undefined) return first === undefined ? b : a
  if (first !== second) return (first - second) * sign > 0 ? a : b
  const [text, otherText] = [textOf(a)!, textOf(b)!]
  if (!/^-?\d{1,400}$/.test(text) || !/^-?\d{1,400}$/.test(otherText)) return a
  return (BigInt(text) < BigInt(otherText) ? -1 : 1) * sign > 0 ? a : b
}
