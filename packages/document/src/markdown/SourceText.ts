/** A Markdown file in its original form: where its parts start, and its style, so that new text looks like the rest. */
import { pairEqualParts } from "./EqualParts.ts"
import * as FrontMatterBlock from "./FrontMatterBlock.ts"
import { standardStyle, type Style } from "./print/Style.ts"
import * as Syntax from "./Syntax.ts"

export interface SourceText {
  /** Text, as `Syntax.normalizeText` returns it. */
  readonly text: string
  /** Offset of the body in the text, after the front matter. */
  readonly bodyStart: number
  readonly style: Style
  /** Applies the line ends and the byte order mark of the file to another text. */
  readonly withFileFormat: (text: string) => string
}

export const readSourceText = (file: string): SourceText => {
  const text = Syntax.normalizeText(file)
  const byteOrderMark = file.startsWith("\uFEFF") ? "\uFEFF" : ""
  return {
    text,
    bodyStart: text.length - FrontMatterBlock.split(text).body.length,
    style: detectStyle(text),
    withFileFormat: (newText) => byteOrderMark + withLineEnds(newText, text, file)
  }
}

/**
 * Returns a text with the line ends of the corresponding lines of the file. New lines get the most frequent line end.
 */
const withLineEnds = (text: string, before: string, file: string): string => {
  const lineEnds = file.match(/\r\n|\r|\n/g) ?? []
  const counts = new Map<string, number>()
  for (const lineEnd of lineEnds) counts.set(lineEnd, (counts.get(lineEnd) ?? 0) + 1)
  const [[defaultEnd] = ["\n"]] = [...counts].sort(([, a], [, b]) => b - a)
  if (counts.size < 2) return defaultEnd === "\n" ? text : text.replaceAll("\n", defaultEnd)
  const [linesBefore, linesAfter] = [before.split("\n"), text.split("\n")]
  const pairs = pairEqualParts(linesBefore, linesAfter)
  const lineEndAt = (i: number) =>
    lineEnds[pairs[i] ?? (linesBefore.length === linesAfter.length ? i : -1)] ?? defaultEnd
  return linesAfter.map((line, i) => (i === linesAfter.length - 1 ? line : line + lineEndAt(i))).join("")
}

/** Returns the most frequent forms in a text. Forms that do not occur default to those of `standard`. */
const detectStyle = (text: string): Style => ({
  bullet: mostFrequent(text, standardStyle.bullet, [
    ["*", /^[ \t>]*\*[ \t]+[^\s*]/gm],
    ["-", /^[ \t>]*-[ \t]+[^\s-]/gm],
    ["+", /^[ \t>]*\+[ \t]+\S/gm]
  ]),
  emphasis: mostFrequent(text, standardStyle.emphasis, [
    ["_", /(?<![\w_])_[^\s_]/g],
    ["*", /(?<![\w*])\*[^\s*]/g]
  ]),
  fence: mostFrequent(text, standardStyle.fence, [
    ["`", /^[ \t>]*```/gm],
    ["~", /^[ \t>]*~~~/gm]
  ]),
  cellPadding: isMoreFrequent(text, /^[ \t>]*\|[^\s|]/gm, /^[ \t>]*\|[ \t]/gm) ? "" : " ",
  lineEnd: "\n"
})

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const isMoreFrequent = (text: string, one: RegExp, other: RegExp): boolean => count(text, one) > count(text, other)

const mostFrequent = <A>(text: string, standard: A, forms: ReadonlyArray<readonly [A, RegExp]>): A => {
  let highestCount = 0
  let best = standard
  for (const [form, pattern] of forms) {
    const occurrences = count(text, pattern)
    if (occurrences > highestCount) [highestCount, best] = [occurrences, form]
  }
  return best
}
