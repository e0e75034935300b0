/**
 * The claims that a site expects of its visitors, as a JSON Schema (draft-07). Only the few keywords that describe a
 * claim are allowed; other keywords are rejected. No schema is fetched, and no pattern is matched.
 *
 * - The schema is an object of claims without additional properties. `unsigned` is the object of unsigned claims.
 * - A claim is a boolean, a text (any, or one of an `enum`), a number, a list of these, or an object of claims without
 *   additional properties.
 *
 * Limits: 32 KiB as JSON, claims nested 10 deep, 200 properties in total, names of 1 to 100 characters.
 */
import { Effect, Schema } from "effect"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Text from "../schema/Text.ts"

export const maxBytes = 32 * 1024
export const maxDepth = 10
export const maxProperties = 200

export const unsignedDescription = "Unsigned claims of the site visitor."

const draft07 = "http://json-schema.org/draft-07/schema"

type Described<S> = S & { readonly description?: string }

/** Schema of an item of a list. */
export type ItemSchema = Described<
  | { readonly type: "boolean" }
  | { readonly type: "number" }
  | { readonly type: "string"; readonly enum?: ReadonlyArray<string> }
>

/** Schema of one claim. */
export type ClaimSchema = Described<ItemSchema | { readonly type: "array"; readonly items: ItemSchema } | ObjectSchema>

/** Claims by name, without additional properties. */
export type ObjectSchema = {
  readonly type: "object"
  readonly properties: { readonly [name: string]: ClaimSchema }
  readonly additionalProperties: false
}

export type AdaptiveJsonSchema = ObjectSchema & { readonly $schema?: string }

export const AdaptiveJsonSchema = Schema.Json.check(
  Schema.makeFilter((schema: Schema.Json) => new SchemaValidator().check(schema))
).pipe(Schema.refine((_schema): _schema is AdaptiveJsonSchema => true))

/** The schema of a site without a stored schema: no claims are expected. */
export const emptySchema: AdaptiveJsonSchema = {
  type: "object",
  properties: {
    unsigned: { type: "object", description: unsignedDescription, properties: {}, additionalProperties: false }
  },
  additionalProperties: false
}

const acceptInput = accepting(Schema.Struct({ jsonSchema: AdaptiveJsonSchema }))

/** Validates a schema in a request. Paths of issues are relative to `jsonSchema`. */
export const accept = (input: unknown): Effect.Effect<AdaptiveJsonSchema, InvalidInput> =>
  Effect.map(acceptInput({ jsonSchema: input as AdaptiveJsonSchema }), ({ jsonSchema }) => jsonSchema)

type Path = ReadonlyArray<string>
type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isName = Schema.is(Text.between(1, 100))
const isText = Schema.is(Text.atMost(maxBytes))

/** Allowed keywords by type. */
const keywords = {
  boolean: ["type", "description"],
  number: ["type", "description"],
  string: ["type", "description", "enum"],
  array: ["type", "description", "items"],
  object: ["type", "description", "properties", "additionalProperties"]
} as const
type Type = keyof typeof keywords

const types = Object.keys(keywords) as ReadonlyArray<Type>
const itemTypes = types.filter((type) => type !== "array" && type !== "object")

const joinNames = (names: ReadonlyArray<string>, conjunction: string) =>
  `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`

/** Validates a schema. Does not descend into invalid parts. */
class SchemaValidator {
  readonly #issues: Array<{ readonly path: Path; readonly issue: string }> = []
  #properties = 0

  check(schema: unknown) {
    this.#root(schema)
    // The length is checked only if the schema is valid so far. A valid schema is shallow, so `JSON.stringify` cannot
    // fail.
    if (this.#issues.length === 0 && new TextEncoder().encode(JSON.stringify(schema)).length > maxBytes) {
      this.#refuse([], `Expected at most ${maxBytes / 1024} KiB of JSON`)
    }
    return this.#issues
  }

