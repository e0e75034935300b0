/**
 * HTML as a value with its own type, so that no unescaped text gets into a page. Values in a template are escaped
 * unless they are of the type `Html`.
 *
 * ```ts
 * html`<p class="note">${title}</p>`
 * ```
 *
 * A template may span several lines. A line break with the indentation of the next line is removed next to a tag or a
 * value, and becomes a space between words.
 *
 * Attribute values are in double quotes, and URLs in attributes come from `Urls`: escaping does not stop a link from
 * running a script.
 *
 * Long HTML is serialized lazily, piece by piece (`HtmlPieces`): in one go by `text`, with pauses for other work by
 * `HtmlChunks`. Until then, long texts are not escaped, lists (`each`) are not iterated and functions are not called.
 *
 * Limits: HTML of up to 1,024 characters is serialized eagerly. A piece has at most 16 Ki characters of text to escape.
 */

/** Maximum characters of HTML that is serialized eagerly. */
const eagerLength = 1024
/** Maximum items of a list that is serialized eagerly. */
const eagerListLength = 64
/** Maximum characters of a text that are escaped in one piece. */
const pieceLength = 16 * 1024

/** Text that is HTML. `html` creates it from escaped values, and `trusted` from text that this package wrote. */
export class Html {
  #text: string | undefined
  #values: Iterable<HtmlValue>

  private constructor(text: string | undefined, values: Iterable<HtmlValue>) {
    this.#text = text
    this.#values = values
  }

  static readonly serialized = (text: string): Html => new Html(text, [])

  static readonly of = (values: Iterable<HtmlValue>): Html => new Html(undefined, values)

  /** Complete text; serialized on first access. */
  get text(): string {
    if (this.#text === undefined) {
      let text = ""
      const pieces = new HtmlPieces(this.#values)
      for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) text += piece
      this.#text = text
      this.#values = []
    }
    return this.#text
  }

  /** True if the text is empty. Serializes pieces only up to the first non-empty one. */
  get isEmpty(): boolean {
    if (this.#text !== undefined) return this.#text === ""
    const pieces = new HtmlPieces(this.#values)
    for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) if (piece !== "") return false
    return true
  }

  /** Returns at least `length` characters from the start of the text, up to the end of a piece. */
  prefix(length: number): string {
    if (this.#text !== undefined) return this.#text
    let text = ""
    const pieces = new HtmlPieces(this.#values)
    for (let piece = pieces.next(); piece !== undefined && text.length < length; piece = pieces.next()) text += piece
    return text
  }

  /** Serialized text if it exists, otherwise the values to serialize. */
  get parts(): string | Iterable<HtmlValue> {
    return this.#text ?? this.#values
  }
}

/**
 * Value in a template. Undefined, null and false become nothing, and lists are concatenated. A function is called once,
 * when its HTML is serialized.
 */
export type HtmlValue = Html | string | number | false | null | undefined | Iterable<HtmlValue> | (() => HtmlValue)

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html => {
  const parts = collapseLines(strings)
  return build(parts[0]!, values, parts)
}

/**
 * Builds HTML from values, each followed by a string of the template. Without `strings` nothing is inserted between the
 * values.
 */
const build = (firstString: string, values: ReadonlyArray<HtmlValue>, strings?: ReadonlyArray<string>): Html => {
  let text = firstString
  for (let i = 0; i < values.length; i++) {
    const valueText = eagerText(values[i])
    if (valueText === undefined || text.length > eagerLength)
      return Html.of(interleave(firstString, values.map(memoize), strings))
    text += valueText
    if (strings !== undefined) text += strings[i + 1]!
  }
  return Html.serialized(text)
}

const interleave = (
  firstString: string,
  values: ReadonlyArray<HtmlValue>,
  strings: ReadonlyArray<string> | undefined
): Iterable<HtmlValue> => {
  if (strings === undefined) return values
  const all: Array<HtmlValue> = [Html.serialized(firstString)]
  for (let i = 0; i < values.length; i++) all.push(values[i], Html.serialized(strings[i + 1]!))
  return all
}

/** Wraps a function so that repeated serialization calls it only once. */
const memoize = (value: HtmlValue): HtmlValue => {
  if (typeof value !== "function") return value
  let result: { readonly value: HtmlValue } | undefined
  return () => (result ??= { value: value() }).value
}

const oneLineCache = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

const collapseLines = (strings: TemplateStringsArray): ReadonlyArray<string> => {
  let collapsedStrings = oneLineCache.get(strings)
  if (collapsedStrings === undefined) {
    collapsedStrings = strings.map((part) =>
      part.replace(/(^|>)?\s*\n\s*(?=(<|$)?)/g, (_, before?: string, after?: string) =>
        before === undefined && after === undefined ? " " : (before ?? "")
      )
    )
    oneLineCache.set(strings, collapsedStrings)
  }
  return collapsedStrings
}

export const empty = Html.serialized("")

/** Returns HTML from text as is, without escaping. Never for untrusted text. */
export const trusted = (text: string): Html => Html.serialized(text)

/** Concatenates values. */
export const join = (values: ReadonlyArray<HtmlValue>): Html => build("", values)

/** Returns HTML that is rendered on first use: when its text is serialized, or when `isEmpty` is read. */
export const lazy = (render: () => HtmlValue): Html => join([render])

/** Renders each item of a list. Items of a list of more than 64 are rendered lazily, when their HTML is serialized. */
export const each = <A>(items: Iterable<A>, render: (item: A, index: number) => HtmlValue): Html =>
  Array.isArray(items) && items.length <= eagerListLength
    ? join((items as ReadonlyArray<A>).map(render))
    : Html.of({
        *[Symbol.iterator]() {
          let index = 0
          for (const item of items) yield render(item, index++)
        }
      })

/** Returns HTML as visible source text, with escaped tags. */
export const escapedSource = (content: Html): Html =>
  each(
    {
      *[Symbol.iterator]() {
        const pieces = new HtmlPieces([content])
        for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) yield piece
      }
    },
    (piece) => piece
  )

/**
 * Returns the attributes of a tag, each after a space. Undefined and false omit an attribute; true adds it without a
 * value.
 */
export const attributes = (all: Readonly<Record<string, string | number | boolean | undefined>>): Html => {
  const values: Array<HtmlValue> = []
  let text = ""
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || value === false) continue
    if (value === true) text += ` ${name}`
    else if (typeof value === "number" || value.length <= eagerLength) text += ` ${name}="${escape(String(value))}"`
    else {
      values.push(trusted(`${text} ${name}="`), value)
      text = '"'
    }
  }
  return values.length === 0 ? trusted(text) : Html.of([...values, trusted(text)])
}

