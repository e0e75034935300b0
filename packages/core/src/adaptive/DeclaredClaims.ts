/** Reduces a visitor's claims to those that the site's schema declares. */
import { type Schema as JsonSchema, Validator } from "@cfworker/json-schema"
import type { Schema } from "effect"
import type { AdaptiveJsonSchema, ClaimSchema, ItemSchema, ObjectSchema } from "./AdaptiveSchema.ts"
import { type Claims, withUnsigned } from "./Claims.ts"

interface Declared {
  readonly schema: ClaimSchema
  readonly isValid: (value: Schema.Json) => boolean
}

const cachedClaims = new WeakMap<object, ReadonlyMap<string, Declared>>()

/** Returns the declared claims of a schema with their validators, built once for each schema object. */
const declaredBy = (schema: Pick<ObjectSchema, "properties">): ReadonlyMap<string, Declared> => {
  const cached = cachedClaims.get(schema)
  if (cached !== undefined) return cached
  const claims = new Map(
    Object.entries(schema.properties).map(([name, claim]) => {
      // The schema is cloned, since the validator modifies its input.
      const validator = new Validator(structuredClone(claim) as JsonSchema, "7")
      return [name, { schema: claim, isValid: (value: Schema.Json) => validator.validate(value).valid }] as const
    })
  )
  cachedClaims.set(schema, claims)
  return claims
}

/**
 * Returns the claims that are declared and valid. Each claim is checked separately, so an invalid one does not affect
 * others. Values of a URL are texts: unsigned claims are converted to the declared type.
 */
export const reduce = (schema: AdaptiveJsonSchema, claims: Claims): Claims => {
  const { unsigned: unsignedSchema } = schema.properties
  const { unsigned, ...signed } = claims
  return withUnsigned(
    validClaims(schema, signed, (_claim, value) => value),
    unsignedSchema?.type === "object" && isJsonObject(unsigned)
      ? validClaims(unsignedSchema, unsigned, convert)
      : undefined
  )
}

const validClaims = (
  schema: ObjectSchema,
  claims: Claims,
  read: (claim: ClaimSchema, value: Schema.Json) => Schema.Json
): Claims => {
  const valid: { [name: string]: Schema.Json } = {}
  for (const [name, claim] of declaredBy(schema)) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    if (value === undefined) continue
    const meant = read(claim.schema, value)
    if (claim.isValid(meant)) valid[name] = meant
  }
  return valid
}

const isJsonObject = (value: Schema.Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const numeral = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Converts a value to the type of its schema: text to a boolean or number, a single value to a list. */
const convert = (schema: ClaimSchema | ItemSchema, value: Schema.Json): Schema.Json => {
  switch (schema.type) {
    case "string":
      // A boolean becomes a text again, since `true` in a URL was parsed as a boolean.
      return typeof value === "boolean" ? String(value) : value
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value
    case "number":
      return typeof value === "string" && numeral.test(value) && Number.isFinite(Number(value)) ? Number(value) : value
    case "array":
      return isJsonObject(value) ? value : [value].flat().map((item) => convert(schema.items, item))
    case "object":
      return isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => {
              const claim = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
              return [name, claim === undefined ? each : convert(claim, each)]
            })
          )
        : value
  }
}
