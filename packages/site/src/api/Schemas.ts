/**
 * Renders schemas as collapsible fields. A recursive schema is named, but not expanded again. Fields and alternatives
 * are rendered lazily, so a large schema does not block other work.
 *
 * Limits: 12 levels of objects, 200 properties or alternatives per schema, and the limits of `Budget`.
 */
import * as SchemaFacts from "@lectern/core/computed/SchemaFacts"
import * as SchemaRows from "@lectern/core/computed/SchemaRows"
import * as SchemaTypes from "@lectern/core/computed/SchemaTypes"
import { fieldsOf, isFields, lineOf, listOf, textOf } from "@lectern/core/computed/SpecParser"
import { type Condition, isRequired, type Option, type SpecSchema } from "@lectern/core/computed/SpecSchema"
import { attributes, empty, type Html, html, join, lazy } from "../html/Html.ts"
import { renderDescription, type ApiRenderContext } from "./ApiRenderContext.ts"

const maxDepth = 12
const maxParts = 200

/** Direction of values. `request` omits read-only properties, and `response` omits write-only properties. */
export type Direction = "request" | "response" | "either"

interface SchemaPosition {
  readonly direction: Direction
  /** Enclosing schemas, by their keys. */
  readonly ancestors: ReadonlyArray<object>
  /** Number of enclosing schemas. The items of an array are on the level of the array. */
  readonly depth: number
}

/** Returns the position of a schema without enclosing schemas. */
export const rootPosition = (direction: Direction): SchemaPosition => ({ direction, ancestors: [], depth: 0 })

/** Renders the content of a schema without the schema's name. */
export const renderSchema = (context: ApiRenderContext, value: unknown, direction: Direction): Html =>
  renderChildren(context, value, rootPosition(direction))

const renderChildren = (context: ApiRenderContext, value: unknown, position: SchemaPosition): Html => {
  const { reader, messages, budget } = context
  if (!isFields(value) || !budget.takeSchema()) return empty
  const specSchema = reader.resolve(value)
  if (position.ancestors.includes(specSchema.key))
    return html`<p class="api-note">${schemaName(context, value)} ${messages.asAbove}</p>`
  if (position.depth >= maxDepth) return empty
  const innerPosition: SchemaPosition = {
    ...position,
    ancestors: [...position.ancestors, specSchema.key],
    depth: position.depth + 1
  }
  const { fields } = specSchema
  const alternatives = specSchema.choices.map(
    ({ keyword, options }) =>
      html`<div class="api-options"><p class="api-note">${messages[keyword]}</p>${options.slice(0, maxParts).map((choice) => renderOption(context, choice, innerPosition))}</div>`
  )
  const items =
    fields.items === undefined
      ? empty
      : renderChildren(context, fields.items, { ...innerPosition, depth: position.depth })
  return html`${renderProperties(context, specSchema, innerPosition)}${alternatives}${renderTupleItems(context, specSchema, innerPosition)}${items}${renderConditions(context, specSchema, innerPosition)}`
}

const renderProperties = (context: ApiRenderContext, specSchema: SpecSchema, position: SchemaPosition): Html => {
  const { messages } = context
  const { fields } = specSchema
  const all = Object.entries(fieldsOf(fields.properties))
  const rows = all
    .slice(0, maxParts)
    .map(([name, value]) => renderField(context, { name, value, isRequired: isRequired(specSchema, name) }, position))
  const patternRows = Object.entries(fieldsOf(fields.patternProperties))
    .slice(0, maxParts)
    .map(([pattern, value]) => renderField(context, { name: `/${pattern}/`, value, isRequired: false }, position))
  const additionalRows = [fields.additionalProperties, fields.unevaluatedProperties].map(
    (value) =>
      isFields(value) &&
      Object.keys(value).length > 0 &&
      renderField(context, { name: `{${messages.anyProperty}}`, value, isRequired: false }, position)
  )
  const names =
    isFields(fields.propertyNames) &&
    renderField(context, { name: messages.names, value: fields.propertyNames, isRequired: false }, position)
  const list = join([...rows, ...patternRows, ...additionalRows, names])
  if (list.isEmpty) return empty
  const omittedNote = all.length > maxParts && html`<p class="api-note">${messages.more}</p>`
  return html`<ul class="api-fields">${list}</ul>${omittedNote}`
}