const specialCharacter = /[&<>"']/

/** `&` comes first, since all replacements contain it. */
const entities = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"]
] as const

export const escape = (text: string): string =>
  specialCharacter.test(text)
    ? entities.reduce<string>((escapedText, [character, entity]) => escapedText.replaceAll(character, entity), text)
    : text

/** Reverts `escape`. */
export const unescape = (text: string): string =>
  entities.reduceRight<string>(
    (unescapedText, [character, entity]) => unescapedText.replaceAll(entity, character),
    text
  )

/** Returns the text of a value that is serialized eagerly; undefined if the value may be long. */
const eagerText = (value: HtmlValue): string | undefined => {
  if (typeof value === "string") return value.length <= eagerLength ? escape(value) : undefined
  if (value === undefined || value === null || value === false) return ""
  if (typeof value === "number") return String(value)
  if (value instanceof Html) {
    const { parts } = value
    return typeof parts === "string" && parts.length <= eagerLength ? parts : undefined
  }
  if (!Array.isArray(value) || value.length > eagerListLength) return undefined
  let text = ""
  for (const item of value as ReadonlyArray<HtmlValue>) {
    const itemText = eagerText(item)
    if (itemText === undefined || text.length > eagerLength) return undefined
    text += itemText
  }
  return text
}

/** Cuts a text into pieces without splitting a surrogate pair. */
function* splitText(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + pieceLength, text.length)
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd8_00 && last <= 0xdb_ff && end < text.length) end--
    yield text.slice(start, end)
    start = end
  }
}

/** Serializes values piece by piece, in order, to any depth. */
export class HtmlPieces {
  readonly #iterators: Array<Iterator<HtmlValue>>

  constructor(values: Iterable<HtmlValue>) {
    this.#iterators = [values[Symbol.iterator]()]
  }

  /** Returns the next piece, which may be empty; undefined at the end. */
  next(): string | undefined {
    const iterator = this.#iterators.at(-1)
    if (iterator === undefined) return undefined
    const { done, value } = iterator.next()
    if (done === true) {
      this.#iterators.pop()
      return ""
    }
    if (typeof value === "string") {
      if (value.length <= pieceLength) return escape(value)
      this.#iterators.push(splitText(value))
      return ""
    }
    if (value === undefined || value === null || value === false) return ""
    if (typeof value === "number") return String(value)
    const parts = value instanceof Html ? value.parts : typeof value === "function" ? [value()] : value
    if (typeof parts === "string") return parts
    this.#iterators.push(parts[Symbol.iterator]())
    return ""
  }
}
