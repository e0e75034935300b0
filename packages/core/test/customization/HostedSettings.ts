/** The hosted service's own description of a customization in two releases, as schemas that validate. */
import { createRequire } from "node:module"
import { Validator } from "@cfworker/json-schema"

export interface JsonSchema {
  readonly [keyword: string]: any
}

const load = createRequire(import.meta.url)
const spec: JsonSchema = load("gitbook-api-143/spec/openapi.json")
const newer: JsonSchema = load("@gitbook/api/spec/openapi.json")

const prefix = "#/components/schemas/"

/** A description as a JSON Schema: a second type stands for `nullable`. */
const plain = (value: any): any => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const { nullable, ...rest } = value
  const copy = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, plain(inner)]))
  return nullable === true && typeof copy.type === "string" ? { ...copy, type: [copy.type, "null"] } : copy
}

const named = (name: string, release = spec): JsonSchema => plain(release.components.schemas[name])

/** The schema itself where it only refers to one. */
export const resolved = (schema: JsonSchema): JsonSchema =>
  typeof schema.$ref === "string" ? resolved(named(schema.$ref.slice(prefix.length))) : schema

/** The named schemas that a schema comes to. */
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

/** Objections of a schema to a value. */
export const against = (schema: JsonSchema) => {
  const release = schema === newerSettings ? newer : spec
  const validator = new Validator({ ...schema, components: { schemas: reached(schema, release) } }, "7", false)
  return (value: unknown) =>
    validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
