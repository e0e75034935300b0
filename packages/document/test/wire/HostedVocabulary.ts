/**
 * Finds differences between a document and the vocabulary of the hosted service, as its OpenAPI description defines it.
 */
import { readFileSync } from "node:fs"

type Fields = { readonly [name: string]: unknown }

interface Schema {
  readonly $ref?: string
  readonly allOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<string>
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: ReadonlyArray<string>
}

const file = new URL("../../../../node_modules/@gitbook/api/spec/openapi.json", import.meta.url)
const { schemas } = (
  JSON.parse(readFileSync(file, "utf8")) as { components: { schemas: { readonly [name: string]: Schema } } }
).components

/** Schemas by object (`block`, `inline` or `mark`) and type. */
const byType = new Map(
  Object.entries(schemas).flatMap(([name, schema]) => {
    const { object, type } = schema.properties ?? {}
    if (!/^Document(?:Block|Inline|Mark)[A-Z]/.test(name) || object?.enum === undefined) return []
    return (type?.enum ?? []).map((each): readonly [string, Schema] => [`${object.enum![0]} ${each}`, schema])
  })
)

/** Returns the allowed and the required fields of a schema. */
const fieldsOf = ({
  $ref,
  allOf,
  oneOf,
  properties = {},
  required = []
}: Schema): Required<Pick<Schema, "properties" | "required">> => {
  if ($ref !== undefined) return fieldsOf(schemas[$ref.split("/").at(-1)!]!)
  const all = (allOf ?? oneOf)?.map(fieldsOf)
  if (all === undefined) return { properties, required }
  return {
    properties: Object.assign({}, ...all.map((one) => one.properties)),
    required: oneOf === undefined ? all.flatMap((one) => one.required) : []
  }
}

const dataProblems = (name: string, data: Fields, schema: Schema): ReadonlyArray<string> => {
  const { properties, required } = fieldsOf(schema)
  return [
    ...required.filter((field) => data[field] === undefined).map((field) => `data of ${name} without ${field}`),
    ...Object.keys(data)
      .filter((field) => !Object.hasOwn(properties, field))
      .map((field) => `data of ${name} with ${field}`)
  ]
}

/** True for caption fragments, which the service's renderer displays but its description leaves out. */
const isCaption = (name: string, field: string) =>
  field === "fragments" && (name === "block embed" || name === "block file")

const nodeProblems = (node: Fields, name: string): ReadonlyArray<string> => {
  const schema = byType.get(name)
  if (schema === undefined) return [name]
  const { properties = {}, required = [] } = schema
  return [
    ...required.filter((field) => node[field] === undefined).map((field) => `${name} without ${field}`),
    // Lectern adds the field `written` to the hosted vocabulary.
    ...Object.keys(node)
      .filter((field) => field !== "written" && !Object.hasOwn(properties, field) && !isCaption(name, field))
      .map((field) => `${name} with ${field}`),
    ...(node.data === undefined ? [] : dataProblems(name, node.data as Fields, properties.data ?? {}))
  ]
}

/**
 * Returns the names of all types and fields that the document has and the vocabulary lacks, and of missing required
 * fields.
 */
export const problems = (document: object): ReadonlySet<string> => {
  const found = new Set<string>()
  const open: Array<Fields> = [document as Fields]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "block" || node.object === "inline" || node.object === "mark") {
      for (const problem of nodeProblems(node, `${node.object} ${String(node.type)}`)) found.add(problem)
    }
    for (const name of ["nodes", "fragments", "leaves", "marks"]) open.push(...((node[name] ?? []) as Array<Fields>))
  }
  return found
}
