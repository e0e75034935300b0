/**
 * A spec in the form from which pages are built: operations by tag, in the order of the spec, and schemas. A spec is
 * valid OpenAPI (see `openapi/SpecText`), but extensions and schemas may contain anything, so values are checked before
 * use.
 *
 * Operations and schemas marked `x-internal` are left out. Limits: 5,000 operations.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import * as SpecNumber from "../openapi/SpecNumber.ts"
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { ComputedMethod } from "./ComputedSource.ts"

export type Fields = { readonly [name: string]: unknown }

export interface SpecOperation {
  /** `hook`: a webhook. Its name takes the place of a path. */
  readonly method: ComputedMethod
  readonly path: string
  /** HTTP method of the request. */
  readonly verb: string
  readonly title: string
  readonly operation: Fields
  /** Parameters of the operation and its path. */
  readonly parameters: ReadonlyArray<Fields>
}

export interface SpecTag {
  readonly name: string
  readonly title: string
  readonly summary?: string
  readonly icon?: string
  readonly description: string
  readonly operations: ReadonlyArray<SpecOperation>
}

export interface Spec {
  readonly document: Fields
  readonly info: Fields
  readonly tags: ReadonlyArray<SpecTag>
  /** Schemas by name. */
  readonly schemas: ReadonlyMap<string, unknown>
  /** Resolves a value that may be a reference within the spec; undefined for a broken reference. */
  readonly resolve: (value: unknown) => Fields | undefined
}

export const maxOperations = 5_000

/** Names of the tags for operations and webhooks without a tag. */
export const untagged = { operations: "Operations", webhooks: "Webhooks" } as const

const maxReferences = 16

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !SpecNumber.isRawNumber(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === "string" ? value.toWellFormed() : "")

/**
 * Returns a string, number or boolean as its source text, since YAML parses many a version as a number. Returns "" for
 * other values.
 */
export const scalarOf = (value: unknown): string =>
  SpecNumber.textOf(value) ?? (typeof value === "boolean" ? String(value) : textOf(value))

/** Returns a text on one line with at most `max` characters. */
export const lineOf = (value: unknown, max: number): string => {
  const line = collapseWhiteSpace(textOf(value))
  return line.length <= max ? line : `${Array.from(line.slice(0, max)).slice(0, -1).join("").trimEnd()}…`
}

const verbs = ["get", "post", "put", "delete", "patch", "options", "head", "trace"] as const

export const read = (document: Fields): Spec => {
  const resolve = resolver(document)
  const components = fieldsOf(document.components)
  const operations = [
    ...operationsOf(document.paths, resolve, undefined),
    ...operationsOf(document.webhooks ?? document["x-webhooks"], resolve, "hook")
  ].slice(0, maxOperations)
  return {
    document,
    info: fieldsOf(document.info),
    tags: tagsOf(document, operations),
    schemas: new Map(Object.entries(fieldsOf(components.schemas)).filter(([, schema]) => !isInternal(schema))),
    resolve
  }
}

const resolver = (document: Fields) => {
  // Caches resolved references, since some are followed many times. The cache holds at most one entry for each
  // reference of the document.
  const resolvedReferences = new Map<string, Fields | undefined>()
  const follow = (reference: string): Fields | undefined => {
    let target: unknown = valueAt(document, reference)
    for (let i = 1; i < maxReferences; i++) {
      if (!isFields(target)) return undefined
      if (typeof target.$ref !== "string") return target
      target = valueAt(document, target.$ref)
    }
    return undefined
  }
  return (value: unknown): Fields | undefined => {
    if (!isFields(value)) return undefined
    if (typeof value.$ref !== "string") return value
    if (!resolvedReferences.has(value.$ref)) resolvedReferences.set(value.$ref, follow(value.$ref))
    return resolvedReferences.get(value.$ref)
  }
}

/** Returns the value at a JSON pointer such as `#/components/schemas/Pet`. */
const valueAt = (document: Fields, reference: string): unknown => {
  if (!reference.startsWith("#/")) return undefined
  let value: unknown = document
  for (const part of reference.slice(2).split("/")) {
    const name = decodePercent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Fields)[name]
  }
  return value
}

