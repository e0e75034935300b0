/**
 * Parses the text of a spec: JSON, or else YAML, with numbers as written (see `SpecNumber`) and the position of each
 * value. YAML aliases become the identical object, and `<<` merges mappings.
 *
 * Limits: 200 levels of YAML. JSON has no limit here: `SpecText` limits the value.
 */
import * as Yaml from "yaml"
import * as JsonPositions from "./JsonPositions.ts"
import type { SpecFormat } from "./SpecFormat.ts"
import * as SpecNumber from "./SpecNumber.ts"
import { SpecError } from "./SpecError.ts"

export const maxDepth = 200

/** Property names and item indexes from the root to a value. */
export type Path = ReadonlyArray<string | number>

export interface Position {
  readonly line: number
  readonly column: number
}

export interface Warning {
  readonly message: string
  readonly path: Path
}

export interface SpecSource {
  readonly format: SpecFormat
  readonly value: unknown
  /** YAML values that JSON lacks, and duplicate keys. */
  readonly warnings: ReadonlyArray<Warning>
  /** Returns the positions of values, in the order of their paths; undefined for a path without a value. */
  readonly positions: (paths: ReadonlyArray<Path>) => ReadonlyArray<Position | undefined>
}

export const tooDeep = () => new SpecError(`The spec is nested deeper than ${maxDepth} levels`)

export const parse = (text: string): SpecSource => {
  if (text.trim() === "") throw new SpecError("The spec is empty")
  const start = text.slice(0, 1000).trimStart()
  if (start.startsWith("<")) throw new SpecError("This is HTML or XML, not a spec in JSON or YAML")
  if (!/^[{[]/.test(start)) return parseYaml(text)
  let reason: string
  try {
    const value = SpecNumber.parse(text)
    return { format: "json", value, warnings: [], positions: (paths) => JsonPositions.find(text, paths) }
  } catch (error) {
    reason = messageOf(error)
  }
  try {
    // YAML allows comments and trailing commas, which JSON does not.
    return parseYaml(text)
  } catch {
    throw new SpecError(`The spec is not valid JSON: ${reason}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const options = { uniqueKeys: false, logLevel: "error", prettyErrors: false, merge: false } as const

const parseYaml = (text: string): SpecSource => {
  const lineCounter = new Yaml.LineCounter()
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset)
    return { line, column: col }
  }
  let document: Yaml.Document.Parsed
  try {
    document = Yaml.parseDocument(text, { ...options, lineCounter })
  } catch (error) {
    const message = messageOf(error)
    // The parser recurses, and reports a stack overflow like any other error.
    throw message.includes("call stack") ? tooDeep() : new SpecError(`The spec is not valid YAML: ${message}`)
  }
  const { errors } = document
  if (errors.length > 0) {
    if (errors.some(({ message }) => message.includes("call stack"))) throw tooDeep()
    throw new SpecError(
      ...errors.map(({ message, pos }) => {
        const { line, column } = positionAt(pos[0])
        return `The spec is not valid YAML: ${message} (line ${line}, column ${column})`
      })
    )
  }
  const reader = new YamlReader()
  const value = reader.read(document.contents, [])
  return {
    format: "yaml",
    value,
    warnings: reader.warnings,
    positions: (paths) =>
      paths.map((path) => {
        const offset = offsetOf(document.contents, path)
        return offset === undefined ? undefined : positionAt(offset)
      })
  }
}

class YamlReader {
  readonly warnings: Array<Warning> = []
  readonly #anchors = new Map<string, unknown>()

  read(node: unknown, path: Path): unknown {
    if (path.length > maxDepth) throw tooDeep()
    if (Yaml.isAlias(node)) {
      if (!this.#anchors.has(node.source)) {
        throw new SpecError(`The spec is not valid YAML: the alias *${node.source} stands within itself`)
      }
      return this.#anchors.get(node.source)
    }
    const value = Yaml.isMap(node)
      ? this.#map(node, path)
      : Yaml.isSeq(node)
        ? node.items.map((item, i) => this.read(item, [...path, i]))
        : Yaml.isScalar(node)
          ? this.#scalar(node, path)
          : null
    if (Yaml.isNode(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, value)
    return value
  }

  #map({ items }: Yaml.YAMLMap, path: Path): unknown {
    const entries = new Map<string, unknown>()
    const merged: Array<unknown> = []
    for (const { key, value } of items) {
      const name = nameOf(key)
      if (name === mergeKey && Yaml.isScalar(key) && key.type === "PLAIN") {
        const mergeValue = this.read(value, [...path, name])
        merged.push(...(Array.isArray(mergeValue) ? mergeValue : [mergeValue]))
        continue
      }
      if (entries.has(name)) {
        this.warnings.push({ message: `"${name}" stands here twice: the last one counts`, path: [...path, name] })
      }
      entries.set(name, this.read(value, [...path, name]))
    }
    for (const mapping of merged) {
      if (typeof mapping !== "object" || mapping === null) continue
      for (const [name, value] of Object.entries(mapping)) if (!entries.has(name)) entries.set(name, value)
    }
    return Object.fromEntries(entries)
  }

  #scalar({ value, source }: Yaml.Scalar, path: Path): unknown {
    if (typeof value === "number") {
      const number = SpecNumber.preserved(value, source ?? String(value))
      if (typeof number !== "number" || Number.isFinite(number)) return number
      this.warnings.push({ message: `JSON has no number ${source}: it is read as a text`, path })
      return source ?? String(value)
    }
    return typeof value === "string" || typeof value === "boolean" || value === null ? value : (source ?? String(value))
  }
}

const mergeKey = "<<"

/** Returns a key as a string, as in JSON; a number is kept as written. */
const nameOf = (key: unknown): string => {
  if (!Yaml.isScalar(key)) return Yaml.isNode(key) ? String(key) : ""
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value))
}

const offsetOf = (contents: unknown, path: Path): number | undefined => {
  let node = contents
  let offset = rangeOf(node)
  for (const part of path) {
    if (Yaml.isMap(node)) {
      const pair = node.items.findLast(({ key }) => nameOf(key) === String(part))
      if (pair === undefined) return offset
      offset = rangeOf(pair.key) ?? offset
      node = pair.value
    } else if (Yaml.isSeq(node)) {
      node = node.items[Number(part)]
      offset = rangeOf(node) ?? offset
    } else return offset
  }
  return offset
}

const rangeOf = (node: unknown): number | undefined => (Yaml.isNode(node) ? node.range?.[0] : undefined)