/** Renders the schemas of items at fixed positions, and the schema of the item that the array must contain. */
const renderTupleItems = (context: ApiRenderContext, { fields }: SpecSchema, position: SchemaPosition): Html => {
  const rows = listOf(fields.prefixItems)
    .slice(0, maxParts)
    .map((value, i) => renderField(context, { name: `[${i}]`, value, isRequired: false }, position))
  const containedItem =
    isFields(fields.contains) &&
    renderField(context, { name: context.messages.contains, value: fields.contains, isRequired: false }, position)
  return rows.length === 0 && containedItem === false
    ? empty
    : html`<ul class="api-fields">${join(rows)}${containedItem}</ul>`
}

/** Renders excluded schemas, and schemas that apply only under a condition. */
const renderConditions = (
  context: ApiRenderContext,
  { fields, conditions, excluded }: SpecSchema,
  position: SchemaPosition
): Html => {
  const { messages } = context
  const part = (title: string, value: unknown) =>
    isFields(value) &&
    html`<li><div class="api-name"><code>${title}</code></div>${renderWholeSchema(context, value, position)}</li>`
  const rows = [
    ...excluded.slice(0, maxParts).map((value) => part(messages.not, value)),
    ...conditions
      .slice(0, maxParts)
      .flatMap((condition: Condition) => [
        part(messages.condition.test, condition.test),
        part(messages.condition.met, condition.thenSchema),
        part(messages.condition.unmet, condition.elseSchema)
      ]),
    ...Object.entries(fieldsOf(fields.dependentSchemas))
      .slice(0, maxParts)
      .map(([name, value]) => part(`${messages.condition.test} ${lineOf(name, 200)}`, value))
  ].filter((row) => row !== false)
  return rows.length === 0 ? empty : html`<ul class="api-fields">${rows}</ul>`
}

/** Renders a schema without a name: its type, its constraints and its parts. Examples follow separately. */
export const renderWholeSchema = (context: ApiRenderContext, value: unknown, position: SchemaPosition): Html =>
  lazy(() => {
    const specSchema = context.reader.resolve(value)
    return html`<p class="api-note"><code>${SchemaTypes.typeText(context.reader, value)}</code></p>${renderDescription(context, specSchema.fields.description)}${renderFacts(context, specSchema, [], false)}${renderChildren(context, value, position)}`
  })

const renderOption = (context: ApiRenderContext, choice: Option, position: SchemaPosition): Html =>
  lazy(() => renderOptionEagerly(context, choice, position))

const renderOptionEagerly = (
  context: ApiRenderContext,
  { schema: value, kind }: Option,
  position: SchemaPosition
): Html => {
  const specSchema = context.reader.resolve(value)
  const title =
    schemaName(context, value) || lineOf(specSchema.fields.title, 100) || SchemaTypes.typeText(context.reader, value)
  const discriminatorValues = kind?.values.map(
    (literal) => html` <code>${lineOf(kind.property, 100)}: ${SchemaFacts.literalText(literal)}</code>`
  )
  const content = html`${renderDescription(context, specSchema.fields.description)}${renderFacts(context, specSchema)}${renderChildren(context, value, position)}`
  return content.isEmpty
    ? html`<p class="api-option"><code>${title}</code>${discriminatorValues}</p>`
    : html`<details class="api-option"><summary><code>${title}</code>${discriminatorValues}</summary><div>${content}</div></details>`
}

interface FieldInput {
  readonly name: string
  readonly value: unknown
  readonly isRequired: boolean
  /** Description of a parameter, shown before the description of its schema. Default: none. */
  readonly description?: unknown
  readonly isDeprecated?: boolean
  readonly examples?: ReadonlyArray<SchemaFacts.NamedExample>
}

/** Renders a property or parameter, with its content collapsed. */
export const renderField = (context: ApiRenderContext, input: FieldInput, position: SchemaPosition): Html =>
  lazy(() => renderFieldEagerly(context, input, position))

