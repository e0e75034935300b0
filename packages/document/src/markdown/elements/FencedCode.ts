/** Fenced code among the parts of a text, and the title that its first line states. */
import type { Element, ElementNode } from "./ElementTree.ts"

/** Returns the index after the last line of the code that starts at an index. */
export const endOf = (nodes: ReadonlyArray<ElementNode>, from: number): number => {
  let to = from + 1
  for (let node = nodes[to]; node?.type === "text" && node.code === "rest"; node = nodes[to]) to++
  return to
}

const info = /^([`~]{3,})[ \t]*([^\s`{]*)[ \t]*(.*)$/
const titleAttribute = /[ \t]*\b(?:title|filename)=(?:"([^"]*)"|'([^']*)'|\{"([^"]*)"\})/
/** Attributes and flags of other programs after the language. */
const attribute =
  /\{[^{}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|\{[^{}]*\}|\S+)|\b(?:wrap|lines|expandable|showLineNumbers|twoslash|copy|live|noInline)\b/g

/** Returns the title in an attribute of the first line. */
export const namedTitle = (line: string): string | undefined => {
  const match = titleAttribute.exec(line)
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim() || undefined
}

/**
 * Returns the title of code in a group: an attribute, or the text after the language without its brackets, or the
 * language.
 */
export const title = (line: string): string | undefined => {
  const [, , language = "", rest = ""] = info.exec(line) ?? []
  const text = rest.replace(attribute, "").replace(/\s+/g, " ").trim()
  return namedTitle(line) ?? /^\[(.+)\]$/.exec(text)?.[1] ?? (text || language || undefined)
}

/** Returns the first line without its title. */
export const withoutTitle = (line: string): string => {
  if (namedTitle(line) !== undefined) return line.replace(titleAttribute, "").trimEnd()
  const [, fence = "", language = "", rest = ""] = info.exec(line) ?? []
  return `${fence}${language} ${(rest.match(attribute) ?? []).join(" ")}`.trimEnd()
}

/** Returns a fence that is longer than each fence in the lines. */
export const fenceFor = (lines: ReadonlyArray<string>): string =>
  lines.reduce((fence, line) => {
    const length = /^[ \t]*(`{3,})/.exec(line)?.[1]?.length ?? 0
    return length >= fence.length ? "`".repeat(length + 1) : fence
  }, "```")

/** Returns the lines between the tags of an element, without their common indentation. */
export const sourceBetween = ({ close, open }: Element, sourceLines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = close ?? open
  const whole = sourceLines.slice(open.from, last.to).join("\n")
  const from = whole.indexOf(open.tag.source) + open.tag.source.length
  const to = close === undefined ? from : whole.lastIndexOf(close.tag.source)
  const lines = whole.slice(from, Math.max(from, to)).split("\n")
  while (lines.length > 0 && lines[0]!.trim() === "") lines.shift()
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop()
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)![0].length)
  const indent = indents.reduce((least, one) => Math.min(least, one), indents[0] ?? 0)
  return lines.map((line) => line.slice(indent))
}
