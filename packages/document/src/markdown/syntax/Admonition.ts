/**
 * Parses hints in the syntax of Docusaurus: blocks between a line `:::note` and a line `:::`. An optional title follows
 * the name, with or without brackets. A line with an unknown name is text. A nested hint has fewer colons than the
 * outer hint, or is closed first.
 */
import { isSpace } from "./Characters.ts"
import * as HintStyles from "./HintStyles.ts"
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

const colon = 58

/** Matches the start of a line that could open a hint. */
export const opening = new RegExp(`^:{3,}[ \\t]*(?:${HintStyles.commonNames.join("|")})(?![a-z])`)

export interface HintStart {
  readonly colons: number
  readonly style: string
  /** Offsets of the title in the text. */
  readonly title: readonly [from: number, to: number] | undefined
}

const openingLine = /:{3,}[ \t]*([a-z]+)/y

export const startAt = ({ text, next, end }: LineCursor): HintStart | undefined => {
  openingLine.lastIndex = next
  const head = openingLine.exec(text)
  const style = HintStyles.commonStyle(head?.[1] ?? "")
  if (head === null || style === undefined) return undefined
  let from = openingLine.lastIndex
  let to = end
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  const colons = countColons(text, next)
  if (from >= to) return { colons, style, title: undefined }
  const hasSpace = isSpace(text.charCodeAt(from))
  while (isSpace(text.charCodeAt(from))) from++
  if (text[from] === "[" && text[to - 1] === "]" && to - from > 2) return { colons, style, title: [from + 1, to - 1] }
  return hasSpace && text[from] !== "[" && text[from] !== "{" ? { colons, style, title: [from, to] } : undefined
}

const countColons = (text: string, from: number): number => {
  let at = from
  while (text.charCodeAt(at) === colon) at++
  return at - from
}

/** Returns the number of colons of the closing line at the cursor; 0 if the line closes no hint. */
export const endAt = ({ text, next, end, indent }: LineCursor): number => {
  const colons = indent > 3 ? 0 : countColons(text, next)
  let after = next + colons
  while (after < end && isSpace(text.charCodeAt(after))) after++
  return colons < 3 || after < end ? 0 : colons
}

/**
 * Returns blocks that replace an invalid hint or invalid tabs: the `fallback` block of a hint, or else the child
 * blocks, with the opening and closing lines as text.
 */
export const toTextBlocks = (node: Tree.Admonition | Tree.Tabs): ReadonlyArray<Tree.Block> => {
  if (node.type === "tabs") return node.children.flatMap((tab) => [lineParagraph(tab.first, tab.from), ...tab.children])
  const { from, to, openingLine, closingLine, hasTitle, fallback, children } = node
  if (fallback !== undefined) return [fallback]
  return [
    lineParagraph(openingLine, from),
    ...(hasTitle ? children.slice(1) : children),
    ...(closingLine === undefined ? [] : [lineParagraph(closingLine, to - closingLine.length)])
  ]
}

const lineParagraph = (value: string, from: number): Tree.Paragraph => {
  const range = { from, to: from + value.length }
  return { type: "paragraph", ...range, children: [{ type: "text", ...range, value }] }
}

/** Returns the offset of the last line of a text that could close a hint; -1 if no line could. */
export const lastClosingLine = (text: string): number => {
  for (let at = text.lastIndexOf(":::"); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(":::", at - 1)) {
    let end = at + 3
    while (isSpace(text.charCodeAt(end))) end++
    if (end >= text.length || text.charCodeAt(end) === 10) return text.lastIndexOf("\n", at) + 1
  }
  return -1
}
