/** JSON Schemas of site customizations, from two releases of the hosted service's OpenAPI description. */
import { createRequire } from "node:module"
import { Validator } from "@cfworker/json-schema"

export interface JsonSchema {
  readonly [keyword: string]: any
}

const load = createRequire(import.meta.url)
const spec: JsonSchema = load("gitbook-api-143/spec/openapi.json")
const newer: JsonSchema = load("@gitbook/api/spec/openapi.json")

const prefix = "#/components/schemas/"

/** Converts an OpenAPI schema to JSON Schema. `nullable` becomes a second type. */
const plain = (value: any): any => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const { nullable, ...rest } = value
  const copy = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, plain(inner)]))
  return nullable === true && typeof copy.type === "string" ? { ...copy, type: [copy.type, "null"] } : copy
}

const named = (name: string, release = spec): JsonSchema => plain(release.components.schemas[name])

/** Resolves a schema that is only a reference. */
export const resolved = (schema: JsonSchema): JsonSchema =>
  typeof schema.$ref === "string" ? resolved(named(schema.$ref.slice(prefix.length))) : schema

/** Returns the named schemas that a schema refers to, directly or indirectly. */
const reached = (schema: JsonSchema, release: JsonSchema, found: Record<string, JsonSchema> = {}) => {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name in found) continue
    found[name] = named(name, release)
    reached(found[name], release, found)
  }
  return found
}

export const settings = named("SiteCustomizationSettings")
export const newerSettings = named("SiteCustomizationSettings", newer)
export const siteSpaceSettings = named("SiteSpaceCustomizationSettings")
export const patch: JsonSchema = plain(
  spec.paths["/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization"].patch.requestBody.content[
    "application/json"
  ].schema
)

/** Returns a function that validates values against a schema, and returns the errors. */
export const against = (schema: JsonSchema) => {
  const release = schema === newerSettings ? newer : spec
  const validator = new Validator({ ...schema, components: { schemas: reached(schema, release) } }, "7", false)
  return (value: unknown) =>
    validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
