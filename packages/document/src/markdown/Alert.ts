/**
 * A quote that begins with `[!NOTE]`, as GitHub has them, or with one of the other names that Obsidian has, which is a
 * hint. A title may stand behind it, and becomes a paragraph in bold; where nothing else is in the quote it is all that
 * the hint says, and no title. The `+` or `-` of one that can be folded says nothing here.
 */
import * as HintStyles from "./syntax/HintStyles.ts"
import type { Block, Blockquote, Inline, Paragraph } from "./syntax/SyntaxTree.ts"

const marker = /^\[!([A-Z]+)\][+-]?(?:[ \t]+|(?=\n)|$)/i

export interface Alert {
  readonly style: string
  /** The blocks in it, without the marker. */
  readonly children: ReadonlyArray<Block>
}

/** Undefined where the quote is none, as one whose marker is escaped in the text. */
export const read = ({ children: [first, ...rest] }: Blockquote, source: string): Alert | undefined => {
  if (first?.type !== "paragraph") return undefined
  const [text, ...inlines] = first.children
  const found = text?.type === "text" ? marker.exec(text.value) : null
  const style = HintStyles.ofQuote(found?.[1]?.toLowerCase() ?? "")
  if (text?.type !== "text" || found === null || style === undefined) return undefined
  if (!source.startsWith(found[0].trimEnd(), text.from)) return undefined
  const said = text.value.slice(found[0].length)
  // Something else than a blank or the end of a line follows: `[!NOTE]**bold**`.
  if (said === "" && !/[ \t]$/.test(found[0]) && inlines.length > 0) return undefined
  const from = text.from + found[0].length
  const all = said === "" ? inlines : [{ ...text, from, value: said }, ...inlines]
  const { line, below } = atLineEnd(all, source)
  const paragraphs: Array<Paragraph> = []
  const [start, end] = [line[0]?.from, line.at(-1)?.to]
  if (start !== undefined && end !== undefined) {
    const isTitle = below.length > 0 || rest.length > 0
    const title: Inline = { type: "strong", from: start, to: end, children: line }
    paragraphs.push({ type: "paragraph", from: start, to: end, children: isTitle ? [title] : line })
  }
  if (below[0] !== undefined) paragraphs.push({ type: "paragraph", from: below[0].from, to: first.to, children: below })
  return { style, children: [...paragraphs, ...rest] }
}

/** The text on the first line, and that on those below it. */
const atLineEnd = (inlines: ReadonlyArray<Inline>, source: string) => {
  for (const [i, inline] of inlines.entries()) {
    if (inline.type === "break") return { line: inlines.slice(0, i), below: inlines.slice(i + 1) }
    const end = inline.type === "text" ? inline.value.indexOf("\n") : -1
    if (inline.type !== "text" || end === -1) continue
    const to = source.indexOf("\n", inline.from)
    const [before, behind] = [inline.value.slice(0, end), inline.value.slice(end + 1)]
    return {
      line: [...inlines.slice(0, i), ...(before === "" ? [] : [{ ...inline, to, value: before }])],
      below: [
        ...(behind === "" ? [] : [{ ...inline, from: nextLineAt(source, inline.from), value: behind }]),
        ...inlines.slice(i + 1)
      ]
    }
  }
  return { line: inlines, below: [] }
}

/** Start of the text on the line behind an offset; marks of quotes stand before it. */
const nextLineAt = (source: string, at: number): number => {
  textAt.lastIndex = source.indexOf("\n", at) + 1
  textAt.test(source)
  return textAt.lastIndex
}

const textAt = /[ \t>]*/y
