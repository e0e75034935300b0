/** JSON Schema, with the keywords that the description reads. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

const pointer = "#/components/schemas/"

export const refTo = (name: string): JsonSchema => ({ $ref: pointer + name })

/** Returns the name of the component that a schema refers to. */
export const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(pointer) === true ? $ref.slice(pointer.length) : undefined

/** Replaces the direct subschemas of a schema. */
export const mapSubschemas = (
  schema: JsonSchema,
  change: (part: JsonSchema, name: string) => JsonSchema
): JsonSchema => {
  const out: Record<string, unknown> = { ...schema }
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties" || keyword === "patternProperties") {
      const parts = Object.entries(value as Record<string, JsonSchema>)
      out[keyword] = Object.fromEntries(parts.map(([name, part]) => [name, change(part, name)]))
    } else if (keyword === "items" || keyword === "additionalProperties") {
      if (typeof value === "object" && value !== null) out[keyword] = change(value as JsonSchema, "item")
    } else if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf" || keyword === "prefixItems") {
      out[keyword] = (value as ReadonlyArray<JsonSchema>).map((part) => change(part, ""))
    }
  }
  return out
}
