/** Keys of raw Markdown: marks by Ctrl+B and so on, and Enter that continues a list or quote. */
import { EditorSelection, type StateCommand } from "@codemirror/state"
import type { KeyBinding } from "@codemirror/view"

/** Puts a sign around each selected text, or removes it. */
const surround =
  (sign: string): StateCommand =>
  ({ dispatch, state }) => {
    const { length } = sign
    dispatch(
      state.update(
        state.changeByRange(({ from, to }) => {
          const isMarked = state.sliceDoc(from - length, from) === sign && state.sliceDoc(to, to + length) === sign
          return isMarked
            ? {
                changes: [
                  { from: from - length, to: from },
                  { from: to, to: to + length }
                ],
                range: EditorSelection.range(from - length, to - length)
              }
            : {
                changes: [
                  { from, insert: sign },
                  { from: to, insert: sign }
                ],
                range: EditorSelection.range(from + length, to + length)
              }
        }),
        { userEvent: "input" }
      )
    )
    return true
  }

const marker = /^(\s*)(?:([-*+])( +\[[ xX]\])? +|(\d{1,9})([.)]) +|(> ?)+)/

/** Starts the next item of a list or line of a quote. In an empty one, Enter ends the list, with an empty line. */
const continueMarkup: StateCommand = ({ dispatch, state }) => {
  const { empty, from } = state.selection.main
  const line = state.doc.lineAt(from)
  const match = marker.exec(line.text)
  if (!empty || state.selection.ranges.length > 1 || match === null || from < line.from + match[0].length) return false
  const [whole, indent = "", bullet, box, number, delimiter] = match
  if (line.text.trim() === whole.trim()) {
    dispatch(
      state.update({
        changes: { from: line.from, to: line.to, insert: state.lineBreak },
        selection: { anchor: line.from + 1 },
        scrollIntoView: true,
        userEvent: "input"
      })
    )
    return true
  }
  const next =
    bullet !== undefined
      ? `${indent}${bullet}${box === undefined ? "" : " [ ]"} `
      : number !== undefined
        ? `${indent}${Number(number) + 1}${delimiter} `
        : whole
  dispatch(
    state.update({
      changes: { from, insert: state.lineBreak + next },
      selection: { anchor: from + 1 + next.length },
      scrollIntoView: true,
      userEvent: "input"
    })
  )
  return true
}

export const markdownKeys: ReadonlyArray<KeyBinding> = [
  { key: "Mod-b", run: surround("**") },
  { key: "Mod-i", run: surround("_") },
  { key: "Mod-e", run: surround("`") },
  { key: "Mod-Shift-s", run: surround("~~") },
  { key: "Enter", run: continueMarkup }
]
