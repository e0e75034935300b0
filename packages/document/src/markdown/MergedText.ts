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

export interface PrintedTexts {
  readonly before: string
  readonly after: string
}

export const mergeText = (source: string, { after, before }: PrintedTexts, unit: Unit, budget: WorkBudget): string => {
  if (before === after) return source
  const [sourceParts, partsBefore, partsAfter] = [splitLines(source), splitLines(before), splitLines(after)]
  if (sourceParts.length !== partsBefore.length || sourceParts.length === 1) {
    return unit === "line"
      ? mergeTokens(sourceParts, partsBefore, partsAfter, budget)
      : mergeWords(source, before, after, budget)
  }
  // Lines of the source and of the base correspond one to one.
  let mergedText = ""
  let position = 0
  for (const { from, to, text } of diffHunks(toNumbers(partsBefore, partsAfter), budget)) {
    const changedText = partsAfter.slice(...text).join("")
    mergedText += sourceParts.slice(position, from).join("")
    mergedText +=
      unit === "line" || from === to
        ? changedText
        : mergeWords(sourceParts.slice(from, to).join(""), partsBefore.slice(from, to).join(""), changedText, budget)
    position = to
  }
  return mergedText + sourceParts.slice(position).join("")
}

/** Splits a text into lines, each with the line feed before it. */
const splitLines = (text: string): ReadonlyArray<string> => text.split(/(?=\n)/)

const unspacedScripts = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"
const tokenPattern = new RegExp(
  [
    `[${unspacedScripts}]`,
    `(?:(?![${unspacedScripts}])[\\p{L}\\p{N}\\p{M}])+`,
    "\\\\[!-/:-@[-`{-~]",
    "&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});",
    "[ \\t]+",
    "[^]"
  ].join("|"),
  "gu"
)

const mergeWords = (source: string, before: string, after: string, budget: WorkBudget): string => {
  const [sourceParts, partsBefore, partsAfter] = [source, before, after].map((text) => text.match(tokenPattern) ?? [])
  return mergeTokens(sourceParts!, partsBefore!, partsAfter!, budget)
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

const mergeTokens = (source: Tokens, before: Tokens, after: Tokens, budget: WorkBudget): string => {
  const [sourceParts, partsBefore, partsAfter] = toNumbers(source, before, after)
  const edits = diffHunks([partsBefore!, partsAfter!], budget).map((hunk) => ({ ...hunk, isEdit: true }))
  const hunks: Array<Hunk> = [...diffHunks([partsBefore!, sourceParts!], budget), ...edits]
  const isBlankFirst = (hunk: Hunk) => hunk.isEdit !== true && /^\s/.test(source[hunk.text[0]] ?? "")
  // At one offset, a hunk of the source comes before an insertion of the edit, unless it starts with white space.
  hunks.sort((a, b) => a.from - b.from || a.to - b.to || Number(isBlankFirst(a)) - Number(isBlankFirst(b)))
  let mergedText = ""
  let position = 0
  for (let i = 0; i < hunks.length;) {
    const { from } = hunks[i]!
    let { to } = hunks[i]!
    let nextIndex = i + 1
    for (; nextIndex < hunks.length && hunks[nextIndex]!.from < to; nextIndex++) to = Math.max(to, hunks[nextIndex]!.to)
    mergedText += before.slice(position, from).join("")
    const editHunks = hunks.slice(i, nextIndex).filter(({ isEdit }) => isEdit)
    const [first, last] = [editHunks[0], editHunks.at(-1)]
    mergedText +=
      first === undefined || last === undefined
        ? source.slice(...hunks[i]!.text).join("")
        : after.slice(first.text[0] - (first.from - from), last.text[1] + (to - last.to)).join("")
    position = to
    i = nextIndex
  }
  return mergedText + before.slice(position).join("")
}

/** Numbers the parts of texts, so that equal parts have equal numbers. */
const toNumbers = (...texts: ReadonlyArray<Tokens>): ReadonlyArray<ReadonlyArray<number>> => {
  const numbers = new Map<string, number>()
  const numberOf = (part: string) => {
    const existing = numbers.get(part)
    if (existing !== undefined) return existing
    numbers.set(part, numbers.size)
    return numbers.size - 1
  }
  return texts.map((parts) => parts.map(numberOf))
}

/** Returns the ranges in which two sequences differ, in order. */
const diffHunks = (
  [partsBefore, partsAfter]: ReadonlyArray<ReadonlyArray<number>>,
  budget: WorkBudget
): ReadonlyArray<Hunk> => {
  const result: Array<Hunk> = []
  let [from, start] = [0, 0]
  for (const [i, j] of [
    ...matchEqual(partsBefore!, partsAfter!, budget),
    [partsBefore!.length, partsAfter!.length] as const
  ]) {
    if (i > from || j > start) result.push({ from, to: i, text: [start, j] })
    ;[from, start] = [i + 1, j + 1]
  }
  return result
}
