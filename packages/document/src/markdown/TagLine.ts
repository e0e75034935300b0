/**
 * One `{% … %}` line: its name and attributes, read and written. A quoted value may go on over
 * several lines.
 *
 * Limits: 8,192 characters, 65,536 for the block of an integration; what is longer is text.
 */
import { oneLine } from "./OneLine.ts"

export interface TagLine {
  /** `hint`, or `@name/block` for a block of an integration. */
  readonly name: string
  /** Argument without a name behind the tag's name: a quoted text, or the condition of an `if`. */
  readonly argument?: string
  readonly attributes: ReadonlyArray<Attribute>
}

/** `literal`: of an integration's block, a value that does not stand in double quotes, where it may be JSON. */
export type Attribute = readonly [name: string, value: string, literal?: "literal"]

export const maxLength = (isIntegration: boolean): number => (isIntegration ? 65_536 : 8192)

const sign = /[ \t]*@/y

/** Tells whether the text behind a `{%` names the block of an integration. */
export const isIntegration = (text: string, at: number): boolean => {
  sign.lastIndex = at
  return sign.test(text)
}

const nameAt = /\{%\s*(@[\w.-]+\/[\w.-]+|[a-zA-Z][\w-]*)/y
const conditionAt = /\s+(\S[^]*?)\s*%\}$/y
const argumentAt = /\s+(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)')/y
const attributeAt =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y
const endAt = /\s*%\}$/y

/**
 * Behind the quote that ends a value of an integration's block. The hosted service writes those that
 * stand in such a value as they are, so any other is part of it.
 */
export const behindValue = /[ \t]*%\}[ \t]*$|[ \t]+[a-zA-Z][\w-]*[ \t]*=/my
const integrationAttributeAt =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\[^]|"(?![ \t]*%\}$|[ \t]+[a-zA-Z][\w-]*[ \t]*=))*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y

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
  const attributes: Array<Attribute> = []
  const names = new Set<string>()
  const nextAt = name.startsWith("@") ? integrationAttributeAt : attributeAt
  for (;;) {
    nextAt.lastIndex = at
    const attribute = nextAt.exec(line)
    if (attribute === null) break
    const [, key, double, single, bare] = attribute
    if (names.has(key!)) return undefined
    names.add(key!)
    const value = unescape(double ?? single ?? bare!)
    attributes.push(double === undefined && name.startsWith("@") ? [key!, value, "literal"] : [key!, value])
    at = nextAt.lastIndex
  }
  endAt.lastIndex = at
  return endAt.test(line) ? { name, ...argument, attributes } : undefined
}

export const print = ({ name, argument, attributes }: TagLine): string => {
  let line = `{% ${name}`
  if (argument !== undefined) line += name === "if" ? ` ${conditionLine(argument)}` : ` "${escape(argument)}"`
  for (const [attribute, value, literal] of attributes) {
    line += literal === undefined ? ` ${attribute}="${escape(value)}"` : ` ${attribute}='${escape(value, "'")}'`
  }
  return `${line} %}`
}

const escaped = /\\([!-/:-@[-`{-~])/g
const blankLine = /^[ \t]+$/gm
const unescape = (value: string): string => {
  const text = value.includes("\n") ? value.replace(blankLine, "") : value
  return text.includes("\\") ? text.replace(escaped, "$1") : text
}

const escape = (value: string, quote = '"'): string =>
  value
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(/\r\n?/g, "\n")
    // What would begin a list, a quote or a footnote on a line of its own.
    .replace(/\n[ \t]*(?:[-+*>[]|\d+[.)])/g, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`)

/** A condition is written without quotes around it, so it stays on its line. */
const conditionLine = (condition: string): string => oneLine(condition.trim())
