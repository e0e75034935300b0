/** A Markdown file in its original form: where its parts start, and its style, so that new text looks like the rest. */
import { paired } from "./EqualParts.ts"
import * as FrontMatter from "./FrontMatter.ts"
import { standard, type Style } from "./print/Style.ts"
import * as Syntax from "./Syntax.ts"

export interface WrittenText {
  /** Text, as `Syntax.normalise` returns it. */
  readonly text: string
  /** Offset of the body in the text, after the front matter. */
  readonly bodyFrom: number
  readonly style: Style
  /** Applies the line ends and the byte order mark of the file to another text. */
  readonly written: (text: string) => string
}

export const of = (file: string): WrittenText => {
  const text = Syntax.normalise(file)
  const mark = file.startsWith("\uFEFF") ? "\uFEFF" : ""
  return {
    text,
    bodyFrom: text.length - FrontMatter.split(text).body.length,
    style: styleOf(text),
    written: (other) => mark + withLineEnds(other, text, file)
  }
}

/**
 * Returns a text with the line ends of the corresponding lines of the file. New lines get the most frequent line end.
 */
const withLineEnds = (text: string, before: string, file: string): string => {
  const ends = file.match(/\r\n|\r|\n/g) ?? []
  const counts = new Map<string, number>()
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1)
  const [[usual] = ["\n"]] = [...counts].sort(([, a], [, b]) => b - a)
  if (counts.size < 2) return usual === "\n" ? text : text.replaceAll("\n", usual)
  const [was, is] = [before.split("\n"), text.split("\n")]
  const pairs = paired(was, is)
  const endAt = (i: number) => ends[pairs[i] ?? (was.length === is.length ? i : -1)] ?? usual
  return is.map((line, i) => (i === is.length - 1 ? line : line + endAt(i))).join("")
}

/** Returns the most frequent forms in a text. Forms that do not occur default to those of `standard`. */
const styleOf = (text: string): Style => ({
  bullet: mostOf(text, standard.bullet, [
    ["*", /^[ \t>]*\*[ \t]+[^\s*]/gm],
    ["-", /^[ \t>]*-[ \t]+[^\s-]/gm],
    ["+", /^[ \t>]*\+[ \t]+\S/gm]
  ]),
  emphasis: mostOf(text, standard.emphasis, [
    ["_", /(?<![\w_])_[^\s_]/g],
    ["*", /(?<![\w*])\*[^\s*]/g]
  ]),
  fence: mostOf(text, standard.fence, [
    ["`", /^[ \t>]*```/gm],
    ["~", /^[ \t>]*~~~/gm]
  ]),
  cellPadding: oftener(text, /^[ \t>]*\|[^\s|]/gm, /^[ \t>]*\|[ \t]/gm) ? "" : " ",
  lineEnd: "\n"
})

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const oftener = (text: string, one: RegExp, other: RegExp): boolean => count(text, one) > count(text, other)

const mostOf = <A>(text: string, standard: A, forms: ReadonlyArray<readonly [A, RegExp]>): A => {
  let most = 0
  let found = standard
  for (const [form, pattern] of forms) {
    const times = count(text, pattern)
    if (times > most) [most, found] = [times, form]
  }
  return found
}