  #refuse(path: Path, issue: string) {
    this.#issues.push({ path, issue })
  }

  #root(schema: unknown) {
    if (!isFields(schema)) return this.#refuse([], "Expected a JSON Schema")
    this.#keywords(schema, ["$schema", "type", "properties", "additionalProperties"], [])
    const { $schema } = schema
    if ($schema !== undefined && $schema !== draft07 && $schema !== `${draft07}#`) {
      this.#refuse(["$schema"], `Expected "${draft07}#"`)
    }
    if (schema["type"] !== "object") return this.#refuse(["type"], 'Expected "object"')
    this.#object(schema, [], 1)
  }

  #claim(schema: unknown, path: Path, depth: number) {
    const type = this.#type(schema, types, path)
    if (!isFields(schema) || type === undefined) return
    if (type === "object") this.#object(schema, path, depth + 1)
    if (type === "array") this.#type(schema["items"], itemTypes, [...path, "items"])
  }

  /** Returns the type of a schema, after checking the keywords common to all types. */
  #type(schema: unknown, expected: ReadonlyArray<Type>, path: Path): Type | undefined {
    if (!isFields(schema)) {
      this.#refuse(path, "Expected a JSON Schema")
      return undefined
    }
    const type = expected.find((each) => each === schema["type"])
    this.#keywords(schema, type === undefined ? undefined : keywords[type], path)
    if (type === undefined) {
      this.#refuse(
        [...path, "type"],
        `Expected ${joinNames(
          expected.map((each) => `"${each}"`),
          "or"
        )}`
      )
    }
    if (schema["description"] !== undefined && !isText(schema["description"])) {
      this.#refuse([...path, "description"], "Expected well-formed text")
    }
    const values = schema["enum"]
    if (type === "string" && values !== undefined && !(Array.isArray(values) && values.every((each) => isText(each)))) {
      this.#refuse([...path, "enum"], "Expected a list of texts")
    }
    return type
  }

  #keywords(schema: Fields, allowed: ReadonlyArray<string> | undefined, path: Path) {
    const reference = schema["$ref"]
    if (reference !== undefined && !(typeof reference === "string" && reference.startsWith("#"))) {
      this.#refuse([...path, "$ref"], "A schema can't refer to another document, and none is fetched")
    } else if (allowed !== undefined && Object.keys(schema).some((keyword) => !allowed.includes(keyword))) {
      this.#refuse(
        path,
        `Expected no keywords but ${joinNames(
          allowed.map((each) => `\`${each}\``),
          "and"
        )}`
      )
    }
  }

  #object(schema: Fields, path: Path, depth: number) {
    const { properties, additionalProperties } = schema
    if (additionalProperties !== false) this.#refuse([...path, "additionalProperties"], "Expected false")
    const propertiesPath = [...path, "properties"]
    if (!isFields(properties)) return this.#refuse(propertiesPath, "Expected an object of claims")
    const names = Object.keys(properties)
    if (names.length > 0 && depth > maxDepth)
      return this.#refuse(propertiesPath, `Claims can't nest more than ${maxDepth} deep`)
    this.#properties += names.length
    if (this.#properties > maxProperties)
      return this.#refuse(propertiesPath, `Expected at most ${maxProperties} claims in all`)
    for (const name of names) {
      if (!isName(name) || name === "__proto__") {
        this.#refuse(
          propertiesPath,
          "Expected names of 1 to 100 characters of well-formed text, none of them `__proto__`"
        )
      } else if (name === "unsigned" && depth === 1) {
        this.#unsigned(properties[name], [...propertiesPath, name])
      } else this.#claim(properties[name], [...propertiesPath, name], depth)
    }
  }

  #unsigned(schema: unknown, path: Path) {
    if (isFields(schema) && schema["type"] !== "object") return this.#refuse([...path, "type"], 'Expected "object"')
    const description = isFields(schema) ? schema["description"] : undefined
    if (description !== undefined && description !== unsignedDescription) {
      return this.#refuse([...path, "description"], `Expected "${unsignedDescription}"`)
    }
    this.#claim(schema, path, 1)
  }
}
