/**
 * Answers beside the schemas of the hosted service's own client, in both releases that the interface is
 * witnessed by: every answer with success that an operation of theirs has too is held to them.
 * Where that can't be stands in `HostedExceptions.ts`, each with its reason.
 */
import { readFileSync } from "node:fs"
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv"
import formats from "ajv-formats"
import { byPath } from "./ByPath.ts"
import { exceptions } from "./HostedExceptions.ts"

export const releases = ["0.202.0", "0.143.2"] as const

export type Release = (typeof releases)[number]

interface Operation {
  readonly id: string
  readonly method: string
  readonly segments: ReadonlyArray<string>
  /** Pointers to the schemas of answers with success, by their status. */
  readonly answers: ReadonlyMap<number, string>
}

/** One place where an answer is not as the schema wants it. */
export interface Problem {
  readonly operation: string
  /** Without the positions in lists. */
  readonly at: string
  readonly problem: string
}

const packages: Record<Release, string> = { "0.202.0": "@gitbook/api", "0.143.2": "gitbook-api-143" }

/** A schema of OpenAPI 3.0, as far as it is looked at. */
interface Described {
  readonly $ref?: string
  readonly nullable?: boolean
  readonly discriminator?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly required?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: unknown
  readonly allOf?: ReadonlyArray<Described>
  readonly oneOf?: ReadonlyArray<Described>
}

interface DescribedOperation {
  readonly operationId: string
  /** Absent of what a path has besides its operations. */
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Described>> }
}

/**
 * The description as JSON Schema: nullability by `anyOf`, and alternatives that a field tells apart (`type`,
 * say) chosen by that field, so that what is wrong is said of the alternative that was meant. Alternatives
 * that nothing tells apart may overlap.
 */
const asJsonSchema = (document: Description): Description => {
  const resolved = (schema: Described | undefined): Described =>
    schema?.$ref === undefined ? (schema ?? {}) : resolved(document.components.schemas[schema.$ref.split("/").at(-1)!])

  /** Values that this field has in whatever fits the schema, if it names them. */
  const valuesOf = (schema: Described, field: string): ReadonlyArray<unknown> | undefined => {
    const { properties, allOf, oneOf } = resolved(schema)
    const own = resolved(properties?.[field]).enum
    if (own !== undefined) return own
    for (const part of allOf ?? []) {
      const values = valuesOf(part, field)
      if (values !== undefined) return values
    }
    const each = oneOf?.map((part) => valuesOf(part, field))
    return each === undefined || each.includes(undefined) ? undefined : each.flatMap((values) => values ?? [])
  }

  /** A field that this alternative alone wants. */
  const ownField = (alternative: Described, others: ReadonlyArray<Described>): string | undefined => {
    const wanted = (schema: Described): ReadonlyArray<string> => resolved(schema).required ?? []
    return wanted(alternative).find((field) => others.every((other) => !wanted(other).includes(field)))
  }

  const choice = (alternatives: ReadonlyArray<Described>) => {
    for (const field of ["object", "type", "kind", "status", "name", "target"]) {
      const values = alternatives.map((alternative) => valuesOf(alternative, field))
      if (values.includes(undefined)) continue
      const all = values.flat()
      if (new Set(all).size < all.length) continue
      const each = alternatives.map((alternative, i) =>
        when({ properties: { [field]: { enum: values[i] } } }, converted(alternative))
      )
      return { allOf: [{ type: "object", required: [field], properties: { [field]: { enum: all } } }, ...each] }
    }
    const own = alternatives.map((one) =>
      ownField(
        one,
        alternatives.filter((other) => other !== one)
      )
    )
    if (own.filter((field) => field === undefined).length === 1 && alternatives.some(isClosedAndEmpty)) {
      return {
        allOf: alternatives.flatMap((alternative, i) =>
          own[i] === undefined ? [] : when({ required: [own[i]] }, converted(alternative))
        )
      }
    }
    return { anyOf: alternatives.map(converted) }
  }

  const converted = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(converted)
    if (typeof schema !== "object" || schema === null) return schema
    const { nullable, discriminator: _, oneOf, ...rest } = schema as Described
    const mapped: Described = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, converted(value)]))
    const whole = oneOf === undefined ? mapped : { ...mapped, allOf: [...(mapped.allOf ?? []), choice(oneOf)] }
    return nullable === true ? { anyOf: [{ type: "null" }, whole] } : whole
  }

  return converted({ paths: document.paths, components: document.components }) as Description
}

