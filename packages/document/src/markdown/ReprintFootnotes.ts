/**
 * The footnotes of annotations in the text of a page: what explains a piece of text stands elsewhere in it. One that
 * says something else is printed anew where it stands, and one that nothing has any more goes. Those of new
 * annotations are printed with their text (see `AnnotationFootnotes`).
 */
import type { Block, Document } from "../Document.ts"
import { bodiesIn, contentOf } from "./AnnotationFootnotes.ts"
import { type Print, reprint, type Written } from "./Reprint.ts"

interface Footnote {
  readonly from: number
  readonly to: number
  /** Undefined where nothing has it any more. */
  readonly body: ReadonlyArray<Block> | undefined
  readonly was: ReadonlyArray<Block>
}

/** The text in which the annotations of `before`, which was read of it, have the bodies of those of `after`. */
export const exchanged = (
  { ranges, text }: Pick<Written, "text" | "ranges">,
  before: Document,
  after: Document,
  print: Print
): string => {
  const bodies = bodiesIn(after)
  const changed: Array<Footnote> = []
  for (const [label, was] of bodiesIn(before)) {
    const body = bodies.get(label)
    if (body !== undefined && contentOf(body) === contentOf(was)) continue
    const [from, to] = [ranges.get(was[0]!)?.from, ranges.get(was.at(-1)!)?.to]
    if (from !== undefined && to !== undefined) changed.push({ from, to, body, was })
  }
  // From the end, so that the ranges of those before stay as they are.
  return changed
    .sort((a, b) => b.from - a.from)
    .reduce((all, { body, from, to, was }) => {
      if (body === undefined) return without(all, from, to)
      const printed = reprint({ text: all, from, nodes: was, ranges }, body, print)
      return printed === undefined ? all : all.slice(0, from) + printed
    }, text)
}

/** The text without a footnote, and with the longer one of the gaps around it. */
const without = (text: string, bodyFrom: number, to: number): string => {
  const from = text.lastIndexOf("[^", bodyFrom)
  const before = /\n*$/.exec(text.slice(0, from))![0]
  const behind = /^\n*/.exec(text.slice(to))![0]
  const rest = text.slice(to + behind.length)
  const gap = rest === "" || before.length < behind.length ? behind : before
  return text.slice(0, from - before.length) + gap + rest
}