const renderFieldEagerly = (
  context: ApiRenderContext,
  { name, value, ...details }: FieldInput,
  position: SchemaPosition
): Html => {
  const { reader, messages } = context
  const specSchema = reader.resolve(value)
  const { fields } = specSchema
  const descriptions = new Set([details.description, fields.description].map((text) => textOf(text).trim()))
  if (position.direction === "request" && fields.readOnly === true) return empty
  if (position.direction === "response" && fields.writeOnly === true) return empty
  const isDeprecated = details.isDeprecated === true || fields.deprecated === true
  const badges = [
    details.isRequired && html`<span class="api-required">${messages.required}</span>`,
    isDeprecated && html`<span class="api-sign">${messages.deprecated}</span>`,
    fields.readOnly === true && html`<span class="api-sign">${messages.readOnly}</span>`,
    fields.writeOnly === true && html`<span class="api-sign">${messages.writeOnly}</span>`
  ]
  const typeName = schemaName(context, value) || schemaName(context, fields.items)
  const isRecursive = position.ancestors.includes(
    isFields(fields.items) ? reader.resolve(fields.items).key : specSchema.key
  )
  const children = isRecursive ? empty : renderChildren(context, value, position)
  const label =
    typeName || (specSchema.choices[0] !== undefined ? messages[specSchema.choices[0].keyword] : messages.properties)
  return html`<li${attributes({ class: isDeprecated && "deprecated" })}><div class="api-name"><code>${lineOf(name, 200) || '""'}</code> <span class="api-type">${SchemaTypes.typeText(reader, value)}</span>${badges}${isRecursive && html`<span class="api-type">${messages.asAbove}</span>`}</div>${Array.from(descriptions, (text) => renderDescription(context, text))}${renderFacts(context, specSchema, details.examples)}${
    !children.isEmpty && html`<details class="api-below"><summary>${label}</summary><div>${children}</div></details>`
  }</li>`
}

/** Renders constraints and examples of a value and of the items of an array: bounds, allowed values, examples. */
export const renderFacts = (
  context: ApiRenderContext,
  specSchema: SpecSchema,
  examples: ReadonlyArray<SchemaFacts.NamedExample> = [],
  hasExample = true
): Html => {
  const { messages, reader } = context
  const ownFacts = SchemaFacts.factsOf(specSchema).filter(
    ({ kind }) => kind !== "example" || (hasExample && examples.length === 0)
  )
  const items = Array.from(SchemaRows.itemsOf(reader, specSchema), ([itemSchema, depth]) => {
    const prefix = `${messages.items}${"[]".repeat(depth - 1)} · `
    return html`${renderDescription(context, itemSchema.fields.description)}${renderFactLines(context, SchemaFacts.factsOf(itemSchema), prefix)}`
  })
  return html`${renderFactLines(context, ownFacts, "")}${items}${examples.map((example) => renderExample(context, example))}`
}

/** Renders an example of a parameter or header, with its name. */
const renderExample = (
  context: ApiRenderContext,
  { name, summary, description, value, external }: SchemaFacts.NamedExample
): Html => {
  const title = [name, summary].filter(Boolean).join(": ")
  const displayedValue = value === undefined ? external : SchemaFacts.literalText(value)
  return html`<p class="api-fact">${context.messages.example}${title !== "" && ` (${title})`}: <code>${displayedValue}</code></p>${renderDescription(context, description)}`
}

const units: ReadonlySet<string> = new Set(["characters", "items", "properties"])

const renderFactLines = (
  { messages }: ApiRenderContext,
  all: ReadonlyArray<SchemaFacts.Fact>,
  prefix: string
): Html => {
  const codes = (texts: ReadonlyArray<string>, ending = "") =>
    texts.map((text, i) => html`${i > 0 && " "}<code>${text}${ending}</code>`)
  // Numeric bounds, lengths and patterns are rendered together on one line.
  const isBound = ({ kind }: SchemaFacts.Fact) => kind === "number" || kind === "pattern" || units.has(kind)
  const bounds = all.filter(isBound)
  const otherFacts = all.filter((fact) => !isBound(fact))
  const unitOf = (kind: SchemaFacts.FactKind) =>
    kind === "characters" || kind === "items"
      ? ` ${messages[kind]}`
      : kind === "properties"
        ? ` ${messages.propertyCount}`
        : ""
  const label = (kind: SchemaFacts.FactKind) =>
    kind === "values" || kind === "default" || kind === "example" ? `${messages[kind]}: ` : ""
  return html`${
    bounds.length > 0 &&
    html`<p class="api-fact">${prefix}${bounds.map(({ kind, texts }, i) => html`${i > 0 && " "}${codes(texts, unitOf(kind))}`)}</p>`
  }${otherFacts.map(({ kind, texts, isTruncated }) => {
    if (kind === "unique" || kind === "closed") return html`<p class="api-fact">${prefix}${messages[kind]}</p>`
    if (kind === "requires") {
      return html`<p class="api-fact">${prefix}${codes(texts.slice(0, 1))} ${messages.requires} ${codes(texts.slice(1))}</p>`
    }
    return html`<p class="api-fact">${prefix}${label(kind)}${codes(texts)}${isTruncated === true && " …"}</p>`
  })}`
}

export const schemaName = ({ reader }: ApiRenderContext, value: unknown): string => lineOf(reader.nameOf(value), 200)