const load = (release: Release) => {
  const file = new URL(`../../../node_modules/${packages[release]}/spec/openapi.json`, import.meta.url)
  const document = asJsonSchema(JSON.parse(readFileSync(file, "utf8")) as Description)
  const operations: Array<Operation> = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (responses === undefined) continue
      const answers = new Map<number, string>()
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith("2") || response.content?.["application/json"] === undefined) continue
        const pointer = ["paths", path, method, "responses", status, "content", "application/json", "schema"]
        answers.set(Number(status), `#/${pointer.map(escaped).join("/")}`)
      }
      operations.push({ id: operationId, method: method.toUpperCase(), segments: `/v1${path}`.split("/"), answers })
    }
  }
  // What is compiled is run a few times: to optimize it would take longer than it saves.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  formats.default(ajv)
  for (const name of ["emoji", "icon", "byte", "uuid"]) ajv.addFormat(name, true)
  ajv.addSchema({ $id: release, ...document }, release)
  const compiled = new Map<string, ValidateFunction>()
  const validator = (pointer: string) => {
    const known = compiled.get(pointer)
    if (known !== undefined) return known
    const made = ajv.compile({ $ref: `${release}${pointer}` })
    compiled.set(pointer, made)
    return made
  }
  // The more of a path is said, the sooner it is meant.
  const bySaid = operations.toSorted(
    (a, b) => a.segments.join().split("{").length - b.segments.join().split("{").length
  )
  return { operationOf: byPath(bySaid, "{"), validator }
}

/** A schema that counts for what meets the condition. */
const when = (condition: unknown, schema: unknown) => ({ if: { not: condition }, else: schema })

/** The alternative that holds nothing, which a resource with an optional document is told as. */
const isClosedAndEmpty = (schema: Described): boolean =>
  schema.additionalProperties === false && Object.keys(schema.properties ?? {}).length === 0

const escaped = (segment: string) => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"))

const looked = new Map<string, number>()

const loaded = new Map<Release, ReturnType<typeof load>>()

const of = (release: Release) => {
  const known = loaded.get(release)
  if (known !== undefined) return known
  const made = load(release)
  loaded.set(release, made)
  return made
}

/** How many answers of an operation are looked at: tests ask for some things thousands of times. */
const enough = 100

/** Problems that a schema of this release finds in an answer, which is JSON. */
export const problemsOf = (
  release: Release,
  method: string,
  path: string,
  status: number,
  text: string
): ReadonlyArray<Problem> => {
  const { operationOf, validator } = of(release)
  const operation = operationOf(method, path)
  const pointer = operation && (operation.answers.get(status) ?? [...operation.answers.values()][0])
  if (operation === undefined || pointer === undefined) return []
  const key = `${release} ${operation.id}`
  const seen = (looked.get(key) ?? 0) + 1
  looked.set(key, seen)
  if (seen > enough) return []
  const validate = validator(pointer)
  if (validate(JSON.parse(text))) return []
  const problems = (validate.errors ?? [])
    // Says again what the chosen alternative has said.
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath, keyword, message, params }: ErrorObject) => ({
      operation: operation.id,
      at: instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*"),
      problem: `${message}${params["additionalProperty"] ?? ""}`,
      isOfAlternatives: keyword === "anyOf" || keyword === "type"
    }))
  const exceptional = problems.filter((problem) => isException(release, problem))
  // An exception within an alternative rejects all alternatives, which is no problem of its own.
  return problems.filter(
    (problem) =>
      !exceptional.includes(problem) &&
      !(problem.isOfAlternatives && exceptional.some(({ at }) => at.startsWith(`${problem.at}/`)))
  )
}

const isException = (release: Release, { operation, at, problem }: Problem) =>
  exceptions.some(
    (exception) =>
      (exception.release ?? release) === release &&
      (exception.operations?.includes(operation) ?? true) &&
      exception.what.test(`${at} ${problem}`)
  )
