/**
 * Renders schemas as collapsible fields. A recursive schema is named, but not expanded again. Fields and alternatives
 * are rendered lazily, so a large schema does not block other work.
 *
 * Limits: 12 levels of objects, 200 properties or alternatives per schema, and the limits of `Budget`.
 */
import * as SchemaFacts from "@lectern/core/computed/SchemaFacts"
import * as SchemaRows from "@lectern/core/computed/SchemaRows"
import * as SchemaTypes from "@lectern/core/computed/SchemaTypes"
import { fieldsOf, isFields, lineOf, listOf, textOf } from "@lectern/core/computed/SpecReading"
import { type Condition, isRequired, type Option, type SpecSchema } from "@lectern/core/computed/SpecSchema"
import { attributes, empty, type Html, html, join, lazy } from "../html/Html.ts"
import { described, type Drawing } from "./ApiRenderContext.ts"

const maxDepth = 12
const maxParts = 200

/** Direction of values. `sent` omits read-only properties, and `answered` omits write-only properties. */
export type Way = "sent" | "answered" | "either"

interface Place {
  readonly way: Way
  /** Enclosing schemas, by their keys. */
  readonly above: ReadonlyArray<object>
  /** Number of enclosing schemas. The items of an array are on the level of the array. */
  readonly depth: number
}

/** Returns the position of a schema without enclosing schemas. */
export const outermost = (way: Way): Place => ({ way, above: [], depth: 0 })

/** Renders the content of a schema without the schema's name. */
export const schema = (drawing: Drawing, value: unknown, way: Way): Html => inside(drawing, value, outermost(way))

const inside = (drawing: Drawing, value: unknown, place: Place): Html => {
  const { reader, words, budget } = drawing
  if (!isFields(value) || !budget.takeSchema()) return empty
  const found = reader.of(value)
  if (place.above.includes(found.key)) return html`<p class="api-note">${nameOf(drawing, value)} ${words.asAbove}</p>`
  if (place.depth >= maxDepth) return empty
  const within: Place = { ...place, above: [...place.above, found.key], depth: place.depth + 1 }
  const { fields } = found
  const alternatives = found.choices.map(
    ({ keyword, options }) =>
      html`<div class="api-options"><p class="api-note">${words[keyword]}</p>${options.slice(0, maxParts).map((one) => option(drawing, one, within))}</div>`
  )
  const items = fields.items === undefined ? empty : inside(drawing, fields.items, { ...within, depth: place.depth })
  return html`${properties(drawing, found, within)}${alternatives}${places(drawing, found, within)}${items}${more(drawing, found, within)}`
}

const properties = (drawing: Drawing, found: SpecSchema, place: Place): Html => {
  const { words } = drawing
  const { fields } = found
  const all = Object.entries(fieldsOf(fields.properties))
  const rows = all
    .slice(0, maxParts)
    .map(([name, value]) => field(drawing, { name, value, isRequired: isRequired(found, name) }, place))
  const byPattern = Object.entries(fieldsOf(fields.patternProperties))
    .slice(0, maxParts)
    .map(([pattern, value]) => field(drawing, { name: `/${pattern}/`, value, isRequired: false }, place))
  const others = [fields.additionalProperties, fields.unevaluatedProperties].map(
    (value) =>
      isFields(value) &&
      Object.keys(value).length > 0 &&
      field(drawing, { name: `{${words.anyProperty}}`, value, isRequired: false }, place)
  )
  const names =
    isFields(fields.propertyNames) &&
    field(drawing, { name: words.names, value: fields.propertyNames, isRequired: false }, place)
  const list = join([...rows, ...byPattern, ...others, names])
  if (list.isEmpty) return empty
  const rest = all.length > maxParts && html`<p class="api-note">${words.more}</p>`
  return html`<ul class="api-fields">${list}</ul>${rest}`
}

