/**
 * Schemas as fields that unfold. One that is within itself is named and not unfolded again.
 *
 * Limits: 8 levels, 200 properties or alternatives of one schema, and those of `Budget`.
 */
import * as SchemaRows from "@lectern/core/computed/SchemaRows"
import { type Fields, fieldsOf, isFields, lineOf, listOf, schemaName, textOf } from "@lectern/core/computed/SpecReading"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import { described, type Drawing } from "./Drawing.ts"

const maxDepth = 8
const maxParts = 200
const maxMerged = 50

/** The way that values go: what is read only is not sent, what is written only does not come back. */
export type Way = "sent" | "answered" | "either"

interface Place {
  readonly way: Way
  /** The schemas around it. */
  readonly above: ReadonlyArray<Fields>
}

/** Everything of a schema below its own name. */
export const schema = (drawing: Drawing, value: unknown, way: Way): Html => inside(drawing, value, { way, above: [] })

const inside = (drawing: Drawing, value: unknown, place: Place): Html => {
  const { spec, words, budget } = drawing
  const found = spec.resolve(value)
  if (found === undefined || !budget.takeSchema()) return empty
  if (place.above.includes(found)) return html`<p class="api-note">${nameOf(value)} ${words.asAbove}</p>`
  if (place.above.length >= maxDepth) return empty
  const within: Place = { ...place, above: [...place.above, found] }
  const merged = merge(drawing, found, [])
  const fields = properties(drawing, merged, within)
  const alternatives = (["oneOf", "anyOf"] as const).flatMap((key) =>
    merged[key].length === 0
      ? []
      : [
          html`<div class="api-options"><p class="api-note">${words[key]}</p>${merged[key].slice(0, maxParts).map((one) => option(drawing, one, within))}</div>`
        ]
  )
  const items = merged.items === undefined ? empty : inside(drawing, merged.items, within)
  return html`${fields}${alternatives}${items}`
}

interface Merged {
  readonly properties: Map<string, unknown>
  readonly required: Set<string>
  readonly additional: unknown
  readonly items: unknown
  readonly oneOf: ReadonlyArray<unknown>
  readonly anyOf: ReadonlyArray<unknown>
}

/** A schema with all that it is at once (`allOf`). */
const merge = (drawing: Drawing, found: Fields, above: ReadonlyArray<Fields>): Merged => {
  const parts = listOf(found.allOf)
    .slice(0, maxMerged)
    .flatMap((part): ReadonlyArray<Merged> => {
      const resolved = drawing.spec.resolve(part)
      if (resolved === undefined || above.includes(resolved) || above.length >= maxDepth) return []
      if (!drawing.budget.takeSchema()) return []
      return [merge(drawing, resolved, [...above, found])]
    })
  return {
    properties: new Map([
      ...parts.flatMap((part) => [...part.properties]),
      ...Object.entries(fieldsOf(found.properties))
    ]),
    required: new Set([...parts.flatMap((part) => [...part.required]), ...listOf(found.required).map(textOf)]),
    additional: found.additionalProperties ?? parts.find(({ additional }) => additional !== undefined)?.additional,
    items: found.items ?? parts.find(({ items }) => items !== undefined)?.items,
    oneOf: [...listOf(found.oneOf), ...parts.flatMap(({ oneOf }) => oneOf)],
    anyOf: [...listOf(found.anyOf), ...parts.flatMap(({ anyOf }) => anyOf)]
  }
}

const properties = (drawing: Drawing, { properties, required, additional }: Merged, place: Place): Html => {
  const { words } = drawing
  const all = [...properties].slice(0, maxParts)
  const rows = all.map(([name, value]) => field(drawing, { name, value, isRequired: required.has(name) }, place))
  const others =
    isFields(additional) && Object.keys(additional).length > 0
      ? field(drawing, { name: `{${words.anyProperty}}`, value: additional, isRequired: false }, place)
      : undefined
  if (rows.length === 0 && others === undefined) return empty
  const rest = properties.size > all.length && html`<p class="api-note">${words.more}</p>`
  return html`<ul class="api-fields">${rows}${others}</ul>${rest}`
}

