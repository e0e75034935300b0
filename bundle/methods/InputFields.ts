/**
 * Reads the bounds of inputs, and the descriptions of query parameters, from schemas, since types do not contain them. A
 * type and its schema have one name and one module.
 */
import { pathToFileURL } from "node:url"
import { Schema } from "effect"
import type { Declaration, Parameter } from "./OfferedMethods.ts"

/** Bounds and description of a field. Either may be empty. */
export interface SchemaField {
  readonly bounds: string
  readonly description: string
}

interface JsonSchema {
  readonly [name: string]: unknown
  readonly $ref?: string
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const fieldsByDeclaration = new Map<string, Promise<ReadonlyMap<string, SchemaField>>>()

/** Returns the fields of a parameter that its schemas describe. */
export const schemaFieldsOf = async ({ declarations }: Parameter): Promise<ReadonlyMap<string, SchemaField>> => {
  const fields = await Promise.all(
    declarations.map((declaration) => {
      const key = `${declaration.file} ${declaration.name}`
      const known = fieldsByDeclaration.get(key) ?? readFields(declaration)
      fieldsByDeclaration.set(key, known)
      return known
    })
  )
  return new Map(fields.flatMap((one) => [...one]))
}

const readFields = async ({ file, name }: Declaration): Promise<ReadonlyMap<string, SchemaField>> => {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  const schema = module[name]
  if (!Schema.isSchema(schema)) return new Map()
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(Schema.toType(schema)) as {
    readonly schema: JsonSchema
    readonly definitions: Readonly<Record<string, JsonSchema>>
  }
  /** Merges references and `allOf`. Of alternatives, takes the only one that is not null. */
  const flatten = (part: JsonSchema): JsonSchema => {
    if (part.$ref !== undefined) return flatten(definitions[part.$ref.split("/").at(-1)!] ?? {})
    const [only, ...others] = (part.anyOf ?? []).filter(({ type }) => type !== "null")
    const merged = Object.assign({}, part, ...(part.allOf ?? []).map(flatten)) as JsonSchema
    return only !== undefined && others.length === 0 ? { ...flatten(only), ...merged } : merged
  }
  const members = [root, ...(flatten(root).anyOf ?? [])].map(flatten)
  return new Map(
    members.flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([field, part]) => {
        return [field, { bounds: boundsOf(flatten(part)), description: descriptionOf(part) }]
      })
    )
  )
}

/** Returns the description of a field, which Effect adds to `allOf`. The other descriptions are those of its type. */
const descriptionOf = ({ allOf = [] }: JsonSchema): string => {
  const sentence = allOf.find((part) => Object.keys(part).join() === "description")
  return typeof sentence?.["description"] === "string" ? sentence["description"] : ""
}

const boundsOf = (schema: JsonSchema): string => {
  const between = (min: unknown, max: unknown, one: string, many: string): string => {
    const least = typeof min === "number" && min > -Number.MAX_SAFE_INTEGER ? min : undefined
    const most = typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? max : undefined
    const words = (count: number) => `${count.toLocaleString("en")}${count === 1 ? one : many}`
    if (least !== undefined && least === most) return `Exactly ${words(most)}.`
    if (most === undefined) return least === undefined || least === 0 ? "" : `At least ${words(least)}.`
    return least === undefined || least === 0
      ? `At most ${words(most)}.`
      : `${least.toLocaleString("en")} to ${words(most)}.`
  }
  return (
    between(schema["minLength"], schema["maxLength"], " character", " characters") ||
    between(schema["minItems"], schema["maxItems"], " item", " items") ||
    between(schema["minimum"], schema["maximum"], "", "")
  )
}
