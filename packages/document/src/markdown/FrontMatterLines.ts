/**
 * The lines of a front matter by the keys of its mapping. A change of a key edits only its own lines, so all other
 * lines keep their bytes. If the front matter is invalid YAML, keys that are valid YAML by themselves are still read.
 *
 * Limit: the first 200 keys of a front matter that is invalid YAML.
 */
// Imported from "effect/Result", since importing "effect" would load the whole package into threads that only parse.
import * as Result from "effect/Result"
import * as Yaml from "yaml"
import * as YamlText from "../YamlText.ts"
import * as FrontMatter from "./FrontMatter.ts"

const maxKeys = 200

interface KeyLines {
  readonly name: string
  /** `from`: index of the first line of the key. `to`: index of the line after the last line of the key. */
  readonly from: number
  readonly to: number
}

export interface LenientFields {
  readonly fields: { readonly [name: string]: unknown }
  /** Sentence that states why the front matter is invalid YAML. */
  readonly problem?: string
}

/** Returns the fields of a front matter. If it is invalid YAML, returns the fields that are readable line by line. */
export const read = (frontMatter: string): LenientFields => {
  const strict = FrontMatter.read(frontMatter)
  if (Result.isSuccess(strict)) return { fields: strict.success }
  const lines = frontMatter.split("\n")
  const fields = new Map<string, unknown>()
  for (const { name, from, to } of keyLines(lines).slice(0, maxKeys)) {
    const value = readValue(lines.slice(from, to), name)
    if (value !== undefined && !fields.has(name)) fields.set(name, value)
  }
  return { fields: Object.fromEntries(fields), problem: strict.failure }
}

/**
 * Returns the value of a key, parsed as YAML. If the YAML is invalid and has only one line, returns the text after the
 * colon without enclosing quotes.
 */
const readValue = (lines: ReadonlyArray<string>, name: string): unknown => {
  const read = YamlText.parseYaml(lines.join("\n"))
  if (Result.isSuccess(read) && isRecord(read.success)) return read.success[name]
  if (lines.length > 1) return undefined
  const rest = lines[0]!.replace(keyPrefix, "").trim()
  return /^(["']).*\1$/s.test(rest) && rest.length > 1 ? rest.slice(1, -1) : rest
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns the front matter with changed values of some keys. Undefined removes a key, and a new key is added at the
 * end.
 */
export const withChangedValues = (frontMatter: string, values: ReadonlyMap<string, unknown>): string => {
  const text = withChangedLines(frontMatter, values)
  const before = FrontMatter.read(frontMatter)
  if (frontMatter.trim() === "" || Result.isFailure(before) || hasExpectedFields(text, before.success, values))
    return text
  // The front matter is written as a whole, since a flow mapping such as `{ a: 1 }` has no separate lines for its keys.
  const fields = new Map([...Object.entries(before.success), ...values])
  return FrontMatter.write(Object.fromEntries(Array.from(fields).filter(([, value]) => value !== undefined)))
}

/** True if the text is YAML with the fields of `before` and the changed values applied. */
const hasExpectedFields = (
  text: string,
  before: { readonly [name: string]: unknown },
  values: ReadonlyMap<string, unknown>
): boolean => {
  const after = text.trim() === "" ? Result.succeed({}) : FrontMatter.read(text)
  if (Result.isFailure(after)) return false
  const names = new Set(Object.keys(before))
  for (const [name, value] of values) {
    if (value === undefined) names.delete(name)
    else names.add(name)
  }
  const actualNames = Object.keys(after.success)
  return actualNames.length === names.size && actualNames.every((name) => names.has(name))
}

const withChangedLines = (frontMatter: string, values: ReadonlyMap<string, unknown>): string => {
  const lines = frontMatter === "" ? [] : frontMatter.split("\n")
  const keys = keyLines(lines)
  const result: Array<string> = []
  const pendingValues = new Map(values)
  let nextLine = 0
  for (const { name, from, to } of keys) {
    result.push(...lines.slice(nextLine, from))
    nextLine = to
    if (!values.has(name)) result.push(...lines.slice(from, to))
    else if (pendingValues.has(name)) {
      const value = pendingValues.get(name)
      pendingValues.delete(name)
      if (value !== undefined) result.push(...withValue(lines.slice(from, to), name, value))
    }
  }
  result.push(...lines.slice(nextLine))
  for (const [name, value] of pendingValues) if (value !== undefined) result.push(...serializeKey(name, value))
  return result.join("\n")
}

/** Matches the key, its colon and the blanks before the value. */
const keyPrefix = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\n]*?)[ \t]*:(?:[ \t]+|$)/

/** Matches a value on one line, and the comment after the value. */
const scalar = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[{|>&*!][^#]*?)([ \t]+#.*)?$/

/** Returns the lines of a key with a new value, in the quotes of the old value. */
const withValue = (lines: ReadonlyArray<string>, name: string, value: unknown): ReadonlyArray<string> => {
  const [line = "", ...more] = lines
  const before = keyPrefix.exec(line)?.[0]
  const old = before === undefined || more.length > 0 ? null : scalar.exec(line.slice(before.length).trimEnd())
  if (old === null || typeof value !== "string") return serializeKey(name, value)
  const [isDoubleQuoted, isSingleQuoted] = [old[1]!.startsWith('"'), old[1]!.startsWith("'")]
  const text = isDoubleQuoted
    ? JSON.stringify(value)
    : isSingleQuoted && !/[\n\t]/.test(value)
      ? `'${value.replaceAll("'", "''")}'`
      : toYaml(value)
  return text.includes("\n") ? serializeKey(name, value) : [`${before}${text}${old[2] ?? ""}`]
}

const toYaml = (value: unknown): string => Yaml.stringify(value, { lineWidth: 0 }).replace(/\n$/, "")

const serializeKey = (name: string, value: unknown): ReadonlyArray<string> =>
  FrontMatter.write({ [name]: value }).split("\n")

const keyPattern =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#&*!|>'"%@`{}[\],:-][^\n]*?|-[^\s:][^\n]*?))[ \t]*:(?:[ \t]|$)/

/** Returns the lines of each key. Blank lines and comments after a value belong to no key. */
const keyLines = (lines: ReadonlyArray<string>): ReadonlyArray<KeyLines> => {
  const result: Array<{ name: string; from: number; to: number }> = []
  for (const [i, line] of lines.entries()) {
    const match = keyPattern.exec(line)
    if (match !== null) result.push({ name: match[1] ?? match[2] ?? match[3]!, from: i, to: i + 1 })
    else if (result.length > 0 && line.trim() !== "" && !line.startsWith("#")) result.at(-1)!.to = i + 1
  }
  return result
}
