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
 * True if the text looks like a mapping. If its first line after comments starts with `name:`, the other lines may be
 * invalid YAML, which readers report. A first key with other characters, such as a space, could be content. Then each
 * line must be valid YAML, as links, emphasis and task lists mostly are not.
 */
const isMapping = (text: string): boolean => {
  if (firstKey.test(text)) return true
  const lines = text.split("\n").filter((line) => !/^[ \t]*(?:#.*)?$/.test(line))
  return /^[ \t]*\{/.test(lines[0] ?? "") ? isFlowMapping(lines.join("\n")) : isBlockMapping(lines)
}

const firstKey = /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:[\p{L}\p{N}_.-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:(?:\s|$)/u

const isBlockMapping = (lines: ReadonlyArray<string>): boolean => {
  const keys = new Set<string>()
  const topIndent = indentOf(lines[0] ?? "")
  /** Column and value of the previous key or list item. */
  let previous = { column: 0, value: "" }
  for (const line of lines) {
    const indent = indentOf(line)
    if (/^[|>]/.test(previous.value) && indent > previous.column) continue
    const [marks] = /^(?:-(?:[ \t]+|$))*/.exec(line.slice(indent))!
    const column = indent + marks.length
    const rest = line.slice(column).trimEnd()
    const [, key, value = ""] = keyLine.exec(rest) ?? [rest, undefined, rest]
    if (!validValue.test(value) && !isFlowMapping(value)) return false
    if (key === undefined && marks === "") {
      // The line continues the text before it.
      if (indent <= topIndent) return false
      continue
    }
    const isFirst = keys.size === 0
    if (indent < topIndent || (isFirst ? marks !== "" : previous.value !== "" && column > previous.column)) return false
    if (column === topIndent && key !== undefined) {
      if (keys.has(key)) return false
      keys.add(key)
    }
    previous = { column, value: value.replace(/^#.*/, "") }
  }
  return keys.size > 0
}

const indentOf = (line: string): number => /^ */.exec(line)![0].length

/** True for one pair of braces that starts with a key. */
const isFlowMapping = (text: string): boolean => {
  const unquoted = text
    .replace(quotedText, '""')
    .replace(/[ \t]#.*$/gm, "")
    .trimEnd()
  if (!flowMappingStart.test(unquoted)) return false
  let depth = 0
  let end = -1
  for (const { 0: bracket, index } of unquoted.matchAll(/[{}[\]]/g)) {
    depth += /[{[]/.test(bracket) ? 1 : -1
    if (depth === 0 && end === -1) end = index
  }
  return depth === 0 && end === unquoted.length - 1
}

const doubleQuoted = String.raw`"(?:[^"\\\n]|\\.)*"`
const singleQuoted = String.raw`'(?:[^'\n]|'')*'`
/** Text without quotes that YAML reads as one value. */
const plainText = String.raw`(?![-?:](?:[ \t]|$))[^\s#&*!|>'"%@\`{}[\],](?:(?!:[ \t]|:$|[ \t]#)[^\n])*`

/** Matches quoted text, also without its end, so that the time is linear. */
const quotedText = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?/g
const flowMappingStart = /^\s*\{\s*(?:\}|(?:""|[\p{L}\p{N}_.-]+)[ \t]*:)/u

/** Matches a key, and captures the key and the value on its line. */
const keyLine = new RegExp(String.raw`^((?:${doubleQuoted}|${singleQuoted})[ \t]*|${plainText}):(?:[ \t]+(.*)|)$`)

/** Matches a valid value on one line, or the start of a block scalar: `|` or `>`. */
const validValue = new RegExp(
  String.raw`^(?:${plainText}|(?:${doubleQuoted}|${singleQuoted}|[|>][-+\d]*|` +
    String.raw`\[(?:${doubleQuoted}|${singleQuoted}|[^[\]{}"'#&*!@%\`|>:])*\])[ \t]*|)(?:(?:^|[ \t])#.*)?$`
)

const isLineStart = (text: string, at: number): boolean => at >= text.length || text.charCodeAt(at - 1) === 10
