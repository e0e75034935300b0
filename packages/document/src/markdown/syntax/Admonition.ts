/**
 * A hint as Docusaurus and others have it: blocks between a line `:::note` and a line `:::`. A title may stand behind
 * the name, in brackets or not; a line with a name that is not known is text. One in another has fewer colons, or is
 * closed first.
 */
import { isSpace } from "./Characters.ts"
import * as HintStyles from "./HintStyles.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const colon = 58

/** The beginning of a line that could begin one. */
export const opening = new RegExp(`^:{3,}[ \\t]*(?:${HintStyles.commonNames.join("|")})(?![a-z])`)

export interface Start {
  readonly colons: number
  readonly style: string
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number] | undefined
}

const headAt = /:{3,}[ \t]*([a-z]+)/y

export const startAt = ({ text, next, end }: LineCursor): Start | undefined => {
  headAt.lastIndex = next
  const head = headAt.exec(text)
  const style = HintStyles.ofCommon(head?.[1] ?? "")
  if (head === null || style === undefined) return undefined
  let from = headAt.lastIndex
  let to = end
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  const colons = colonsAt(text, next)
  if (from >= to) return { colons, style, title: undefined }
  const isApart = isSpace(text.charCodeAt(from))
  while (isSpace(text.charCodeAt(from))) from++
  if (text[from] === "[" && text[to - 1] === "]" && to - from > 2) return { colons, style, title: [from + 1, to - 1] }
  return isApart && text[from] !== "[" && text[from] !== "{" ? { colons, style, title: [from, to] } : undefined
}

const colonsAt = (text: string, from: number): number => {
  let at = from
  while (text.charCodeAt(at) === colon) at++
  return at - from
}

/** How many colons end one here; 0 where none do. */
export const endAt = ({ text, next, end, indent }: LineCursor): number => {
  const colons = indent > 3 ? 0 : colonsAt(text, next)
  let after = next + colons
  while (after < end && isSpace(text.charCodeAt(after))) after++
  return colons < 3 || after < end ? 0 : colons
}

/** The blocks of one that is none after all, with its lines as text around them. So those of tabs. */
export const asText = (node: Tree.Admonition | Tree.Tabs): ReadonlyArray<Tree.Block> => {
  if (node.type === "tabs") return node.children.flatMap((tab) => [lineOf(tab.first, tab.from), ...tab.children])
  const { from, to, first, last, hasTitle, otherwise, children } = node
  if (otherwise !== undefined) return [otherwise]
  return [
    lineOf(first, from),
    ...(hasTitle ? children.slice(1) : children),
    ...(last === undefined ? [] : [lineOf(last, to - last.length)])
  ]
}

const lineOf = (value: string, from: number): Tree.Paragraph => {
  const range = { from, to: from + value.length }
  return { type: "paragraph", ...range, children: [{ type: "text", ...range, value }] }
}

/** Offset of the last line of a text that could end one; -1 where none could. */
export const lastEnd = (text: string): number => {
  for (let at = text.lastIndexOf(":::"); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(":::", at - 1)) {
    let end = at + 3
    while (isSpace(text.charCodeAt(end))) end++
    if (end >= text.length || text.charCodeAt(end) === 10) return text.lastIndexOf("\n", at) + 1
  }
  return -1
}