/** Renders the schemas of items at fixed positions, and the schema of the item that the array must contain. */
const places = (drawing: Drawing, { fields }: SpecSchema, place: Place): Html => {
  const rows = listOf(fields.prefixItems)
    .slice(0, maxParts)
    .map((value, i) => field(drawing, { name: `[${i}]`, value, isRequired: false }, place))
  const contained =
    isFields(fields.contains) &&
    field(drawing, { name: drawing.words.contains, value: fields.contains, isRequired: false }, place)
  return rows.length === 0 && contained === false ? empty : html`<ul class="api-fields">${join(rows)}${contained}</ul>`
}

/** Renders excluded schemas, and schemas that apply only under a condition. */
const more = (drawing: Drawing, { fields, conditions, excluded }: SpecSchema, place: Place): Html => {
  const { words } = drawing
  const part = (title: string, value: unknown) =>
    isFields(value) && html`<li><div class="api-name"><code>${title}</code></div>${whole(drawing, value, place)}</li>`
  const rows = [
    ...excluded.slice(0, maxParts).map((value) => part(words.not, value)),
    ...conditions
      .slice(0, maxParts)
      .flatMap((condition: Condition) =>
        (["test", "met", "unmet"] as const).map((name) => part(words.condition[name], condition[name]))
      ),
    ...Object.entries(fieldsOf(fields.dependentSchemas))
      .slice(0, maxParts)
      .map(([name, value]) => part(`${words.condition.test} ${lineOf(name, 200)}`, value))
  ].filter((row) => row !== false)
  return rows.length === 0 ? empty : html`<ul class="api-fields">${rows}</ul>`
}

/** Renders a schema without a name: its type, its facts without examples (which follow below), and its parts. */
export const whole = (drawing: Drawing, value: unknown, place: Place): Html =>
  lazy(() => {
    const found = drawing.reader.of(value)
    return html`<p class="api-note"><code>${SchemaTypes.typeText(drawing.reader, value)}</code></p>${described(drawing, found.fields.description)}${facts(drawing, found, [], false)}${inside(drawing, value, place)}`
  })

const option = (drawing: Drawing, one: Option, place: Place): Html => lazy(() => optionNow(drawing, one, place))

const optionNow = (drawing: Drawing, { schema: value, kind }: Option, place: Place): Html => {
  const found = drawing.reader.of(value)
  const title = nameOf(drawing, value) || lineOf(found.fields.title, 100) || SchemaTypes.typeText(drawing.reader, value)
  const named = kind?.values.map(
    (one) => html` <code>${lineOf(kind.property, 100)}: ${SchemaFacts.literalText(one)}</code>`
  )
  const content = html`${described(drawing, found.fields.description)}${facts(drawing, found)}${inside(drawing, value, place)}`
  return content.isEmpty
    ? html`<p class="api-option"><code>${title}</code>${named}</p>`
    : html`<details class="api-option"><summary><code>${title}</code>${named}</summary><div>${content}</div></details>`
}

interface Field {
  readonly name: string
  readonly value: unknown
  readonly isRequired: boolean
  /** Description of a parameter, shown before that of its schema. Default: none. */
  readonly description?: unknown
  readonly isDeprecated?: boolean
  readonly examples?: ReadonlyArray<SchemaFacts.NamedExample>
}

/** Renders a property or parameter, with its content collapsed. */
export const field = (drawing: Drawing, one: Field, place: Place): Html => lazy(() => fieldNow(drawing, one, place))

