/**
 * Parses and writes the id of a heading. It is written as an empty link to itself at the end of the heading. Also
 * parsed is the syntax of the dialects, such as `{#id}` with classes or other attributes, which are ignored. Lists of
 * only classes, such as `{: .no_toc}` and `{.wide}`, are removed.
 */
import { headingBraces } from "./dialect/Dialects.ts"
import type { Phrase } from "./print/Phrase.ts"
import type { Inline } from "./syntax/SyntaxTree.ts"

export interface HeadingContent {
  readonly children: ReadonlyArray<Inline>
  readonly id?: string
}

const element = /^<a href="#([^"<>\s]+)" id="([^"<>\s]+)">$/

/** Splits the content of a heading from its id. `source`: the parsed text. */
export const split = (children: ReadonlyArray<Inline>, source: string): HeadingContent =>
  splitElementId(children) ?? splitBraces(children, source) ?? { children }

const splitElementId = (children: ReadonlyArray<Inline>): HeadingContent | undefined => {
  const end = children.at(-1)
  const start = children.at(-2)
  if (end?.type !== "html" || end.value !== "</a>" || start?.type !== "html") return undefined
  const match = element.exec(start.value)
  if (match === null || match[1] !== match[2]) return undefined
  return { children: trimEnd(children.slice(0, -2)), id: match[1]! }
}

const maxBracesLength = 300

const trailingBraces = new RegExp(String.raw`(?<![{%$\\])(?:${headingBraces.join("|")})$`)

/** Returns the braces at the end of a line, and the id in them. `id`: undefined if the braces contain none. */
export const trailingBracesIn = (
  line: string
): { readonly id: string | undefined; readonly source: string } | undefined => {
  const match = line.endsWith("}") ? trailingBraces.exec(line.slice(-maxBracesLength)) : null
  return match === null ? undefined : { id: match.slice(1).find((id) => id !== undefined), source: match[0] }
}

const splitBraces = (children: ReadonlyArray<Inline>, source: string): HeadingContent | undefined => {
  const end = children.at(-1)
  if (end?.type !== "text" || !end.value.endsWith("}")) return undefined
  const braces = trailingBracesIn(source.slice(children[0]!.from, end.to))
  if (braces === undefined) return undefined
  const from = end.to - braces.source.length
  const rest = children.filter((child) => child.from < from)
  const lastChild = rest.at(-1)
  if (lastChild !== undefined && lastChild.to > from) {
    const removed = source.slice(from, lastChild.to)
    if (lastChild.type !== "text" || !lastChild.value.endsWith(removed)) return undefined
    rest[rest.length - 1] = { ...lastChild, to: from, value: lastChild.value.slice(0, -removed.length) }
  }
  const heading = trimEnd(rest)
  // Braces without other text are the text of the heading.
  if (heading.length === 0) return undefined
  return braces.id === undefined ? { children: heading } : { children: heading, id: braces.id }
}

/** Removes white space and breaks at the end. */
const trimEnd = (children: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const rest = [...children]
  for (let last = rest.pop(); last !== undefined; last = rest.pop()) {
    if (last.type === "break") continue
    const value = last.type === "text" ? last.value.trimEnd() : undefined
    if (value === "") continue
    return [...rest, last.type === "text" ? { ...last, value: value! } : last]
  }
  return rest
}

export const join = (phrases: ReadonlyArray<Phrase>, id: unknown): ReadonlyArray<Phrase> =>
  typeof id !== "string" || !/^[^"<>\s]+$/.test(id)
    ? phrases
    : [
        ...phrases,
        ...(phrases.length > 0 ? [{ type: "text", value: " " } as const] : []),
        { type: "verbatim", value: `<a href="#${id}" id="${id}">` },
        { type: "verbatim", value: "</a>" }
      ]

/** Escapes the printed text of a heading, so that no id is parsed at its end. */
export const escapeBraces = (text: string): string => {
  const braces = trailingBracesIn(text)
  return braces === undefined ? text : `${text.slice(0, -braces.source.length)}\\${braces.source}`
}
