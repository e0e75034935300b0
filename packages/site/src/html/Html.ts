/**
 * HTML as a value of its own, so that no text gets into a page unescaped: what stands in a template is escaped
 * unless it is HTML already.
 *
 * ```ts
 * html`<p class="note">${title}</p>`
 * ```
 *
 * A template may be written on several lines: a line break and what indents the next line are nothing beside a tag
 * or a value, and a space between words.
 *
 * A value of an attribute stands in double quotes, and a URL in one comes from `Urls`: escaping alone does not
 * keep a link from running something.
 *
 * Long HTML is written when its text is needed, piece by piece (`Pieces`): at once by `text`, with rests by `InSlices`.
 * So long texts are not escaped, lists (`each`) are not walked and values that are functions are not called before.
 *
 * Limits: HTML of up to 1,024 characters is written at once; a piece has 16 Ki characters of text that is escaped.
 */

/** Characters of HTML that is written where it is made. */
const shortLength = 1024
/** Items of a list that is written where it is made. */
const shortList = 64
/** Characters of a text that are escaped in one piece. */
const pieceLength = 16 * 1024

/** Text that is HTML: made by `html` of what was escaped, or by `trusted` of what this package wrote itself. */
export class Html {
  #text: string | undefined
  #values: Iterable<Value>

  private constructor(text: string | undefined, values: Iterable<Value>) {
    this.#text = text
    this.#values = values
  }

  static readonly written = (text: string): Html => new Html(text, [])

  static readonly of = (values: Iterable<Value>): Html => new Html(undefined, values)

  /** The whole text, which is written at once if it is not yet written. */
  get text(): string {
    if (this.#text === undefined) {
      let text = ""
      const pieces = new Pieces(this.#values)
      for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) text += piece
      this.#text = text
      this.#values = []
    }
    return this.#text
  }

  /** True if there is no text. Writes no more than the first piece. */
  get isEmpty(): boolean {
    if (this.#text !== undefined) return this.#text === ""
    const pieces = new Pieces(this.#values)
    for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) if (piece !== "") return false
    return true
  }

  /** So many characters of the text, and what else was written with them. */
  beginning(length: number): string {
    if (this.#text !== undefined) return this.#text
    let text = ""
    const pieces = new Pieces(this.#values)
    for (let piece = pieces.next(); piece !== undefined && text.length < length; piece = pieces.next()) text += piece
    return text
  }

  /** The text if it is written; otherwise the values that it is written of. */
  get parts(): string | Iterable<Value> {
    return this.#text ?? this.#values
  }
}

/**
 * Nothing is shown of undefined, null and false; lists are shown one behind the other. A function is called when its
 * HTML is written, once.
 */
export type Value = Html | string | number | false | null | undefined | Iterable<Value> | (() => Value)

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const written = onOneLine(strings)
  return made(written[0]!, values, written)
}

/** HTML of values, with a string behind each of them; without `strings` nothing is between. */
const made = (first: string, values: ReadonlyArray<Value>, strings?: ReadonlyArray<string>): Html => {
  let text = first
  for (let i = 0; i < values.length; i++) {
    const short = shortText(values[i])
    if (short === undefined || text.length > shortLength) return Html.of(between(first, values.map(once), strings))
    text += short
    if (strings !== undefined) text += strings[i + 1]!
  }
  return Html.written(text)
}

const between = (
  first: string,
  values: ReadonlyArray<Value>,
  strings: ReadonlyArray<string> | undefined
): Iterable<Value> => {
  if (strings === undefined) return values
  const all: Array<Value> = [Html.written(first)]
  for (let i = 0; i < values.length; i++) all.push(values[i], Html.written(strings[i + 1]!))
  return all
}

/** A function as one that is called once, however often its HTML is looked at. */
const once = (value: Value): Value => {
  if (typeof value !== "function") return value
  let result: { readonly value: Value } | undefined
  return () => (result ??= { value: value() }).value
}

const known = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

const onOneLine = (strings: TemplateStringsArray): ReadonlyArray<string> => {
  let found = known.get(strings)
  if (found === undefined) {
    found = strings.map((part) =>
      part.replace(/(^|>)?\s*\n\s*(?=(<|$)?)/g, (_, before?: string, after?: string) =>
        before === undefined && after === undefined ? " " : (before ?? "")
      )
    )
    known.set(strings, found)
  }
  return found
}

export const empty = Html.written("")

/** Text that is HTML as it stands. Never of what somebody else wrote. */
export const trusted = (text: string): Html => Html.written(text)

/** Several values as one. */
export const join = (values: ReadonlyArray<Value>): Html => made("", values)

/** HTML of each item of a list. Of a long list an item is drawn when its turn to be written comes. */
export const each = <A>(items: Iterable<A>, draw: (item: A, place: number) => Value): Html =>
  Array.isArray(items) && items.length <= shortList
    ? join((items as ReadonlyArray<A>).map(draw))
    : Html.of({
        *[Symbol.iterator]() {
          let place = 0
          for (const item of items) yield draw(item, place++)
        }
      })

/** HTML as a text, with its tags to be read. */
export const source = (content: Html): Html =>
  each(
    {
      *[Symbol.iterator]() {
        const pieces = new Pieces([content])
        for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) yield piece
      }
    },
    (piece) => piece
  )

/** Attributes in front of `>`: those that are undefined or false are left out, those that are true have no value. */
export const attributes = (all: Readonly<Record<string, string | number | boolean | undefined>>): Html => {
  const values: Array<Value> = []
  let text = ""
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || value === false) continue
    if (value === true) text += ` ${name}`
    else if (typeof value === "number" || value.length <= shortLength) text += ` ${name}="${escape(String(value))}"`
    else {
      values.push(trusted(`${text} ${name}="`), value)
      text = '"'
    }
  }
  return values.length === 0 ? trusted(text) : Html.of([...values, trusted(text)])
}