const fieldNow = (drawing: Drawing, { name, value, ...beside }: Field, place: Place): Html => {
  const { reader, words } = drawing
  const found = reader.of(value)
  const { fields } = found
  const texts = new Set([beside.description, fields.description].map((text) => textOf(text).trim()))
  if (place.way === "sent" && fields.readOnly === true) return empty
  if (place.way === "answered" && fields.writeOnly === true) return empty
  const isDeprecated = beside.isDeprecated === true || fields.deprecated === true
  const signs = [
    beside.isRequired && html`<span class="api-required">${words.required}</span>`,
    isDeprecated && html`<span class="api-sign">${words.deprecated}</span>`,
    fields.readOnly === true && html`<span class="api-sign">${words.readOnly}</span>`,
    fields.writeOnly === true && html`<span class="api-sign">${words.writeOnly}</span>`
  ]
  const shownName = nameOf(drawing, value) || nameOf(drawing, fields.items)
  const isAround = place.above.includes(isFields(fields.items) ? reader.of(fields.items).key : found.key)
  const below = isAround ? empty : inside(drawing, value, place)
  const label = shownName || (found.choices[0] !== undefined ? words[found.choices[0].keyword] : words.properties)
  return html`<li${attributes({ class: isDeprecated && "deprecated" })}><div class="api-name"><code>${lineOf(name, 200) || '""'}</code> <span class="api-type">${SchemaTypes.typeText(reader, value)}</span>${signs}${isAround && html`<span class="api-type">${words.asAbove}</span>`}</div>${Array.from(texts, (text) => described(drawing, text))}${facts(drawing, found, beside.examples)}${
    !below.isEmpty && html`<details class="api-below"><summary>${label}</summary><div>${below}</div></details>`
  }</li>`
}

/** Renders the facts of a value and of the items of an array: bounds, allowed values and examples. */
export const facts = (
  drawing: Drawing,
  found: SpecSchema,
  examples: ReadonlyArray<SchemaFacts.NamedExample> = [],
  hasExample = true
): Html => {
  const { words, reader } = drawing
  const own = SchemaFacts.factsOf(found).filter(
    ({ kind }) => kind !== "example" || (hasExample && examples.length === 0)
  )
  const items = Array.from(SchemaRows.itemsOf(reader, found), ([one, depth]) => {
    const before = `${words.items}${"[]".repeat(depth - 1)} · `
    return html`${described(drawing, one.fields.description)}${factLines(drawing, SchemaFacts.factsOf(one), before)}`
  })
  return html`${factLines(drawing, own, "")}${items}${examples.map((example) => named(drawing, example))}`
}

/** Renders an example of a parameter or header, with its name. */
const named = (drawing: Drawing, { name, summary, description, value, external }: SchemaFacts.NamedExample): Html => {
  const title = [name, summary].filter(Boolean).join(": ")
  const shown = value === undefined ? external : SchemaFacts.literalText(value)
  return html`<p class="api-fact">${drawing.words.example}${title !== "" && ` (${title})`}: <code>${shown}</code></p>${described(drawing, description)}`
}

const units: ReadonlySet<string> = new Set(["characters", "items", "properties"])

const factLines = ({ words }: Drawing, all: ReadonlyArray<SchemaFacts.Fact>, before: string): Html => {
  const codes = (texts: ReadonlyArray<string>, ending = "") =>
    texts.map((text, i) => html`${i > 0 && " "}<code>${text}${ending}</code>`)
  // Numeric bounds, lengths and patterns are rendered together on one line.
  const isBound = ({ kind }: SchemaFacts.Fact) => kind === "number" || kind === "pattern" || units.has(kind)
  const bounds = all.filter(isBound)
  const others = all.filter((fact) => !isBound(fact))
  const unitOf = (kind: SchemaFacts.FactKind) =>
    kind === "characters" || kind === "items"
      ? ` ${words[kind]}`
      : kind === "properties"
        ? ` ${words.propertyCount}`
        : ""
  const label = (kind: SchemaFacts.FactKind) =>
    kind === "values" || kind === "default" || kind === "example" ? `${words[kind]}: ` : ""
  return html`${
    bounds.length > 0 &&
    html`<p class="api-fact">${before}${bounds.map(({ kind, texts }, i) => html`${i > 0 && " "}${codes(texts, unitOf(kind))}`)}</p>`
  }${others.map(({ kind, texts, isCut }) => {
    if (kind === "unique" || kind === "closed") return html`<p class="api-fact">${before}${words[kind]}</p>`
    if (kind === "requires") {
      return html`<p class="api-fact">${before}${codes(texts.slice(0, 1))} ${words.requires} ${codes(texts.slice(1))}</p>`
    }
    return html`<p class="api-fact">${before}${label(kind)}${codes(texts)}${isCut === true && " …"}</p>`
  })}`
}

export const nameOf = ({ reader }: Drawing, value: unknown): string => lineOf(reader.nameOf(value), 200)
