/**
 * Applies the edit of a block to its source by a three-way merge of texts. The base is the block as printed before the
 * edit. Source formatting that the printer would change is preserved. The edit is the difference between the two
 * printed texts, and wins if both changed one part.
 *
 * The result may parse differently, so the caller parses it again.
 */
import type { WorkBudget } from "../alignment/WorkBudget.ts"
import { matchEqual } from "../alignment/SequenceMatch.ts"

/** Smallest part that is replaced: a word or punctuation character, or a line. */
export type Unit = "word" | "line"

export interface Printed {
  readonly before: string
  readonly after: string
}

export const merge = (source: string, { after, before }: Printed, unit: Unit, effort: WorkBudget): string => {
  if (before === after) return source
  const [own, was, is] = [linesOf(source), linesOf(before), linesOf(after)]
  if (own.length !== was.length || own.length === 1) {
    return unit === "line" ? mergeTokens(own, was, is, effort) : mergeWords(source, before, after, effort)
  }
  // Lines of the source and of the base correspond one to one.
  let merged = ""
  let at = 0
  for (const { from, to, text } of hunks(numbered(was, is), effort)) {
    const changed = is.slice(...text).join("")
    merged += own.slice(at, from).join("")
    merged +=
      unit === "line" || from === to
        ? changed
        : mergeWords(own.slice(from, to).join(""), was.slice(from, to).join(""), changed, effort)
    at = to
  }
  return merged + own.slice(at).join("")
}

/** Splits a text into lines, each with the line feed before it. */
const linesOf = (text: string): ReadonlyArray<string> => text.split(/(?=\n)/)

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"
const token = new RegExp(
  [
    `[${unspaced}]`,
    `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`,
    "\\\\[!-/:-@[-`{-~]",
    "&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});",
    "[ \\t]+",
    "[^]"
  ].join("|"),
  "gu"
)

const mergeWords = (source: string, before: string, after: string, effort: WorkBudget): string => {
  const [own, was, is] = [source, before, after].map((text) => text.match(token) ?? [])
  return mergeTokens(own!, was!, is!, effort)
}

type Tokens = ReadonlyArray<string>

interface Hunk {
  /** Range in the base. */
  readonly from: number
  readonly to: number
  /** Range in the other text that replaces the range of the base. */
  readonly text: readonly [from: number, to: number]
  readonly isEdit?: boolean
}

const mergeTokens = (source: Tokens, before: Tokens, after: Tokens, effort: WorkBudget): string => {
  const [own, was, is] = numbered(source, before, after)
  const edits = hunks([was!, is!], effort).map((hunk) => ({ ...hunk, isEdit: true }))
  const all: Array<Hunk> = [...hunks([was!, own!], effort), ...edits]
  const isBlankFirst = (hunk: Hunk) => hunk.isEdit !== true && /^\s/.test(source[hunk.text[0]] ?? "")
  // At one offset, a hunk of the source comes before an insertion of the edit, unless it starts with white space.
  all.sort((a, b) => a.from - b.from || a.to - b.to || Number(isBlankFirst(a)) - Number(isBlankFirst(b)))
  let merged = ""
  let at = 0
  for (let i = 0; i < all.length;) {
    const { from } = all[i]!
    let { to } = all[i]!
    let next = i + 1
    for (; next < all.length && all[next]!.from < to; next++) to = Math.max(to, all[next]!.to)
    merged += before.slice(at, from).join("")
    const changed = all.slice(i, next).filter(({ isEdit }) => isEdit)
    const [first, last] = [changed[0], changed.at(-1)]
    merged +=
      first === undefined || last === undefined
        ? source.slice(...all[i]!.text).join("")
        : after.slice(first.text[0] - (first.from - from), last.text[1] + (to - last.to)).join("")
    at = to
    i = next
  }
  return merged + before.slice(at).join("")
}

/** Numbers the parts of texts, so that equal parts have equal numbers. */
const numbered = (...texts: ReadonlyArray<Tokens>): ReadonlyArray<ReadonlyArray<number>> => {
  const numbers = new Map<string, number>()
  const numberOf = (part: string) => {
    const known = numbers.get(part)
    if (known !== undefined) return known
    numbers.set(part, numbers.size)
    return numbers.size - 1
  }
  return texts.map((parts) => parts.map(numberOf))
}

/** Returns the ranges in which two sequences differ, in order. */
const hunks = ([was, is]: ReadonlyArray<ReadonlyArray<number>>, effort: WorkBudget): ReadonlyArray<Hunk> => {
  const found: Array<Hunk> = []
  let [from, start] = [0, 0]
  for (const [i, j] of [...matchEqual(was!, is!, effort), [was!.length, is!.length] as const]) {
    if (i > from || j > start) found.push({ from, to: i, text: [start, j] })
    ;[from, start] = [i + 1, j + 1]
  }
  return found
}
