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

/** Parses YAML. Fails with a sentence that states the first error and its position. */
export const parseYaml = (text: string): Result.Result<unknown, string> => {
  const lines = new Yaml.LineCounter()
  const failAt = (message: string, at: number) => {
    const { line, col } = lines.linePos(at)
    return Result.fail(`${message} at line ${line}, column ${col}`)
  }
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
    return Result.succeed(document.toJS({ maxAliasCount }))
  } catch (error) {
    return Result.fail(error instanceof Error ? error.message : String(error))
  }
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
