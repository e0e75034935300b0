/**
 * Parses a blockquote that starts with `[!NOTE]`, as on GitHub, or with another name of Obsidian, as a hint. Text after
 * the marker on the same line is the title, and becomes a bold paragraph. If the blockquote contains nothing else, this
 * text is the content of the hint. The `+` or `-` of a foldable callout is ignored.
 */
import * as HintStyles from "./syntax/HintStyles.ts"
import type { Block, Blockquote, Inline, Paragraph } from "./syntax/SyntaxTree.ts"

const marker = /^\[!([A-Z]+)\][+-]?(?:[ \t]+|(?=\n)|$)/i

export interface Alert {
  readonly style: string
  /** Blocks of the hint, without the marker. */
  readonly children: ReadonlyArray<Block>
}

/** Returns the hint of a blockquote; undefined if it has no valid marker or its marker is escaped in the source. */
export const read = ({ children: [first, ...rest] }: Blockquote, source: string): Alert | undefined => {
  if (first?.type !== "paragraph") return undefined
  const [text, ...inlines] = first.children
  const found = text?.type === "text" ? marker.exec(text.value) : null
  const style = HintStyles.ofQuote(found?.[1]?.toLowerCase() ?? "")
  if (text?.type !== "text" || found === null || style === undefined) return undefined
  if (!source.startsWith(found[0].trimEnd(), text.from)) return undefined
  const said = text.value.slice(found[0].length)
  // Content other than white space or a line end directly follows: `[!NOTE]**bold**`.
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

/** Splits inlines into those of the first line and those below it. */
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

/** Returns the start of the text on the line after an offset, past white space and `>` markers. */
const nextLineAt = (source: string, at: number): number => {
  textAt.lastIndex = source.indexOf("\n", at) + 1
  textAt.test(source)
  return textAt.lastIndex
}

const textAt = /[ \t>]*/y
