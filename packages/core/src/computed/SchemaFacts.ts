/**
 * Facts about a schema: constraints and hints other than its type and nested values, such as bounds, allowed values,
 * defaults, examples. Each renderer words the facts itself.
 *
 * Limits: 50 values, 5 examples, 200 characters each.
 */
import * as SpecNumber from "../openapi/SpecNumber.ts"
import { type Fields, fieldsOf, isFields, lineOf, listOf, textOf } from "./SpecParser.ts"
import type { SpecSchema } from "./SpecSchema.ts"

const maxValues = 50
const maxExamples = 5
const maxText = 200

export type FactKind =
  /** Bounds and multiples of a number. */
  | "number"
  /** Bounds of the length in characters. */
  | "characters"
  /** Bounds of the number of items. */
  | "items"
  /** Bounds of the number of properties. */
  | "properties"
  | "pattern"
  | "encoding"
  /** `uniqueItems`: items must not repeat. */
  | "unique"
  /** No additional properties are allowed. */
  | "closed"
  | "values"
  | "default"
  | "example"
  /** `dependentRequired`: if the first property exists, the other properties are required. */
  | "requires"

export interface Fact {
  readonly kind: FactKind
  readonly texts: ReadonlyArray<string>
  /** True if more values exist than `texts` lists. Default: false. */
  readonly isTruncated?: boolean
}

/** Returns a value as JSON on one line, cut to 200 characters. */
export const literalText = (value: unknown): string => lineOf(JSON.stringify(value) ?? "", maxText) || "null"

/**
 * Returns the facts of a schema. `example`: the example of the parameter or property itself, which overrides the
 * examples of its schema.
 */
export const factsOf = ({ fields, partExamples }: SpecSchema, example?: unknown): ReadonlyArray<Fact> => {
  const facts: Array<Fact> = []
  const add = (kind: FactKind, ...texts: ReadonlyArray<string | undefined>) => {
    const nonEmpty = texts.filter((text) => text !== undefined && text !== "") as ReadonlyArray<string>
    if (nonEmpty.length > 0) facts.push({ kind, texts: nonEmpty })
  }
  add("number", range(fields, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), ...multiples(fields))
  add("characters", range(fields, "minLength", "maxLength"))
  add("items", range(fields, "minItems", "maxItems"))
  add("properties", range(fields, "minProperties", "maxProperties"))
  add("pattern", ...toList(fields.pattern).map((pattern) => lineOf(pattern, maxText)))
  add("encoding", lineOf(fields.contentEncoding, 50), lineOf(fields.contentMediaType, 100))
  if (fields.uniqueItems === true) facts.push({ kind: "unique", texts: [] })
  if (fields.additionalProperties === false || fields.unevaluatedProperties === false)
    facts.push({ kind: "closed", texts: [] })
  const values = listOf(fields.enum)
  if (values.length > 0) {
    const texts = values.slice(0, maxValues).map(literalText)
    facts.push({ kind: "values", texts, ...(values.length > maxValues && { isTruncated: true }) })
  }
  if (fields.const !== undefined) facts.push({ kind: "values", texts: [literalText(fields.const)] })
  if (fields.default !== undefined) facts.push({ kind: "default", texts: [literalText(fields.default)] })
  const ownExample = example ?? fields.example
  // The example of one part is an example of the whole schema, unless the example is an object: other parts may require
  // more properties.
  const scalarExamples = partExamples.filter((partExample) => !isFields(partExample))
  const examples =
    ownExample !== undefined ? [ownExample] : fields.examples === undefined ? scalarExamples : listOf(fields.examples)
  if (examples.length > 0) facts.push({ kind: "example", texts: examples.slice(0, maxExamples).map(literalText) })
  for (const [name, requiredNames] of Object.entries(fieldsOf(fields.dependentRequired)).slice(0, maxValues)) {
    add(
      "requires",
      lineOf(name, maxText),
      ...listOf(requiredNames).map((requiredName) => lineOf(requiredName, maxText))
    )
  }
  return facts
}

const toList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const multiples = ({ multipleOf }: Fields): ReadonlyArray<string> =>
  toList(multipleOf).flatMap((value) => {
    const text = SpecNumber.textOf(value)
    return text === undefined ? [] : [`× ${text}`]
  })

/** Formats bounds as `1–5`, `≥ 1`, or `> 0, ≤ 1`. A bound that another bound implies is left out. */
const range = (
  fields: Fields,
  minimumField: string,
  maximumField: string,
  exclusiveMinimumField = "",
  exclusiveMaximumField = ""
): string | undefined => {
  const from = tighterBound(fields, minimumField, exclusiveMinimumField, 1)
  const upperBound = tighterBound(fields, maximumField, exclusiveMaximumField, -1)
  if (from === undefined && upperBound === undefined) return undefined
  if (from !== undefined && upperBound !== undefined && !from.isExclusive && !upperBound.isExclusive) {
    return from.text === upperBound.text ? `= ${from.text}` : `${from.text}–${upperBound.text}`
  }
  return [
    from && `${from.isExclusive ? ">" : "≥"} ${from.text}`,
    upperBound && `${upperBound.isExclusive ? "<" : "≤"} ${upperBound.text}`
  ]
    .filter((text) => text !== undefined)
    .join(", ")
}

interface Bound {
  readonly text: string
  readonly isExclusive: boolean
}

const tighterBound = (fields: Fields, name: string, exclusive: string, sign: 1 | -1): Bound | undefined => {
  const [text, exclusiveText] = [SpecNumber.textOf(fields[name]), SpecNumber.textOf(fields[exclusive])]
  if (exclusiveText === undefined) return text === undefined ? undefined : { text, isExclusive: false }
  const isImplied = text !== undefined && SpecNumber.furthest(fields[exclusive], fields[name], sign) === fields[name]
  return isImplied && Number(text) !== Number(exclusiveText)
    ? { text, isExclusive: false }
    : { text: exclusiveText, isExclusive: true }
}

/**
 * An example of a parameter, a header or a body: an entry of `examples` with its name, or `example` without such
 * entries.
 */
export interface NamedExample {
  readonly name: string
  readonly summary: string
  readonly description: unknown
  readonly value: unknown
  /** URL of an external value; empty if the value is inline. */
  readonly external: string
}

const maxNamed = 20

export const namedExamples = (
  { examples, example }: Fields,
  resolve: (value: unknown) => Fields | undefined
): ReadonlyArray<NamedExample> => {
  const listedExamples = Object.entries(isFields(examples) ? examples : {})
    .slice(0, maxNamed)
    .flatMap(([name, value]): ReadonlyArray<NamedExample> => {
      const resolved = resolve(value)
      if (resolved === undefined) return []
      const external = lineOf(resolved.externalValue, 500)
      const exampleValue = resolved.value ?? resolved.dataValue ?? resolved.serializedValue
      if (exampleValue === undefined && external === "") return []
      return [
        {
          name: lineOf(name, 60) || "1",
          summary: lineOf(resolved.summary, 100),
          description: resolved.description,
          value: exampleValue,
          external
        }
      ]
    })
  if (listedExamples.length > 0 || example === undefined) return listedExamples
  return [{ name: "", summary: "", description: undefined, value: example, external: "" }]
}

/** Returns the encoding of a form property: its content type and its style. */
export const encodingOf = (encoding: unknown): string =>
  isFields(encoding)
    ? [lineOf(encoding.contentType, 100), textOf(encoding.style) && lineOf(encoding.style, 30)]
        .filter(Boolean)
        .join(", ")
    : ""
