/**
 * The block between two `---` at the start of a text: its front matter, if its lines look like a YAML mapping. Other
 * text between two thematic breaks is content. Needs no parser of YAML (see `FrontMatter`), which is large.
 *
 * Limit: 64 KiB.
 */

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

/**
 * True if the text looks like a mapping. It may still have syntax errors, which its readers report. The first line after
 * comments starts with `name:`, or each line that is not indented starts with a key, or the text is in braces.
 */
const isMapping = (text: string): boolean => {
  if (firstKey.test(text)) return true
  const lines = text.split("\n").filter((line) => !/^[ \t]*(?:#.*)?$/.test(line))
  const [first = ""] = lines
  if (/^[ \t]*\{(?!%)/.test(first)) return /\}[ \t]*(?:#.*)?$/.test(lines.at(-1)!)
  const indent = /^ */.exec(first)![0]
  let hasValue = true
  return lines.every((line) => {
    if (!line.startsWith(indent)) return false
    const rest = line.slice(indent.length)
    if (/^[ \t]/.test(rest)) return true
    const [key, value = ""] = keyLine.exec(rest) ?? []
    if (key === undefined) return !hasValue && /^-(?:[ \t]|$)/.test(rest)
    hasValue = !/^(?:#|$)/.test(value)
    return !invalidValue.test(value)
  })
}

const firstKey = /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:[\p{L}\p{N}_.-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:(?:\s|$)/u

/** Matches a key that YAML reads as text, and captures the value on its line. */
const keyLine =
  /^(?:"(?:[^"\\]|\\.)+"[ \t]*|'(?:[^']|'')+'[ \t]*|(?![-?:](?:[ \t]|$))[^\s#&*!|>'"%@`{}[\],](?:(?!:[ \t]|:$|[ \t]#)[^\n])*):(?:[ \t]+([^\n]*))?$/

/** Matches a value that is invalid in YAML: with a reserved first character, or text that contains a key. */
const invalidValue = /^(?:[@`%,\]}]|[^"'[{|>#&*!\s](?:(?![ \t]#|:[ \t]|:$)[^\n])*:(?:[ \t]|$))/

const isLineStart = (text: string, at: number): boolean => at >= text.length || text.charCodeAt(at - 1) === 10
