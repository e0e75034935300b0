/**
 * One `{% … %}` line: its name and attributes, read and written.
 *
 * Limits: a line of 8,192 characters; a longer one is text.
 */
export interface TagLine {
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>
}

export const maxLength = 8192

const nameAt = /\{%\s*([a-zA-Z][\w-]*)/y
const attributeAt =
  /\s+([a-zA-Z][\w-]*)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s"'=%{}]+))/y
const endAt = /\s*%\}$/y

/** The tag that a line is, or undefined where it is not written as one. */
export const parse = (line: string): TagLine | undefined => {
  nameAt.lastIndex = 0
  const start = nameAt.exec(line)
  if (start === null) return undefined
  let at = nameAt.lastIndex
  const attributes: Array<readonly [string, string]> = []
  const names = new Set<string>()
  for (;;) {
    attributeAt.lastIndex = at
    const attribute = attributeAt.exec(line)
    if (attribute === null) break
    const [, name, double, single, bare] = attribute
    if (names.has(name!)) return undefined
    names.add(name!)
    attributes.push([name!, unescape(double ?? single ?? bare!)])
    at = attributeAt.lastIndex
  }
  endAt.lastIndex = at
  return endAt.test(line) ? { name: start[1]!, attributes } : undefined
}

export const print = ({ name, attributes }: TagLine): string => {
  let line = `{% ${name}`
  for (const [attribute, value] of attributes) line += ` ${attribute}="${escape(value)}"`
  return `${line} %}`
}

const escaped = /\\([!-/:-@[-`{-~])/g
const unescape = (value: string): string => (value.includes("\\") ? value.replace(escaped, "$1") : value)

const escape = (value: string): string =>
  value
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replaceAll('"', '\\"')
    .replace(/[\r\n]+/g, " ")
