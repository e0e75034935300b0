/**
 * Parses a blockquote that starts with `[!NOTE]`, or with another name of a dialect, as a hint. Text after the marker
 * on the same line is the title, and becomes a bold paragraph. If the blockquote contains nothing else, this text is
 * the content of the hint. The `+` or `-` of a foldable callout is ignored.
 */
import { quoteStyle } from "./dialect/Dialects.ts"
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
  const match = text?.type === "text" ? marker.exec(text.value) : null
  const style = quoteStyle(match?.[1]?.toLowerCase() ?? "")
  if (text?.type !== "text" || match === null || style === undefined) return undefined
  if (!source.startsWith(match[0].trimEnd(), text.from)) return undefined
  const remainder = text.value.slice(match[0].length)
  // Content other than white space or a line end directly follows: `[!NOTE]**bold**`. Two spaces are a line break.
  const isSpaced = inlines[0]?.type === "break" && source[text.from + match[0].length] === " "
  const isFollowed = inlines.length > 0 && !isSpaced
  if (remainder === "" && !/[ \t]$/.test(match[0]) && isFollowed) return undefined
  const from = text.from + match[0].length
  const content = remainder === "" ? inlines : [{ ...text, from, value: remainder }, ...inlines]
  const { line, below: otherLines } = splitFirstLine(content, source)
  const paragraphs: Array<Paragraph> = []
  const [start, end] = [line[0]?.from, line.at(-1)?.to]
  if (start !== undefined && end !== undefined) {
    const isTitle = otherLines.length > 0 || rest.length > 0
    const title: Inline = { type: "strong", from: start, to: end, children: line }
    paragraphs.push({ type: "paragraph", from: start, to: end, children: isTitle ? [title] : line })
  }
  if (otherLines[0] !== undefined)
    paragraphs.push({ type: "paragraph", from: otherLines[0].from, to: first.to, children: otherLines })
  return { style, children: [...paragraphs, ...rest] }
}

/** Splits inlines into those of the first line and those below it. */
const splitFirstLine = (inlines: ReadonlyArray<Inline>, source: string) => {
  for (const [i, inline] of inlines.entries()) {
    if (inline.type === "break") return { line: inlines.slice(0, i), below: inlines.slice(i + 1) }
    const end = inline.type === "text" ? inline.value.indexOf("\n") : -1
    if (inline.type !== "text" || end === -1) continue
    const to = source.indexOf("\n", inline.from)
    const [textBefore, textAfter] = [inline.value.slice(0, end), inline.value.slice(end + 1)]
    return {
      line: [...inlines.slice(0, i), ...(textBefore === "" ? [] : [{ ...inline, to, value: textBefore }])],
      below: [
        ...(textAfter === "" ? [] : [{ ...inline, from: nextLineStart(source, inline.from), value: textAfter }]),
        ...inlines.slice(i + 1)
      ]
    }
  }
  return { line: inlines, below: [] }
}

/** Returns the start of the text on the line after an offset, past white space and `>` markers. */
const nextLineStart = (source: string, at: number): number => {
  linePrefix.lastIndex = source.indexOf("\n", at) + 1
  linePrefix.test(source)
  return linePrefix.lastIndex
}

const linePrefix = /[ \t>]*/y