const special = /[&<>"']/

/** The first is replaced first: the others have its character in them. */
const entities = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"]
] as const

export const escape = (text: string): string =>
  special.test(text)
    ? entities.reduce<string>((left, [character, entity]) => left.replaceAll(character, entity), text)
    : text

/** The text of what was escaped. */
export const unescape = (text: string): string =>
  entities.reduceRight<string>((left, [character, entity]) => left.replaceAll(entity, character), text)

/** The text of a value that is written at once; undefined if it may be long. */
const shortText = (value: Value): string | undefined => {
  if (typeof value === "string") return value.length <= shortLength ? escape(value) : undefined
  if (value === undefined || value === null || value === false) return ""
  if (typeof value === "number") return String(value)
  if (value instanceof Html) {
    const { parts } = value
    return typeof parts === "string" && parts.length <= shortLength ? parts : undefined
  }
  if (!Array.isArray(value) || value.length > shortList) return undefined
  let text = ""
  for (const item of value as ReadonlyArray<Value>) {
    const short = shortText(item)
    if (short === undefined || text.length > shortLength) return undefined
    text += short
  }
  return text
}

/** Parts of a text, none of which ends within a character. */
function* cut(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + pieceLength, text.length)
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd8_00 && last <= 0xdb_ff && end < text.length) end--
    yield text.slice(at, end)
    at = end
  }
}

/** Writes values piece by piece, in their order. Values may nest as deep as they like. */
export class Pieces {
  readonly #open: Array<Iterator<Value>>

  constructor(values: Iterable<Value>) {
    this.#open = [values[Symbol.iterator]()]
  }

  /** The next piece, which is empty where a step wrote nothing; undefined at the end. */
  next(): string | undefined {
    const top = this.#open.at(-1)
    if (top === undefined) return undefined
    const { done, value } = top.next()
    if (done === true) {
      this.#open.pop()
      return ""
    }
    if (typeof value === "string") {
      if (value.length <= pieceLength) return escape(value)
      this.#open.push(cut(value))
      return ""
    }
    if (value === undefined || value === null || value === false) return ""
    if (typeof value === "number") return String(value)
    const parts = value instanceof Html ? value.parts : typeof value === "function" ? [value()] : value
    if (typeof parts === "string") return parts
    this.#open.push(parts[Symbol.iterator]())
    return ""
  }
}
