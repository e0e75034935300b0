/**
 * Parses runs of `*`, `_` and `~` as emphasis by the rules of CommonMark (see also `Flanking`). A closing run searches
 * for the nearest opening run, and a failed search is not repeated.
 *
 * Limits: inlines nest 100 deep; runs that would exceed the limit, and all later ones, are text.
 */
import type { InlineSource } from "./Content.ts"
import { flanking, kindAfter, kindBefore, strictFlanking } from "./Flanking.ts"
import type { Inline } from "./SyntaxTree.ts"

export const maxDepth = 100

export interface Delimiter {
  readonly type: "delimiter"
  readonly code: number
  readonly from: number
  /**
   * `length`: number of characters in the source. `start`, `end`: range of the characters that no emphasis uses yet.
   */
  readonly length: number
  start: number
  end: number
  readonly opens: boolean
  readonly closes: boolean
}

/** An open `[` or `![`. */
export interface Bracket {
  readonly type: "bracket"
  readonly isImage: boolean
  readonly from: number
  /**
   * `contentStart`: offset of the bracket's content in the text. `entryIndex`: index of the bracket among the entries.
   */
  readonly contentStart: number
  readonly entryIndex: number
}

/** Inline, or delimiter whose role is not determined yet. */
export type Entry = Inline | Delimiter | Bracket

const underscore = 95
const tilde = 126

/** Returns the run of delimiters that starts at `from`. */
export const delimiterAt = (text: string, from: number): Delimiter => {
  const code = text.charCodeAt(from)
  let end = from + 1
  while (text.charCodeAt(end) === code) end++
  const [before, after] = [kindBefore(text, from), kindAfter(text, end)]
  let { opens, closes } = flanking(before, after, false)
  if (code === tilde) {
    if (end - from > 2) opens = closes = false
  } else {
    opens ||= text.charCodeAt(end) === tilde
    closes ||= text.charCodeAt(from - 1) === tilde
    if (code === underscore) ({ opens, closes } = strictFlanking(before, after, opens, closes))
  }
  return { type: "delimiter", code, from, length: end - from, start: from, end, opens, closes }
}

/** Nesting depth of inlines with children. Default: 1. */
export type Depths = Map<Inline, number>

export const depthOf = (children: ReadonlyArray<Inline>, depths: Depths): number => {
  let deepest = 0
  for (const child of children) {
    if (child.type !== "text" && "children" in child) deepest = Math.max(deepest, depths.get(child) ?? 1)
  }
  return deepest + 1
}

/** Converts entries to inlines: pairs delimiters as emphasis, and turns the rest into text. */
export const resolveEmphasis = (
  entries: ReadonlyArray<Entry>,
  content: InlineSource,
  depths: Depths
): Array<Inline> => {
  if (!entries.some(isUnresolved)) return entries as Array<Inline>
  const result: Array<Entry> = []
  /**
   * `openers`: indexes in `result` of runs that may open emphasis. `lowestOpeners`: index in `openers` below which no
   * opener exists, by kind of run.
   */
  const openers: Array<number> = []
  const lowestOpeners = new Map<number, number>()
  let isTooDeep = false
  for (const entry of entries) {
    if (entry.type !== "delimiter") {
      result.push(entry)
      continue
    }
    while (entry.closes && entry.start < entry.end && !isTooDeep) {
      const at = findOpener(entry, result, openers, lowestOpeners)
      if (at === -1) break
      const openerIndex = openers[at]!
      const opener = result[openerIndex] as Delimiter
      const size =
        entry.code === tilde ? entry.length : entry.end - entry.start > 1 && opener.end - opener.start > 1 ? 2 : 1
      const children = toInlines(result, openerIndex + 1, content)
      const depth = depthOf(children, depths)
      if (depth > maxDepth) {
        isTooDeep = true
        break
      }
      const from = opener.end - size
      const node: Inline = {
        type: entry.code === tilde ? "delete" : size === 2 ? "strong" : "emphasis",
        from: content.toSourceOffset(from),
        to: content.toSourceOffset(entry.start + size - 1) + 1,
        children
      }
      if (depth > 1) depths.set(node, depth)
      opener.end = from
      entry.start += size
      const isConsumed = opener.start === opener.end
      result.length = isConsumed ? openerIndex : openerIndex + 1
      result.push(node)
      openers.length = isConsumed ? at : at + 1
      for (const [kind, below] of lowestOpeners) if (below > openers.length) lowestOpeners.set(kind, openers.length)
    }
    if (entry.start === entry.end) continue
    if (entry.opens) openers.push(result.length)
    result.push(entry)
  }
  return toInlines(result, 0, content)
}

const isUnresolved = ({ type }: Entry): boolean => type === "delimiter" || type === "bracket"

const findOpener = (
  closer: Delimiter,
  result: ReadonlyArray<Entry>,
  openers: ReadonlyArray<number>,
  lowestOpeners: Map<number, number>
): number => {
  const { code, length, opens } = closer
  const kind = code * 8 + (code === tilde ? length : (length % 3) * 2 + (opens ? 1 : 0))
  const below = lowestOpeners.get(kind) ?? 0
  for (let at = openers.length - 1; at >= below; at--) {
    const opener = result[openers[at]!] as Delimiter
    if (opener.code !== code) continue
    if (code === tilde) {
      if (opener.length === length) return at
    } else if (!((opens || opener.closes) && length % 3 !== 0 && (opener.length + length) % 3 === 0)) return at
  }
  lowestOpeners.set(kind, openers.length)
  return -1
}

/** Converts the entries of `result` from an index on: delimiters become text, and adjacent texts are joined. */
const toInlines = (result: ReadonlyArray<Entry>, from: number, content: InlineSource): Array<Inline> => {
  const inlines: Array<Inline> = []
  for (let i = from; i < result.length; i++) {
    const entry = result[i]!
    pushInline(inlines, inlineOf(entry, content))
  }
  return inlines
}

const inlineOf = (entry: Entry, content: InlineSource): Inline => {
  if (entry.type === "delimiter") {
    const { code, start, end } = entry
    const value = String.fromCharCode(code).repeat(end - start)
    return { type: "text", from: content.toSourceOffset(start), to: content.toSourceOffset(end - 1) + 1, value }
  }
  if (entry.type !== "bracket") return entry
  const { isImage, from, contentStart } = entry
  return {
    type: "text",
    from: content.toSourceOffset(from),
    to: content.toSourceOffset(contentStart - 1) + 1,
    value: isImage ? "![" : "["
  }
}

/** Appends an inline. Joins it with the last one if both are text. */
export const pushInline = (inlines: Array<Inline | Entry>, inline: Inline): void => {
  const last = inlines.at(-1)
  if (inline.type === "text" && last?.type === "text") {
    inlines[inlines.length - 1] = { type: "text", from: last.from, to: inline.to, value: last.value + inline.value }
  } else inlines.push(inline)
}
