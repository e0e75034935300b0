/**
 * Parses YAML from clients in linear time. Two features of the library take quadratic time and are disabled: the check
 * for equal keys and the search of the line of each error. This module replaces both.
 *
 * Limits: 100 aliases. The caller must limit the length.
 */
// Imported from the module, since the entry point "effect" would load the whole library into threads that only parse.
import * as Result from "effect/Result"
import * as Yaml from "yaml"

const maxAliasCount = 100

/** A position in a text. Lines and columns start at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface PositionedYaml {
  readonly value: unknown
  /** Returns the position of the key or item at a path. Of a missing one, returns that of its parent. */
  readonly positionOf: (path: ReadonlyArray<string | number>) => Position
}

export interface YamlFailure extends Position {
  readonly message: string
}

/** Parses YAML. Fails with a sentence that states the first error and its position. */
export const parseYaml = (text: string): Result.Result<unknown, string> =>
  Result.mapBoth(parsePositioned(text), {
    onSuccess: ({ value }) => value,
    onFailure: ({ message, line, column }) => (line === 0 ? message : `${message} at line ${line}, column ${column}`)
  })

/** Parses YAML, for problems with positions. The line of a failure without a position is 0. */
export const parsePositioned = (text: string): Result.Result<PositionedYaml, YamlFailure> => {
  const lines = new Yaml.LineCounter()
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const failAt = (message: string, at: number) => Result.fail({ message, ...positionAt(at) })
  try {
    const document = Yaml.parseDocument(text, {
      lineCounter: lines,
      logLevel: "error",
      prettyErrors: false,
      uniqueKeys: false
    })
    const [error] = document.errors
    if (error !== undefined) return failAt(error.message, error.pos[0])
    const duplicateOffset = duplicateKeyOffset(document)
    if (duplicateOffset !== undefined) return failAt("Map keys must be unique", duplicateOffset)
    return Result.succeed({
      value: document.toJS({ maxAliasCount }),
      positionOf: (path) => positionAt(offsetOf(document, path))
    })
  } catch (error) {
    return Result.fail({ message: error instanceof Error ? error.message : String(error), line: 0, column: 0 })
  }
}

const offsetOf = ({ contents }: Yaml.Document, path: ReadonlyArray<string | number>): number => {
  let node: unknown = contents
  let offset = 0
  for (const part of path) {
    if (Yaml.isMap(node)) {
      const pair = node.items.find(({ key }) => Yaml.isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) break
      offset = (pair.key as Yaml.Scalar).range?.[0] ?? offset
      node = pair.value
    } else if (Yaml.isSeq(node)) {
      node = node.items[Number(part)]
      if (!Yaml.isNode(node)) break
      offset = node.range?.[0] ?? offset
    } else break
  }
  return offset
}

/** Returns the offset of a key that occurred before in its mapping. Undefined if all keys are unique. */
const duplicateKeyOffset = (document: Yaml.Document): number | undefined => {
  let offset: number | undefined
  Yaml.visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!Yaml.isScalar(key)) continue
        if (keys.has(key.value)) {
          offset = key.range?.[0] ?? 0
          return Yaml.visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    }
  })
  return offset
}
