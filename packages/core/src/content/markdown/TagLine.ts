/**
 * One `{% … %}` line: its name and attributes, read and written. A quoted value may go on over
 * several lines.
 *
 * Limits: 8,192 characters; what is longer is text.
 */
import { oneLine } from "./OneLine.ts"

export interface TagLine {
  /** `hint`, or `@name/block` for a block of an integration. */
  readonly name: string
  /** What follows the name without a name of its own: a quoted text, or the condition of an `if`. */
  readonly argument?: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>
}

export const maxLength = 8192

const nameAt = /\{%\s*(@[a-zA-Z][\w-]*\/[a-zA-Z][\w-]*|[a-zA-Z][\w-]*)/y
const conditionAt = /\s+(\S[^]*?)\s*%\}$/y
const argumentAt = /\s+(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)')/y
const attributeAt =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y
const endAt = /\s*%\}$/y

/** The tag that a line is, or undefined where it is not written as one. */
export const parse = (line: string): TagLine | undefined => {
  nameAt.lastIndex = 0
  const start = nameAt.exec(line)
  if (start === null) return undefined
  let at = nameAt.lastIndex
  const name = start[1]!
  if (name === "if") {
    conditionAt.lastIndex = at
    const condition = conditionAt.exec(line)
    if (condition !== null) return { name, argument: condition[1]!, attributes: [] }
  }
  argumentAt.lastIndex = at
  const quoted = argumentAt.exec(line)
  if (quoted !== null) at = argumentAt.lastIndex
  const argument = quoted === null ? {} : { argument: unescape(quoted[1] ?? quoted[2]!) }
  const attributes: Array<readonly [string, string]> = []
  const names = new Set<string>()
  for (;;) {
    attributeAt.lastIndex = at
    const attribute = attributeAt.exec(line)
    if (attribute === null) break
    const [, key, double, single, bare] = attribute
    if (names.has(key!)) return undefined
    names.add(key!)
    attributes.push([key!, unescape(double ?? single ?? bare!)])
    at = attributeAt.lastIndex
  }
  endAt.lastIndex = at
  return endAt.test(line) ? { name, ...argument, attributes } : undefined
}

export const print = ({ name, argument, attributes }: TagLine): string => {
  let line = `{% ${name}`
  if (argument !== undefined) line += name === "if" ? ` ${conditionLine(argument)}` : ` "${escape(argument)}"`
  for (const [attribute, value] of attributes) line += ` ${attribute}="${escape(value)}"`
  return `${line} %}`
}

const escaped = /\\([!-/:-@[-`{-~])/g
const blankLine = /^[ \t]+$/gm
const unescape = (value: string): string => {
  const text = value.includes("\n") ? value.replace(blankLine, "") : value
  return text.includes("\\") ? text.replace(escaped, "$1") : text
}

const escape = (value: string): string =>
  value
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n?/g, "\n")
    // What would begin a list, a quote or a footnote on a line of its own.
    .replace(/\n[ \t]*(?:[-+*>[]|\d+[.)])/g, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`)

/** A condition is written without quotes around it, so it stays on its line. */
const conditionLine = (condition: string): string => oneLine(condition.trim())