/** Returns the name of the schema that a reference points to; undefined for anything else. */
export const schemaName = (value: unknown): string | undefined => {
  const reference = isFields(value) ? textOf(value.$ref) : ""
  const name = reference.startsWith("#/components/schemas/") ? reference.split("/").at(-1) : undefined
  return name && decodePercent(name).replaceAll("~1", "/").replaceAll("~0", "~")
}

const isInternal = (value: unknown): boolean => fieldsOf(value)["x-internal"] === true

const operationsOf = (
  paths: unknown,
  resolve: Spec["resolve"],
  hook: "hook" | undefined
): ReadonlyArray<SpecOperation> =>
  Object.entries(fieldsOf(paths)).flatMap(([path, value]) => operationsIn(resolve, path, value, hook))

/** Returns the operations of one path, webhook or callback. */
export const operationsIn = (
  resolve: Spec["resolve"],
  path: string,
  value: unknown,
  hook: "hook" | undefined
): ReadonlyArray<SpecOperation> => {
  const item = resolve(value)
  if (item === undefined || isInternal(item)) return []
  return verbs.flatMap((verb): ReadonlyArray<SpecOperation> => {
    const operation = item[verb]
    if (!isFields(operation) || isInternal(operation)) return []
    return [
      {
        method: hook ?? verb,
        path,
        verb,
        title: lineOf(operation.summary, 200) || lineOf(operation.operationId, 200) || `${verb.toUpperCase()} ${path}`,
        operation,
        parameters: merged(parametersOf(item, resolve), parametersOf(operation, resolve))
      }
    ]
  })
}

const parametersOf = (holder: Fields, resolve: Spec["resolve"]): ReadonlyArray<Fields> =>
  listOf(holder.parameters).flatMap((parameter): ReadonlyArray<Fields> => {
    const resolved = resolve(parameter)
    return resolved === undefined ? [] : [resolved]
  })

/** Combines parameters of a path and an operation. Those of the operation win. */
const merged = (ofPath: ReadonlyArray<Fields>, ofOperation: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const name = (parameter: Fields) => `${textOf(parameter.in)} ${textOf(parameter.name)}`
  const overriddenNames = new Set(ofOperation.map(name))
  return [...ofPath.filter((parameter) => !overriddenNames.has(name(parameter))), ...ofOperation]
}

/**
 * Returns the tags that the spec lists, in order, followed by tags that only operations name. An operation may have
 * several tags.
 */
const tagsOf = (document: Fields, operations: ReadonlyArray<SpecOperation>): ReadonlyArray<SpecTag> => {
  const listedTags = new Map<string, Fields>()
  for (const tag of listOf(document.tags)) {
    if (isFields(tag) && textOf(tag.name) !== "" && !isInternal(tag)) listedTags.set(textOf(tag.name), tag)
  }
  const byTag = new Map<string, Array<SpecOperation>>(Array.from(listedTags.keys(), (name) => [name, []]))
  for (const operation of operations) {
    const names = new Set(listOf(operation.operation.tags).map(textOf))
    names.delete("")
    if (names.size === 0) names.add(operation.method === "hook" ? untagged.webhooks : untagged.operations)
    for (const name of names) {
      const operationsOfTag = byTag.get(name)
      if (operationsOfTag === undefined) byTag.set(name, [operation])
      else operationsOfTag.push(operation)
    }
  }
  return Array.from(byTag, ([name, operations]): SpecTag => {
    const tag = fieldsOf(listedTags.get(name))
    const summary = lineOf(tag["x-page-description"], 1000)
    const icon = lineOf(tag["x-page-icon"], 50)
    return {
      name,
      title:
        ["x-page-title", "x-displayName", "summary"].map((field) => lineOf(tag[field], 200)).find(Boolean) ||
        lineOf(name, 200) ||
        "Operations",
      ...(summary !== "" && { summary }),
      ...(icon !== "" && { icon }),
      description: textOf(tag.description),
      operations
    }
  })
}