const option = (drawing: Drawing, value: unknown, place: Place): Html => {
  const found = drawing.spec.resolve(value)
  const title = nameOf(value) || lineOf(found?.title, 100) || SchemaRows.typeOf(drawing.spec, value)
  const content = html`${described(drawing, found?.description)}${facts(drawing, found ?? {})}${inside(drawing, value, place)}`
  return content.isEmpty
    ? html`<p class="api-option"><code>${title}</code></p>`
    : html`<details class="api-option"><summary><code>${title}</code></summary><div>${content}</div></details>`
}

interface Field {
  readonly name: string
  readonly value: unknown
  readonly isRequired: boolean
  /** Of a parameter; else that of its schema. */
  readonly description?: unknown
  readonly isDeprecated?: boolean
  readonly example?: unknown
}

/** A property or parameter, with all that is below it folded. */
export const field = (drawing: Drawing, { name, value, ...more }: Field, place: Place): Html => {
  const { spec, words } = drawing
  const found = spec.resolve(value) ?? {}
  if (place.way === "sent" && found.readOnly === true) return empty
  if (place.way === "answered" && found.writeOnly === true) return empty
  const signs = [
    more.isRequired && html`<span class="api-required">${words.required}</span>`,
    (more.isDeprecated === true || found.deprecated === true) &&
      html`<span class="api-sign">${words.deprecated}</span>`,
    place.way === "either" && found.readOnly === true && html`<span class="api-sign">${words.readOnly}</span>`,
    place.way === "either" && found.writeOnly === true && html`<span class="api-sign">${words.writeOnly}</span>`
  ]
  const shownName = nameOf(value) || nameOf(found.items)
  const isAround = place.above.includes(spec.resolve(found.items) ?? found)
  const below = isAround ? empty : inside(drawing, value, place)
  const label =
    shownName ||
    (listOf(found.oneOf).length > 0 ? words.oneOf : listOf(found.anyOf).length > 0 ? words.anyOf : words.properties)
  const about = described(
    drawing,
    more.description ?? (isFields(value) ? value.description : undefined) ?? found.description
  )
  const example = more.example ?? found.example ?? listOf(found.examples)[0]
  return html`<li${attributes({ class: (more.isDeprecated === true || found.deprecated === true) && "deprecated" })}><div class="api-name"><code>${lineOf(name, 200) || '""'}</code> <span class="api-type">${SchemaRows.typeOf(spec, value)}</span>${signs}${isAround && html`<span class="api-type">${words.asAbove}</span>`}</div>${about}${facts(drawing, found, example)}${
    !below.isEmpty && html`<details class="api-below"><summary>${label}</summary><div>${below}</div></details>`
  }</li>`
}

/** Facts of a value: its bounds, values that it may have, and an example. */
export const facts = ({ words }: Drawing, found: Fields, example?: unknown): Html => {
  const values = listOf(found.enum)
  const bounds = [
    between(found.minimum, found.maximum, ""),
    between(found.minLength, found.maxLength, ` ${words.characters}`),
    between(found.minItems, found.maxItems, ` ${words.items}`),
    typeof found.multipleOf === "number" && `× ${found.multipleOf}`,
    typeof found.pattern === "string" && lineOf(found.pattern, 200)
  ].filter((bound) => typeof bound === "string")
  const literals = (all: ReadonlyArray<unknown>) =>
    all.slice(0, 50).map((value, i) => html`${i > 0 && " "}<code>${SchemaRows.literal(value)}</code>`)
  return html`${bounds.length > 0 && html`<p class="api-fact">${bounds.map((bound, i) => html`${i > 0 && " "}<code>${bound}</code>`)}</p>`}${
    values.length > 0 && html`<p class="api-fact">${words.values}: ${literals(values)}${values.length > 50 && " …"}</p>`
  }${found.const !== undefined && html`<p class="api-fact">${words.values}: ${literals([found.const])}</p>`}${
    found.default !== undefined && html`<p class="api-fact">${words.default}: ${literals([found.default])}</p>`
  }${example !== undefined && html`<p class="api-fact">${words.example}: ${literals([example])}</p>`}`
}

const between = (least: unknown, most: unknown, of: string): string | undefined => {
  const [from, to] = [least, most].map((bound) => (typeof bound === "number" ? String(bound) : undefined))
  if (from === undefined && to === undefined) return undefined
  if (from === undefined) return `≤ ${to}${of}`
  return to === undefined ? `≥ ${from}${of}` : `${from}–${to}${of}`
}

export const nameOf = (value: unknown): string => lineOf(schemaName(value), 200)
