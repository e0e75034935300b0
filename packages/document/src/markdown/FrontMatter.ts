/**
 * Parses the front matter of a Markdown file: YAML between two lines `---` at the start (see `FrontMatterBlock`).
 *
 * Limit: 100 aliases.
 */
// Imported from "effect/Result", since importing "effect" would load the whole package into threads that only parse.
import * as Result from "effect/Result"
import * as Yaml from "yaml"
import * as YamlText from "../YamlText.ts"

export { join, split } from "./FrontMatterBlock.ts"

type Fields = Result.Result<{ readonly [name: string]: unknown }, string>

/** The last parsed front matter. The front matter of one page is often requested several times in a row. */
let lastParsed: { readonly text: string; readonly fields: Fields } | undefined

/** Returns the fields. Fails with a sentence if the front matter is not a YAML mapping. */
export const read = (frontMatter: string): Fields => {
  if (lastParsed?.text !== frontMatter) lastParsed = { text: frontMatter, fields: parse(frontMatter) }
  return lastParsed.fields
}

const parse = (frontMatter: string): Fields =>
  Result.flatMap(YamlText.parseYaml(frontMatter), (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Result.succeed(value as { readonly [name: string]: unknown })
      : Result.fail("The front matter is no mapping")
  )

export const write = (values: { readonly [name: string]: unknown }): string =>
  Object.keys(values).length === 0 ? "" : Yaml.stringify(values, { lineWidth: 0 }).replace(/\n$/, "")
