/** The variables of a space as `.gitbook/vars.yaml`. */
import type { VariableValue } from "../ContentReader.ts"

export const print = (variables: Readonly<Record<string, VariableValue>>): string =>
  Object.keys(variables)
    .sort()
    .map(
      (name) =>
        `${/^[a-z_]\w*$/i.test(name) && !words.has(name.toLowerCase()) ? name : quoted(name)}: ${quoted(variables[name]!)}\n`
    )
    .join("")

/** Names that YAML reads as something else than text. */
const words = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])

// JSON is YAML; an import passes over invisible characters that are not escaped.
const quoted = (value: VariableValue): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`
    ).join("")
  )
