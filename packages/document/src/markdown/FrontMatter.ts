/**
 * Splits and parses the front matter of a Markdown file: YAML between two lines `---` at the start. Text between two
 * such lines that is not a mapping is content, such as a divider or a heading.
 *
 * Limits: 64 KiB, 100 aliases.
 */
// Imported from "effect/Result", since importing "effect" would load the whole package into threads that only parse.
import * as Result from "effect/Result"
import * as Yaml from "yaml"
import * as YamlText from "../YamlText.ts"

const maxLength = 64 * 1024

export const split = (text: string): { readonly frontMatter?: string; readonly body: string } => {
  const start = /^---[ \t]*\n/.exec(text)
  if (start === null) return { body: text }
  const from = start[0].length
  const head = text.slice(from - 1, from + maxLength)
  const end = /\n---[ \t]*(?:\n|$)/.exec(head)
  if (end === null || (end.index + end[0].length === head.length && !isLineStart(text, from - 1 + head.length))) {
    return { body: text }
  }
  const frontMatter = head.slice(1, end.index)
  if (frontMatter.trim() === "" || !isMapping(frontMatter)) return { body: text }
  return { frontMatter, body: text.slice(from - 1 + end.index + end[0].length) }
}

export const join = (frontMatter: string | undefined, body: string): string => {
  if (frontMatter === undefined || frontMatter.trim() === "") return body
  const head = `---\n${frontMatter}\n---\n`
  return body === "" ? head : `${head}\n${body}`
}

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

// A mapping with a syntax error still counts as a mapping if its first line after comments is `name:`.
const isMapping = (text: string): boolean => firstKey.test(text) || Result.isSuccess(read(text))

const firstKey = /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:[\p{L}\p{N}_.-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:(?:\s|$)/u

const isLineStart = (text: string, at: number): boolean => at >= text.length || text.charCodeAt(at - 1) === 10
