/** Finds a text in the open document, and replaces it. A match lies within the text of one block. */
import type { Node } from "prosemirror-model"
import { type Command, TextSelection } from "prosemirror-state"
import { schema } from "../EditorSchema.ts"

export interface SearchQuery {
  readonly text: string
  readonly hasCase: boolean
  readonly isWholeWord: boolean
}

export interface Match {
  readonly from: number
  readonly to: number
}

/** Maximum number of matches. Further ones are not found. */
export const maxMatches = 10_000

const patternOf = ({ hasCase, isWholeWord, text }: SearchQuery): RegExp => {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  const pattern = isWholeWord ? String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])` : escaped
  return new RegExp(pattern, hasCase ? "gu" : "giu")
}

/** Returns the matches in the order of the document. */
export const matchesIn = (doc: Node, query: SearchQuery): ReadonlyArray<Match> => {
  if (query.text === "") return []
  const pattern = patternOf(query)
  const matches: Array<Match> = []
  doc.descendants((node, position) => {
    if (matches.length >= maxMatches) return false
    if (!node.isTextblock) return true
    // An inline without text is one character, as in positions.
    const text = node.textBetween(0, node.content.size, undefined, "\ufffc")
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (matches.length >= maxMatches) break
      matches.push({ from: position + 1 + index, to: position + 1 + index + found.length })
    }
    return false
  })
  return matches
}

/** Returns the index of the first match at or after a position, or of the first of all. */
export const indexAfter = (matches: ReadonlyArray<Match>, position: number): number => {
  const index = matches.findIndex(({ from }) => from >= position)
  return Math.max(0, index)
}

export const selectMatch =
  ({ from, to }: Match): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView())
    return true
  }

/** Replaces matches by a text with the marks of each. All of it is one step of the undo history. */
export const replaceMatches =
  (matches: ReadonlyArray<Match>, replacement: string): Command =>
  (state, dispatch) => {
    if (matches.length === 0) return false
    const { tr } = state
    for (const { from, to } of matches.toReversed()) {
      const marks = state.doc.nodeAt(from)?.marks ?? []
      if (replacement === "") tr.delete(from, to)
      else tr.replaceWith(from, to, schema.text(replacement, marks))
    }
    dispatch?.(tr)
    return true
  }
