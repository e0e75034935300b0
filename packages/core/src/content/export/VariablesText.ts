/**
 * Writes the variables of a space as `.gitbook/vars.yaml`. If the imported file still contains the same variables, its
 * text stays. Otherwise its outdated lines are updated, or, if this fails, the whole text is written again.
 */
import { Equal, Result } from "effect"
import * as Written from "@lectern/document/markdown/WrittenText"
import type { VariableValue } from "../ContentReader.ts"
import { readYaml } from "../import/GitbookYaml.ts"

type Variables = Readonly<Record<string, VariableValue>>

export const print = (variables: Variables, own = ""): string => {
  const before = Result.getOrElse(readYaml(own), () => ({}))
  if (Equal.equals(before, variables)) return own
  const edited = Written.of(own).written(edit(own.replace(/\r\n?/g, "\n"), before, variables))
  const isRight = Equal.equals(
    Result.getOrElse(readYaml(edited), () => undefined),
    variables
  )
  return isRight
    ? edited
    : Object.keys(variables)
        .sort()
        .map((name) => line(name, variables[name]!))
        .join("")
}

/** Returns the text with new lines for changed variables, and without the lines of removed variables. */
const edit = (text: string, before: Readonly<Record<string, unknown>>, after: Variables): string => {
  const left = new Set(Object.keys(after))
  const lines: Array<string> = []
  /** True below a line that was replaced or removed. */
  let isOver = false
  for (const one of text.split(/(?<=\n)/)) {
    if (isOver && /^[ \t]+\S/.test(one)) continue
    isOver = false
    const said = /^(?![\s#])[^:]+?:(?=\s)/.exec(one)?.[0]
    const [name] = said === undefined ? [] : Object.keys(Result.getOrElse(readYaml(`${said} 0`), () => ({})))
    if (name === undefined || !Object.hasOwn(before, name)) lines.push(one)
    else if (left.delete(name) && before[name] === after[name]) lines.push(one)
    else {
      isOver = true
      if (!Object.hasOwn(after, name)) continue
      lines.push(`${said} ${quoted(after[name]!)}${remarkOf(one.trimEnd())}\n`)
    }
  }
  if (lines.length > 0 && !lines.at(-1)!.endsWith("\n") && left.size > 0) lines.push("\n")
  for (const name of [...left].sort()) lines.push(line(name, after[name]!))
  return lines.join("")
}

/** Returns the comment at the end of a line, after the last quote, with the space before it. */
const remarkOf = (text: string): string => {
  const behind = text.slice(Math.max(text.lastIndexOf('"'), text.lastIndexOf("'")) + 1)
  let from = behind.search(/[ \t]#/)
  if (from === -1) return ""
  while (from > 0 && /[ \t]/.test(behind[from - 1]!)) from--
  return behind.slice(from)
}

const line = (name: string, value: VariableValue): string =>
  `${/^[a-z_]\w*$/i.test(name) && !words.has(name.toLowerCase()) ? name : quoted(name)}: ${quoted(value)}\n`

/** Names that YAML does not parse as text. */
const words = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])

// Values are written as JSON, which is valid YAML. Invisible characters are escaped, since an import ignores unescaped
// ones.
const quoted = (value: VariableValue): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`
    ).join("")
  )
