/**
 * Writes the variables of a space as `.gitbook/vars.yaml`. If the imported file still contains the same variables, its
 * text stays. Otherwise its outdated lines are updated, or, if this fails, the whole text is written again.
 */
import { Equal, Result } from "effect"
import * as Written from "@lectern/document/markdown/SourceText"
import type { VariableValue } from "@lectern/core/content/ContentReader"
import { readYaml } from "../import/GitbookYaml.ts"

type Variables = Readonly<Record<string, VariableValue>>

export const print = (variables: Variables, importedText = ""): string => {
  const before = Result.getOrElse(readYaml(importedText), () => ({}))
  if (Equal.equals(before, variables)) return importedText
  const edited = Written.readSourceText(importedText).withFileFormat(
    updateLines(importedText.replace(/\r\n?/g, "\n"), before, variables)
  )
  const isCorrect = Equal.equals(
    Result.getOrElse(readYaml(edited), () => undefined),
    variables
  )
  return isCorrect
    ? edited
    : Object.keys(variables)
        .sort()
        .map((name) => line(name, variables[name]!))
        .join("")
}

/** Returns the text with new lines for changed variables, and without the lines of removed variables. */
const updateLines = (text: string, before: Readonly<Record<string, unknown>>, after: Variables): string => {
  const remaining = new Set(Object.keys(after))
  const lines: Array<string> = []
  /** True below a line that was replaced or removed. */
  let skipsContinuation = false
  for (const line of text.split(/(?<=\n)/)) {
    if (skipsContinuation && /^[ \t]+\S/.test(line)) continue
    skipsContinuation = false
    const keyText = /^(?![\s#])[^:]+?:(?=\s)/.exec(line)?.[0]
    const [name] = keyText === undefined ? [] : Object.keys(Result.getOrElse(readYaml(`${keyText} 0`), () => ({})))
    if (name === undefined || !Object.hasOwn(before, name)) lines.push(line)
    else if (remaining.delete(name) && before[name] === after[name]) lines.push(line)
    else {
      skipsContinuation = true
      if (!Object.hasOwn(after, name)) continue
      lines.push(`${keyText} ${quoteValue(after[name]!)}${commentOf(line.trimEnd())}\n`)
    }
  }
  if (lines.length > 0 && !lines.at(-1)!.endsWith("\n") && remaining.size > 0) lines.push("\n")
  for (const name of [...remaining].sort()) lines.push(line(name, after[name]!))
  return lines.join("")
}

/** Returns the comment at the end of a line, after the last quote, with the space before it. */
const commentOf = (text: string): string => {
  const afterQuotes = text.slice(Math.max(text.lastIndexOf('"'), text.lastIndexOf("'")) + 1)
  let from = afterQuotes.search(/[ \t]#/)
  if (from === -1) return ""
  while (from > 0 && /[ \t]/.test(afterQuotes[from - 1]!)) from--
  return afterQuotes.slice(from)
}

const line = (name: string, value: VariableValue): string =>
  `${/^[a-z_]\w*$/i.test(name) && !reservedWords.has(name.toLowerCase()) ? name : quoteValue(name)}: ${quoteValue(value)}\n`

/** Names that YAML does not parse as text. */
const reservedWords = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])

// Values are written as JSON, which is valid YAML. Invisible characters are escaped, since an import ignores unescaped
// ones.
const quoteValue = (value: VariableValue): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`
    ).join("")
  )
