/**
 * Reads YAML that others wrote, in time that grows with its length: the parser itself compares each
 * key of a mapping with all before it, and finds for each of its complaints the line again.
 *
 * Limits: 100 aliases. Its length is for whoever reads it to limit.
 */
// Not from "effect", which is all of it: a thread that only parses would load that, too.
import * as Result from "effect/Result"
import * as Yaml from "yaml"

const maxAliasCount = 100

/** Reads YAML; fails with a sentence that tells where the text is none. */
export const read = (text: string): Result.Result<unknown, string> => {
  const lines = new Yaml.LineCounter()
  const failed = (message: string, at: number) => {
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
    if (error !== undefined) return failed(error.message, error.pos[0])
    const twice = secondOfEqualKeys(document)
    if (twice !== undefined) return failed("Map keys must be unique", twice)
    return Result.succeed(document.toJS({ maxAliasCount }))
  } catch (error) {
    return Result.fail(error instanceof Error ? error.message : String(error))
  }
}

/** Offset of a key that its mapping had before. */
const secondOfEqualKeys = (document: Yaml.Document): number | undefined => {
  let found: number | undefined
  Yaml.visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>()
      for (const { key } of items) {
        if (!Yaml.isScalar(key)) continue
        if (known.has(key.value)) {
          found = key.range?.[0] ?? 0
          return Yaml.visit.BREAK
        }
        known.add(key.value)
      }
      return undefined
    }
  })
  return found
}
