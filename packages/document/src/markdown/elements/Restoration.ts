/**
 * Applies an edit of a converted text to the file that it comes from. Lines that the edit does not change keep their
 * bytes, including lines that the conversion left out.
 *
 * The results may be read differently, so the caller converts and parses them again.
 */
import { matchEqual } from "../../alignment/SequenceMatch.ts"
import type { WorkBudget } from "../../alignment/WorkBudget.ts"
import * as MergedText from "../MergedText.ts"
import * as Syntax from "../Syntax.ts"
import type { Conversion } from "./Conversion.ts"
import type { ConvertedLine } from "./ConvertedLines.ts"
import * as HiddenSource from "./HiddenSource.ts"

/** Returns the edited file in several forms, the closest to the file first. */
export function* candidates(
  file: string,
  { lines, text }: Conversion,
  edited: string,
  { budget, isMdx }: { readonly budget: WorkBudget; readonly isMdx: boolean }
): Generator<string> {
  const source = Syntax.normalizeText(file).split("\n")
  const linesOf = (markdown: string) => (isMdx ? escapeBraces(markdown) : markdown).split("\n")
  const after = edited.split("\n")
  if (text.endsWith("\n") && edited.endsWith("\n")) after.pop()
  const before = lines.map((line) => line.text)
  const hunks = changedHunks(lines, before, after, budget)
  const texts = { source, lines, before: linesOf(text), after: linesOf(edited) }
  const replaceLines = ({ afterText, margin }: ChangedText) =>
    HiddenSource.restore(afterText).replace(/^(?=[^\n])/gm, margin)
  const mergeWords = (changed: ChangedText) => {
    const { afterText, beforeText, sourceText } = changed
    if (sourceText === undefined) return replaceLines(changed)
    const printed = { before: beforeText, after: afterText }
    return HiddenSource.restore(MergedText.mergeText(sourceText, printed, "word", budget))
  }
  const replaceWords = (changed: ChangedText) => replaceUnique(changed) ?? replaceLines(changed)
  for (const merge of [mergeWords, replaceWords, replaceLines]) yield mergeLines(texts, hunks, merge)
  yield HiddenSource.restore(linesOf(edited).join("\n"))
}

const maxContext = 40

/**
 * Replaces the changed part of the lines where the source contains it literally, with the text around it. Undefined if
 * the source does not contain it exactly once.
 */
const replaceUnique = ({ afterText, beforeText, sourceText }: ChangedText): string | undefined => {
  if (sourceText === undefined) return undefined
  const shorter = Math.min(beforeText.length, afterText.length)
  let from = 0
  while (from < shorter && beforeText[from] === afterText[from]) from++
  let end = 0
  while (end < shorter - from && beforeText.at(-1 - end) === afterText.at(-1 - end)) end++
  for (let context = maxContext; context >= 0; context -= 4) {
    const [start, stop] = [Math.max(0, from - context), Math.max(0, end - context)]
    const part = beforeText.slice(start, beforeText.length - stop)
    const at = part === "" ? -1 : sourceText.indexOf(part)
    if (at === -1 || sourceText.includes(part, at + 1)) continue
    return (
      sourceText.slice(0, at) + afterText.slice(start, afterText.length - stop) + sourceText.slice(at + part.length)
    )
  }
  return undefined
}

/** Escapes braces that MDX would read as expressions. Code and comments stay unchanged. */
export const escapeBraces = (markdown: string): string =>
  markdown.replace(
    /^[ \t>]*(`{3,}|~{3,})[^]*?(?:^[ \t>]*\1[`~]*[ \t]*$|$(?![^]))|(`+)(?!`)[^`]*\2|<!--[^]*?-->|\\[^]|\{(?!%)/gm,
    (match) => (match === "{" ? "\\{" : match)
  )

interface ChangedText {
  readonly beforeText: string
  readonly afterText: string
  /** Undefined if the lines are new, or if the conversion did not change them. */
  readonly sourceText: string | undefined
  /** Indentation that the conversion removed. */
  readonly margin: string
}

interface Hunk {
  /** Lines of the converted text, and the lines that replace them. */
  readonly before: readonly [from: number, to: number]
  readonly after: readonly [from: number, to: number]
}

/** Returns the changed ranges of lines. All converted lines of one range of the file are in one range. */
const changedHunks = (
  lines: ReadonlyArray<ConvertedLine>,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  budget: WorkBudget
): ReadonlyArray<Hunk> => {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  const matches = [...matchEqual(before.map(numberOf), after.map(numberOf), budget)]
  const partnerOf = new Map(matches)
  const isSameGroup = (a: number, b: number) =>
    lines[a] !== undefined && lines[b] !== undefined && lines[a].from === lines[b].from && lines[a].to > lines[a].from
  const hunks: Array<Hunk> = []
  let [from, start] = [0, 0]
  for (let i = 0; i < before.length; i++) {
    let end = i + 1
    while (end < before.length && isSameGroup(i, end)) end++
    const isUnchanged = Array.from({ length: end - i }).every(
      (_, n) => partnerOf.get(i + n) === (partnerOf.get(i) ?? Number.NaN) + n
    )
    if (isUnchanged) {
      const j = partnerOf.get(i)!
      if (i > from || j > start) hunks.push({ before: [from, i], after: [start, j] })
      ;[from, start] = [end, j + end - i]
    }
    i = end - 1
  }
  if (from < before.length || start < after.length)
    hunks.push({ before: [from, before.length], after: [start, after.length] })
  return hunks
}

interface TextLines {
  /** Lines of the file. */
  readonly source: ReadonlyArray<string>
  readonly lines: ReadonlyArray<ConvertedLine>
  /** Lines of the converted text and of the edited text, with the escapes of the file. */
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}

const mergeLines = (
  { after, before, lines, source }: TextLines,
  hunks: ReadonlyArray<Hunk>,
  merge: (text: ChangedText) => string
): string => {
  const output: Array<string> = []
  /** Number of the next line of the file. */
  let next = 0
  for (const hunk of hunks) {
    const inFile = lines.slice(...hunk.before).filter(({ from, to }) => to > from)
    const first = inFile[0]?.from ?? lines[hunk.before[0]]?.from ?? source.length
    const last = inFile.reduce((end, { to }) => Math.max(end, to), first)
    while (next < first && next < source.length) output.push(source[next++]!)
    if (hunk.after[1] > hunk.after[0]) {
      const sourceText = source.slice(first, last).join("\n")
      const isUnchanged =
        inFile.length === 0 ||
        sourceText ===
          lines
            .slice(...hunk.before)
            .map(({ text }) => text)
            .join("\n")
      output.push(
        merge({
          beforeText: before.slice(...hunk.before).join("\n"),
          afterText: after.slice(...hunk.after).join("\n"),
          sourceText: isUnchanged ? undefined : sourceText,
          margin: marginOf(source, inFile[0] ?? lines[hunk.before[0] - 1] ?? lines[hunk.before[1]])
        })
      )
    }
    next = Math.max(next, last)
  }
  while (next < source.length) output.push(source[next++]!)
  return output.join("\n")
}

/** Returns the indentation that a line has only in the file. */
const marginOf = (source: ReadonlyArray<string>, line: ConvertedLine | undefined): string => {
  const indent = (text = "") => /^[ \t]*/.exec(text)![0]
  const sourceIndent = line === undefined ? "" : indent(source[line.from])
  return sourceIndent.slice(0, Math.max(0, sourceIndent.length - indent(line?.text).length))
}
