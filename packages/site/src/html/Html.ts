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
 */

/** Text that is HTML: made by `html` of what was escaped, or by `trusted` of what this package wrote itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Nothing is shown of undefined, null and false; lists are shown one behind the other. */
export type Value = Html | string | number | false | null | undefined | ReadonlyArray<Value>

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const written = onOneLine(strings)
  let text = written[0]!
  for (let i = 0; i < values.length; i++) text += textOf(values[i]) + written[i + 1]!
  return new Html(text)
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

export const empty = new Html("")

/** Text that is HTML as it stands. Never of what somebody else wrote. */
export const trusted = (text: string): Html => new Html(text)

/** Several values as one. */
export const join = (values: ReadonlyArray<Value>): Html => new Html(textOf(values))

/** Attributes in front of `>`: those that are undefined or false are left out, those that are true have no value. */
export const attributes = (all: Readonly<Record<string, string | number | boolean | undefined>>): Html => {
  let text = ""
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${escape(String(value))}"`
  }
  return new Html(text)
}

const special = /[&<>"']/

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escape = (text: string): string =>
  special.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character]!) : text

/** The text of what was escaped. */
export const unescape = (text: string): string =>
  Object.entries(entities).reduceRight((left, [character, entity]) => left.replaceAll(entity, character), text)

const textOf = (value: Value): string => {
  if (typeof value === "string") return escape(value)
  if (value === undefined || value === null || value === false) return ""
  if (typeof value === "number") return String(value)
  if (value instanceof Html) return value.text
  let text = ""
  for (const item of value) text += textOf(item)
  return text
}
