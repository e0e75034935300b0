/**
 * Reads a text as a spec: JSON or YAML in UTF-8, OpenAPI 3, or Swagger 2.0, which is upgraded to 3.0. Every text that
 * can be rendered is a spec. A deviation from OpenAPI becomes a warning with its line (see `SpecCheck`). References
 * outside the spec are never followed.
 *
 * The target of a YAML alias counts once per occurrence, so that a small text can't expand into a large document.
 *
 * Limits: 200 levels, 64 MiB expanded; 20 listed problems or warnings with 500 characters each.
 */
import { Result } from "effect"
import type { ParsedSpec, SpecProblems, SpecWarning } from "./ReadSpec.ts"
import * as SpecCheck from "./SpecCheck.ts"
import * as SpecNumber from "./SpecNumber.ts"
import { SpecError } from "./SpecError.ts"
import * as SpecSource from "./SpecSource.ts"
import { type Fields, isFields, upgrade } from "./Swagger.ts"

export const maxExpandedSize = 64 * 1024 * 1024
export const maxProblems = 20

/** Maximum length of a message (UTF-16), which may quote the spec. */
const maxMessage = 500

/** First byte of the UTF-8 byte order mark, which some editors write. */
const byteOrderMark = 0xef

export const read = (bytes: Uint8Array): Result.Result<ParsedSpec, SpecProblems> => {
  try {
    const source = SpecSource.parse(decode(bytes))
    const fields = checkedFields(source.value)
    const { version, kind, warnings } = versionOf(fields)
    const isSwagger = kind === "swagger"
    const checked = isSwagger ? SpecNumber.copy(fields) : fields
    const result = SpecCheck.check(checked as Fields, kind, maxProblems)
    const document = isSwagger ? upgradeSwagger(checked as Fields, result.misplaced) : { ...fields, openapi: version }
    const all = [...warnings, ...source.warnings, ...result.warnings]
    // A JSON source that equals its document is stored once.
    const isUnchanged =
      source.format === "json" && !isSwagger && fields.openapi === version && bytes[0] !== byteOrderMark
    return Result.succeed({
      format: source.format,
      version: String(document.openapi),
      document: isUnchanged ? bytes : new TextEncoder().encode(JSON.stringify(document)),
      warnings: withPositions(source, all.slice(0, maxProblems)),
      warningCount: warnings.length + source.warnings.length + result.count
    })
  } catch (error) {
    if (!(error instanceof SpecError)) throw error
    return Result.fail({
      messages: error.messages.slice(0, maxProblems).map(truncateMessage),
      count: error.messages.length
    })
  }
}

const withPositions = (
  { positions }: SpecSource.SpecSource,
  warnings: ReadonlyArray<SpecSource.Warning>
): ReadonlyArray<SpecWarning> => {
  const locations = positions(warnings.map(({ path }) => path))
  return warnings.map(({ message, path }, i) => ({
    message: truncateMessage(message),
    path: truncateMessage(path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")),
    ...locations[i]
  }))
}

const truncateMessage = (message: string): string => {
  const text = message.toWellFormed().replaceAll("\u0000", "\uFFFD")
  return text.length <= maxMessage ? text : `${text.slice(0, maxMessage).toWellFormed()}…`
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new SpecError("The spec is not valid UTF-8")
  }
}

/** Returns the value as an object; throws if it is not an object or exceeds a limit. */
const checkedFields = (value: unknown): Fields => {
  if (!isFields(value)) throw new SpecError("Expected an object with the field openapi or swagger")
  let remaining = maxExpandedSize
  const visit = (value: unknown, depth: number): void => {
    remaining -= typeof value === "string" ? value.length + 8 : 8
    if (remaining < 0) throw new SpecError(`The spec unfolds to more than ${maxExpandedSize / 1024 / 1024} MiB`)
    if (typeof value !== "object" || value === null || SpecNumber.isRawNumber(value)) return
    if (depth > SpecSource.maxDepth) throw SpecSource.tooDeep()
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1)
      return
    }
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw new SpecError('The spec has a field "__proto__"')
      remaining -= key.length
      visit(item, depth + 1)
    }
  }
  visit(value, 1)
  return value
}

interface Version {
  readonly kind: "openapi" | "swagger"
  readonly version: string
  readonly warnings: ReadonlyArray<SpecSource.Warning>
}

const versionOf = ({ openapi, swagger }: Fields): Version => {
  const field = openapi === undefined && swagger !== undefined ? "swagger" : "openapi"
  const value = field === "swagger" ? swagger : openapi
  const text = typeof value === "string" ? value.trim() : (SpecNumber.textOf(value) ?? "")
  const warnings = (...messages: ReadonlyArray<string>) => messages.map((message) => ({ message, path: [field] }))
  const isText = value === text
  if (field === "swagger" && /^2(?:\.0)?$/.test(text)) {
    const messages = value === "2.0" ? [] : ['`swagger` must be the text "2.0"']
    return { kind: "swagger", version: "2.0", warnings: warnings(...messages) }
  }
  const [, minorVersion, patch] = /^3\.(\d{1,3})(?:\.(\d[\w.+-]{0,30}))?$/.exec(text) ?? []
  if (field === "swagger" || minorVersion === undefined) {
    throw new SpecError("Expected the field openapi to be a version 3, such as 3.1.0, or the field swagger to be 2.0")
  }
  return {
    kind: "openapi",
    version: patch === undefined ? `3.${minorVersion}.0` : text,
    warnings: warnings(
      ...(isText && patch !== undefined ? [] : ['`openapi` must be a text of three numbers, such as "3.1.0"']),
      ...(Number(minorVersion) <= 2 ? [] : [`OpenAPI 3.${minorVersion} is read as 3.2`])
    )
  }
}

/**
 * Upgrades Swagger to OpenAPI. Values of a wrong type are removed first, since the upgrade library would fail on them.
 */
const upgradeSwagger = (swagger: Fields, misplaced: SpecCheck.SpecCheckResult["misplaced"]): Fields => {
  for (const [holder, name] of misplaced) {
    if (Array.isArray(holder)) holder[Number(name)] = {}
    else delete (holder as Fields)[name]
  }
  try {
    return upgrade({ ...swagger, swagger: "2.0" })
  } catch (error) {
    throw new SpecError(`The Swagger spec can't be upgraded: ${error instanceof Error ? error.message : String(error)}`)
  }
}
