/**
 * A quote that begins with `[!NOTE]` on a line of its own, as GitHub has them, which is a hint. Five kinds become
 * the four styles of hints.
 */
import type { Block, Blockquote, Paragraph } from "./syntax/SyntaxTree.ts"

const styles: ReadonlyMap<string, string> = new Map([
  ["NOTE", "info"],
  ["IMPORTANT", "info"],
  ["TIP", "success"],
  ["WARNING", "warning"],
  ["CAUTION", "danger"]
])

const marker = /^\[!([A-Z]+)\][ \t]*(?:\n|$)/i

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
  const style = styles.get(found?.[1]?.toUpperCase() ?? "")
  if (text?.type !== "text" || found === null || style === undefined) return undefined
  if (!source.startsWith(found[0].trimEnd(), text.from)) return undefined
  const said = text.value.slice(found[0].length)
  // Something else than the end of a line follows: `[!NOTE]**bold**`.
  if (!found[0].endsWith("\n") && inlines.length > 0) return undefined
  if (said === "" && inlines.length === 0) return { style, children: rest }
  const behind = inlines[0]?.from ?? first.to
  const paragraph: Paragraph = {
    type: "paragraph",
    from: said === "" ? behind : nextLineAt(source, text.from),
    to: first.to,
    children: said === "" ? inlines : [{ ...text, value: said }, ...inlines]
  }
  return { style, children: [paragraph, ...rest] }
}

/** Start of the text on the line behind an offset; marks of quotes stand before it. */
const nextLineAt = (source: string, at: number): number => {
  textAt.lastIndex = source.indexOf("\n", at) + 1
  textAt.test(source)
  return textAt.lastIndex
}

const textAt = /[ \t>]*/y
