/**
 * Merges the keywords of two schemas that both apply to a value. A spec may contradict itself: if types or values have
 * no overlap, all of them are listed. For keywords without a merge rule, the first schema's value wins.
 *
 * Limit: 500 values of an `enum` are compared.
 */
import * as SpecNumber from "../openapi/SpecNumber.ts"
import { type Fields, fieldsOf, listOf, textOf } from "./SpecParser.ts"

const maxValues = 500

/** Combines two schemas into one schema that requires both. */
export type MergeBoth = (first: unknown, second: unknown) => unknown

/**
 * Returns the keywords with exclusive bounds as numbers, as in OpenAPI 3.1. OpenAPI 3.0 marks a bound as exclusive with
 * a separate boolean.
 */
export const normalizeBounds = (fields: Fields): Fields => {
  const { exclusiveMinimum, exclusiveMaximum } = fields
  if (typeof exclusiveMinimum !== "boolean" && typeof exclusiveMaximum !== "boolean") return fields
  const { minimum, maximum, exclusiveMinimum: _, exclusiveMaximum: __, ...otherFields } = fields
  return {
    ...otherFields,
    ...bound(minimum, exclusiveMinimum, "minimum", "exclusiveMinimum"),
    ...bound(maximum, exclusiveMaximum, "maximum", "exclusiveMaximum")
  }
}

const bound = (value: unknown, exclusive: unknown, name: string, exclusiveName: string): Fields => ({
  ...(value !== undefined && { [exclusive === true ? exclusiveName : name]: value }),
  ...(exclusive !== undefined && typeof exclusive !== "boolean" && { [exclusiveName]: exclusive })
})

/** Returns `type` as a list, with `null` added for `nullable`; undefined if the schema has no type. */
export const typesOf = (fields: Fields): ReadonlyArray<string> | undefined => {
  const names = (Array.isArray(fields.type) ? fields.type : [fields.type]).map(textOf).filter((type) => type !== "")
  if (names.length === 0) return undefined
  return [...new Set(fields.nullable === true ? [...names, "null"] : names)]
}

type Combine = (first: unknown, second: unknown, mergeBoth: MergeBoth) => unknown

const byName: Combine = (first, second, mergeBoth) => {
  const merged = new Map(Object.entries(fieldsOf(first)))
  for (const [name, value] of Object.entries(fieldsOf(second))) {
    merged.set(name, merged.has(name) ? mergeBoth(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}

const byIndex: Combine = (first, second, mergeBoth) => {
  const [firstItems, secondItems] = [listOf(first), listOf(second)]
  return Array.from({ length: Math.max(firstItems.length, secondItems.length) }, (_, i) =>
    mergeBoth(firstItems[i], secondItems[i])
  )
}

const largerNumber: Combine = (first, second) => SpecNumber.furthest(first, second, 1)
const smallerNumber: Combine = (first, second) => SpecNumber.furthest(first, second, -1)
const unionOfLists: Combine = (first, second) => [...new Set([...listOf(first), ...listOf(second)])]
const isEitherTrue: Combine = (first, second) => first === true || second === true
const mergedSchema: Combine = (first, second, mergeBoth) => mergeBoth(first, second)

/**
 * Lists both keywords, for `pattern` and `multipleOf`: a value must match all patterns and be a multiple of every
 * number.
 */
const distinctValues: Combine = (first, second) => {
  const toList = (value: unknown) => (Array.isArray(value) ? value : [value])
  return [...new Map([...toList(first), ...toList(second)].map((value) => [JSON.stringify(value), value])).values()]
}

const unionByName: Combine = (first, second) =>
  byName(first, second, (first, second) => unionOfLists(first, second, (value) => value))

const commonValues: Combine = (first, second) => {
  const allowedValues = new Set(
    listOf(second)
      .slice(0, maxValues)
      .map((value) => JSON.stringify(value))
  )
  const common = listOf(first)
    .slice(0, maxValues)
    .filter((value) => allowedValues.has(JSON.stringify(value)))
  return common.length > 0 ? common : [...listOf(first), ...listOf(second)]
}

const commonTypes: Combine = (first, second) => {
  const [firstTypes, secondTypes] = [first, second].map((type) => typesOf({ type }) ?? [])
  const common = firstTypes!.flatMap((type) =>
    secondTypes!.includes(type) || (type === "integer" && secondTypes!.includes("number"))
      ? [type]
      : type === "number" && secondTypes!.includes("integer")
        ? ["integer"]
        : []
  )
  return common.length > 0 ? common : [...firstTypes!, ...secondTypes!]
}

const combine: Readonly<Record<string, Combine>> = {
  properties: byName,
  patternProperties: byName,
  dependentSchemas: byName,
  dependentRequired: unionByName,
  required: unionOfLists,
  prefixItems: byIndex,
  items: mergedSchema,
  contains: mergedSchema,
  propertyNames: mergedSchema,
  additionalProperties: mergedSchema,
  unevaluatedProperties: mergedSchema,
  unevaluatedItems: mergedSchema,
  enum: commonValues,
  type: commonTypes,
  minimum: largerNumber,
  exclusiveMinimum: largerNumber,
  minLength: largerNumber,
  minItems: largerNumber,
  minProperties: largerNumber,
  minContains: largerNumber,
  maximum: smallerNumber,
  exclusiveMaximum: smallerNumber,
  maxLength: smallerNumber,
  maxItems: smallerNumber,
  maxProperties: smallerNumber,
  maxContains: smallerNumber,
  multipleOf: distinctValues,
  pattern: distinctValues,
  nullable: isEitherTrue,
  deprecated: isEitherTrue,
  readOnly: isEitherTrue,
  writeOnly: isEitherTrue,
  uniqueItems: isEitherTrue
}

export const merge = (first: Fields, second: Fields, mergeBoth: MergeBoth): Fields => {
  const merged: Record<string, unknown> = { ...first }
  for (const [name, value] of Object.entries(second)) {
    const existing = merged[name]
    const combineField =
      existing === undefined || value === undefined || !Object.hasOwn(combine, name) ? undefined : combine[name]
    if (combineField !== undefined) merged[name] = combineField(existing, value, mergeBoth)
    else if (existing === undefined) merged[name] = value
  }
  return merged
}
