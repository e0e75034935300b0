/**
 * Parses and prints one `{% … %}` line: its name and attributes. A quoted value may continue over several lines.
 *
 * Limits: 8,192 characters, or 65,536 for a block of an integration. Longer tags are text.
 */
import { oneLine } from "./OneLine.ts"

export interface TagLine {
  /** Name of the tag, such as `hint`, or `@name/block` for a block of an integration. */
  readonly name: string
  /** Unnamed argument after the tag's name: a quoted text, or the condition of an `if`. */
  readonly argument?: string
  readonly attributes: ReadonlyArray<Attribute>
}

/** `literal`: marks a value of an integration's block that is not in double quotes, and therefore may be JSON. */
export type Attribute = readonly [name: string, value: string, literal?: "literal"]

export const hasNoParameters = ({ attributes, argument }: TagLine): boolean =>
  attributes.length === 0 && argument === undefined

export const maxLength = (isIntegration: boolean): number => (isIntegration ? 65_536 : 8192)

const integrationSign = /[ \t]*@/y

/** True if the text after a `{%` names a block of an integration. */
export const isIntegration = (text: string, at: number): boolean => {
  integrationSign.lastIndex = at
  return integrationSign.test(text)
}

const namePattern = /\{%\s*(@[\w.-]+\/[\w.-]+|[a-zA-Z][\w-]*)/y
const conditionPattern = /\s+(\S[^]*?)\s*%\}$/y
const argumentPattern = /\s+(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)')/y
const attributePattern =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y
const endPattern = /\s*%\}$/y

/**
 * Matches after the quote that ends a value of an integration's block. Quotes within such values may lack escapes, so
 * all other quotes belong to the value.
 */
export const afterValue = /[ \t]*%\}[ \t]*$|[ \t]+[a-zA-Z][\w-]*[ \t]*=/my
const integrationAttributePattern =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\[^]|"(?![ \t]*%\}$|[ \t]+[a-zA-Z][\w-]*[ \t]*=))*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y

/** Returns the tag of a line; undefined if the line is not a tag. */
export const parse = (line: string): TagLine | undefined => {
  namePattern.lastIndex = 0
  const start = namePattern.exec(line)
  if (start === null) return undefined
  let at = namePattern.lastIndex
  const name = start[1]!
  if (name === "if") {
    conditionPattern.lastIndex = at
    const condition = conditionPattern.exec(line)
    if (condition !== null) return { name, argument: condition[1]!, attributes: [] }
  }
  argumentPattern.lastIndex = at
  const quoted = argumentPattern.exec(line)
  if (quoted !== null) at = argumentPattern.lastIndex
  const argument = quoted === null ? {} : { argument: unescape(quoted[1] ?? quoted[2]!) }
  const attributes: Array<Attribute> = []
  const names = new Set<string>()
  const pattern = name.startsWith("@") ? integrationAttributePattern : attributePattern
  for (;;) {
    pattern.lastIndex = at
    const attribute = pattern.exec(line)
    if (attribute === null) break
    const [, key, double, single, bare] = attribute
    if (names.has(key!)) return undefined
    names.add(key!)
    const value = unescape(double ?? single ?? bare!)
    attributes.push(double === undefined && name.startsWith("@") ? [key!, value, "literal"] : [key!, value])
    at = pattern.lastIndex
  }
  endPattern.lastIndex = at
  return endPattern.test(line) ? { name, ...argument, attributes } : undefined
}

export const print = ({ name, argument, attributes }: TagLine): string => {
  let line = `{% ${name}`
  if (argument !== undefined) line += name === "if" ? ` ${conditionLine(argument)}` : ` "${escape(argument)}"`
  for (const [attribute, value, literal] of attributes) {
    line += literal === undefined ? ` ${attribute}="${escape(value)}"` : ` ${attribute}='${escape(value, "'")}'`
  }
  return `${line} %}`
}

const escapedCharacter = /\\([!-/:-@[-`{-~])/g
const blankLine = /^[ \t]+$/gm
const unescape = (value: string): string => {
  const text = value.includes("\n") ? value.replace(blankLine, "") : value
  return text.includes("\\") ? text.replace(escapedCharacter, "$1") : text
}

const escape = (value: string, quote = '"'): string =>
  value
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(/\r\n?/g, "\n")
    // Escapes the start of a line that would start a list, a blockquote or a footnote.
    .replace(/\n[ \t]*(?:[-+*>[]|\d+[.)])/g, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`)

/** Returns a condition on one line, since no quotes enclose it. */
const conditionLine = (condition: string): string => oneLine(condition.trim())
