/**
 * Parses and writes the id of a heading. It is written as an empty link to itself at the end of the heading. Also
 * parsed is the syntax of other programs: `{#id}` with classes or other attributes, which are ignored, `{: #id}`, and
 * MDX comments. Lists of only classes, such as `{: .no_toc}` and `{.wide}`, are removed.
 */
import type { Phrase } from "./print/Phrase.ts"
import type { Inline } from "./syntax/SyntaxTree.ts"

export interface WithId {
  readonly children: ReadonlyArray<Inline>
  readonly id?: string
}

const element = /^<a href="#([^"<>\s]+)" id="([^"<>\s]+)">$/

/** Splits the content of a heading from its id. `source`: the parsed text. */
export const split = (children: ReadonlyArray<Inline>, source: string): WithId =>
  asElement(children) ?? asBehind(children, source) ?? { children }

const asElement = (children: ReadonlyArray<Inline>): WithId | undefined => {
  const end = children.at(-1)
  const start = children.at(-2)
  if (end?.type !== "html" || end.value !== "</a>" || start?.type !== "html") return undefined
  const found = element.exec(start.value)
  if (found === null || found[1] !== found[2]) return undefined
  return { children: trimmed(children.slice(0, -2)), id: found[1]! }
}

const maxBehind = 300

// Patterns of an id, and of items without an id.
const name = String.raw`#([^\s{}#*/"<>\\]{1,200})`
const other = String.raw`(?:(?:\.[\w-]+)+|[\w-]+=(?:"[^"{}]*"|[^\s"{}]+))`
const asValue = String.raw`id=(?:"([^\s{}"<>\\]{1,200})"|'([^\s{}'"<>\\]{1,200})')`
const inBraces = String.raw`\{:?[ \t]*(?:${other}[ \t]+)*(?:${name}|${asValue})(?:[ \t]+${other})*[ \t]*\}`
const withoutName = String.raw`\{(?::[ \t]*${other}|[ \t]*(?:\.[A-Za-z_-][\w-]*)+)(?:[ \t]+${other})*[ \t]*\}`
const inComment = String.raw`\{/\*[ \t]*#?([^\s{}#*/"<>\\]{1,200})[ \t]*\*/\}`
const behind = new RegExp(String.raw`(?<![{%$\\])(?:${inBraces}|${inComment}|${withoutName})$`)

/** Returns the braces at the end of a line, and the id in them. `id`: undefined if the braces contain none. */
export const behindIn = (line: string): { readonly id: string | undefined; readonly written: string } | undefined => {
  const found = line.endsWith("}") ? behind.exec(line.slice(-maxBehind)) : null
  return found === null ? undefined : { id: found.slice(1).find((id) => id !== undefined), written: found[0] }
}

const asBehind = (children: ReadonlyArray<Inline>, source: string): WithId | undefined => {
  const end = children.at(-1)
  if (end?.type !== "text" || !end.value.endsWith("}")) return undefined
  const found = behindIn(source.slice(children[0]!.from, end.to))
  if (found === undefined) return undefined
  const from = end.to - found.written.length
  const rest = children.filter((child) => child.from < from)
  const cut = rest.at(-1)
  if (cut !== undefined && cut.to > from) {
    const written = source.slice(from, cut.to)
    if (cut.type !== "text" || !cut.value.endsWith(written)) return undefined
    rest[rest.length - 1] = { ...cut, to: from, value: cut.value.slice(0, -written.length) }
  }
  const left = trimmed(rest)
  // Braces without other text are the text of the heading.
  if (left.length === 0) return undefined
  return found.id === undefined ? { children: left } : { children: left, id: found.id }
}

/** Removes white space and breaks at the end. */
const trimmed = (children: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
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
export const escaped = (text: string): string => {
  const own = behindIn(text)
  return own === undefined ? text : `${text.slice(0, -own.written.length)}\\${own.written}`
}
