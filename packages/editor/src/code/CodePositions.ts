/**
 * Positions and edits of a block of code in CodeMirror and in the document. The text of CodeMirror has a line feed
 * between two lines. In the document, each line is a block, so its start and its end are two positions.
 */
import type { ChangeSet, ChangeSpec, Text } from "@codemirror/state"
import { Fragment, type Node, Slice } from "prosemirror-model"
import type { Transaction } from "prosemirror-state"
import { ReplaceStep } from "prosemirror-transform"
import { codeLine, schema } from "../EditorSchema.ts"
import { textChange } from "./TextChange.ts"

/** Returns the position within the content of the block for an offset in its text. */
export const positionOfOffset = (text: Text, offset: number): number => offset + text.lineAt(offset).number

/** Returns the offset in the text for a position within the content of the block. */
export const offsetOfPosition = (text: Text, position: number): number => {
  let [low, high] = [1, text.lines]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (text.line(middle).from + middle <= position) low = middle
    else high = middle - 1
  }
  const { from, to } = text.line(low)
  return Math.max(from, Math.min(to, position - low))
}

/** Returns the lines of a block. A line feed within a line is displayed as a character, since CodeMirror would split it. */
export const linesOf = (code: Node): ReadonlyArray<string> =>
  code.children.map(({ textContent }) => textContent.replaceAll(/[\r\n]/g, "\u2424"))

/** Adds an edit of the text to a transaction. `start`: position of the content of the block. */
export const addEdit = (tr: Transaction, start: number, before: Text, changes: ChangeSet): void => {
  const edits: Array<{ readonly from: number; readonly to: number; readonly text: Text }> = []
  changes.iterChanges((from, to, _fromAfter, _toAfter, text) => edits.push({ from, to, text }))
  // From the last to the first, so that the positions before stay valid.
  for (const { from, text, to } of edits.reverse()) {
    const [first, last] = [before.lineAt(from), before.lineAt(to)]
    const lines = text.toJSON()
    const isWholeLines = from === to && from === first.from && lines.length > 1 && lines.at(-1) === ""
    // Lines before a line leave its key with its text.
    const [at, slice] = isWholeLines
      ? [start + from + first.number - 1, new Slice(Fragment.from(lines.slice(0, -1).map(codeLine)), 0, 0)]
      : [start + from + first.number, sliceOf(lines)]
    const end = isWholeLines ? at : start + to + last.number
    tr.step(new ReplaceStep(at, end, slice))
  }
  const line = tr.doc.nodeAt(start)
  // Two lines are text, also if the first one is empty.
  if (line?.attrs["filler"] === true && tr.doc.resolve(start).parent.childCount > 1)
    tr.setNodeAttribute(start, "filler", false)
}

const sliceOf = (lines: ReadonlyArray<string>): Slice =>
  lines.length > 1
    ? new Slice(Fragment.from(lines.map(codeLine)), 1, 1)
    : new Slice(lines[0] === "" ? Fragment.empty : Fragment.from(schema.text(lines[0]!)), 0, 0)

/** Returns the change that brings a text to that of a newer block. `before`: the block of the text. */
export const changeTo = (text: Text, before: Node, after: Node): ChangeSpec | undefined => {
  const max = Math.min(before.childCount, after.childCount)
  const isSame = (line: number, other: number) =>
    before.child(line) === after.child(other) || before.child(line).textContent === after.child(other).textContent
  let first = 0
  while (first < max && isSame(first, first)) first++
  let same = 0
  while (same < max - first && isSame(before.childCount - 1 - same, after.childCount - 1 - same)) same++
  if (first + same === before.childCount && before.childCount === after.childCount) return undefined
  const [oldEnd, newEnd] = [before.childCount - same, after.childCount - same]
  const inserted = linesOf(after).slice(first, newEnd).join("\n")
  // Whole lines with the line feed before them, or after them at the start.
  if (first === oldEnd)
    return first === 0 ? { from: 0, insert: `${inserted}\n` } : { from: text.line(first).to, insert: `\n${inserted}` }
  if (first === newEnd)
    return first === 0
      ? { from: 0, to: text.line(oldEnd + 1).from }
      : { from: text.line(first).to, to: text.line(oldEnd).to }
  const [from, to] = [text.line(first + 1).from, text.line(oldEnd).to]
  return textChange(text.sliceString(from, to), inserted, from)
}
