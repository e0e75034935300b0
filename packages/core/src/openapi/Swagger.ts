/**
 * Upgrades Swagger 2.0 to OpenAPI 3.0 with a library, and corrects the cases that the library misses before and after.
 */
import { upgrade as upgraded } from "@scalar/openapi-upgrader"
import * as SpecNumber from "./SpecNumber.ts"

export type Fields = { [name: string]: unknown }

/** Returns true for an object as `JSON.parse` creates it: no array, class instance or raw number. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !SpecNumber.isRawNumber(value) &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const methods = ["get", "put", "post", "delete", "options", "head", "patch"]

/**
 * Upgrades a Swagger document without changing the input. Throws if the library does not recognize the document as
 * Swagger.
 */
export const upgrade = (swagger: Fields): Fields => SpecNumber.withRawNumbers(swagger, upgradeDocument) as Fields

const upgradeDocument = (document: unknown): Fields => {
  inlineBodies(document as Fields)
  const result = upgraded(document as Fields, "3.0") as Fields
  for (const body of requestBodies(result)) dropEmptyRequired(body)
  return result
}

const entries = (value: unknown): ReadonlyArray<Fields> =>
  isFields(value) ? Object.values(value).filter(isFields) : []

const operationsOf = (document: Fields): ReadonlyArray<Fields> =>
  entries(document.paths).flatMap((path) => methods.map((method) => path[method]).filter(isFields))

/**
 * Inlines references to shared body and form parameters. OpenAPI 3.0 has no such parameters: the upgrade turns them
 * into request bodies.
 */
const inlineBodies = (document: Fields) => {
  const shared = isFields(document.parameters) ? document.parameters : {}
  const isBody = (value: unknown): value is Fields =>
    isFields(value) && (value.in === "body" || value.in === "formData")
  const inline = (parameter: unknown): unknown => {
    const name = isFields(parameter) ? /^#\/parameters\/([^/]+)$/.exec(String(parameter.$ref))?.[1] : undefined
    const sharedParameter = name === undefined ? undefined : shared[name.replaceAll("~1", "/").replaceAll("~0", "~")]
    return isBody(sharedParameter) ? structuredClone(sharedParameter) : parameter
  }
  for (const holder of [...entries(document.paths), ...operationsOf(document)]) {
    if (Array.isArray(holder.parameters)) holder.parameters = holder.parameters.map(inline)
  }
}

const requestBodies = (document: Fields): ReadonlyArray<Fields> => [
  ...operationsOf(document)
    .map(({ requestBody }) => requestBody)
    .filter(isFields),
  ...(isFields(document.components) ? entries(document.components.requestBodies) : [])
]

/** Removes empty `required` lists. A form without required fields omits the list. */
const dropEmptyRequired = (body: Fields) => {
  for (const { schema } of entries(body.content)) {
    if (isFields(schema) && Array.isArray(schema.required) && schema.required.length === 0) delete schema.required
  }
}
