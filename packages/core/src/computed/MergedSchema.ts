/**
 * Merges the keywords of two schemas that both apply to a value. A spec may contradict itself: if types or values have
 * no overlap, all of them are listed. For keywords without a merge rule, the first schema's value wins.
 *
 * Limit: 500 values of an `enum` are compared.
 */
import * as SpecNumber from "../openapi/SpecNumber.ts"
import { type Fields, fieldsOf, listOf, textOf } from "./SpecReading.ts"

const maxValues = 500

/** Combines two schemas into one schema that requires both. */
export type MergeBoth = (one: unknown, other: unknown) => unknown

/**
 * Returns the keywords with exclusive bounds as numbers, as in OpenAPI 3.1. OpenAPI 3.0 marks a bound as exclusive with
 * a separate boolean.
 */
export const normal = (fields: Fields): Fields => {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = fields
  if (typeof above !== "boolean" && typeof below !== "boolean") return fields
  const { minimum, maximum, exclusiveMinimum: _, exclusiveMaximum: __, ...rest } = fields
  return {
    ...rest,
    ...bound(minimum, above, "minimum", "exclusiveMinimum"),
    ...bound(maximum, below, "maximum", "exclusiveMaximum")
  }
}

const bound = (value: unknown, exclusive: unknown, name: string, exclusiveName: string): Fields => ({
  ...(value !== undefined && { [exclusive === true ? exclusiveName : name]: value }),
  ...(exclusive !== undefined && typeof exclusive !== "boolean" && { [exclusiveName]: exclusive })
})

/** Returns `type` as a list, with `null` added for `nullable`; undefined if the schema has no type. */
export const typesOf = (fields: Fields): ReadonlyArray<string> | undefined => {
  const given = (Array.isArray(fields.type) ? fields.type : [fields.type]).map(textOf).filter((type) => type !== "")
  if (given.length === 0) return undefined
  return [...new Set(fields.nullable === true ? [...given, "null"] : given)]
}

type Combine = (one: unknown, other: unknown, both: MergeBoth) => unknown

const byName: Combine = (one, other, both) => {
  const merged = new Map(Object.entries(fieldsOf(one)))
  for (const [name, value] of Object.entries(fieldsOf(other))) {
    merged.set(name, merged.has(name) ? both(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}

const byPlace: Combine = (one, other, both) => {
  const [first, second] = [listOf(one), listOf(other)]
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => both(first[i], second[i]))
}

const larger: Combine = (one, other) => SpecNumber.furthest(one, other, 1)
const smaller: Combine = (one, other) => SpecNumber.furthest(one, other, -1)
const union: Combine = (one, other) => [...new Set([...listOf(one), ...listOf(other)])]
const either: Combine = (one, other) => one === true || other === true
const schema: Combine = (one, other, both) => both(one, other)

/** Lists both values: a value must match all patterns and be a multiple of every number. */
const each: Combine = (one, other) => {
  const listed = (value: unknown) => (Array.isArray(value) ? value : [value])
  return [...new Map([...listed(one), ...listed(other)].map((value) => [JSON.stringify(value), value])).values()]
}

const unionByName: Combine = (one, other) =>
  byName(one, other, (first, second) => union(first, second, (value) => value))

const values: Combine = (one, other) => {
  const allowed = new Set(
    listOf(other)
      .slice(0, maxValues)
      .map((value) => JSON.stringify(value))
  )
  const common = listOf(one)
    .slice(0, maxValues)
    .filter((value) => allowed.has(JSON.stringify(value)))
  return common.length > 0 ? common : [...listOf(one), ...listOf(other)]
}

const types: Combine = (one, other) => {
  const [first, second] = [one, other].map((type) => typesOf({ type }) ?? [])
  const common = first!.flatMap((type) =>
    second!.includes(type) || (type === "integer" && second!.includes("number"))
      ? [type]
      : type === "number" && second!.includes("integer")
        ? ["integer"]
        : []
  )
  return common.length > 0 ? common : [...first!, ...second!]
}

const combine: Readonly<Record<string, Combine>> = {
  properties: byName,
  patternProperties: byName,
  dependentSchemas: byName,
  dependentRequired: unionByName,
  required: union,
  prefixItems: byPlace,
  items: schema,
  contains: schema,
  propertyNames: schema,
  additionalProperties: schema,
  unevaluatedProperties: schema,
  unevaluatedItems: schema,
  enum: values,
  type: types,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  minContains: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  maxContains: smaller,
  multipleOf: each,
  pattern: each,
  nullable: either,
  deprecated: either,
  readOnly: either,
  writeOnly: either,
  uniqueItems: either
}

export const merge = (one: Fields, other: Fields, both: MergeBoth): Fields => {
  const merged: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const own = merged[name]
    const way = own === undefined || value === undefined || !Object.hasOwn(combine, name) ? undefined : combine[name]
    if (way !== undefined) merged[name] = way(own, value, both)
    else if (own === undefined) merged[name] = value
  }
  return merged
}
