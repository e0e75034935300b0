/** Markdown as the checks of `lectern lint` read it, with a position for each offset. */
import type { Root } from "../markdown/syntax/SyntaxTree.ts"

/** Line and column, from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface CheckedText {
  /** Text with line feeds, which the syntax tree refers to. */
  readonly text: string
  readonly root: Root
  readonly positionAt: (offset: number) => Position
}

/** A problem in a text. `rule`: name of the rule of `lectern lint`. */
export interface TextFinding extends Position {
  readonly rule:
    | "invalid-condition"
    | "invalid-tag"
    | "unclosed-tag"
    | "unknown-tag"
    | "unclosed-block"
    | "skipped-heading-level"
  readonly message: string
}

export type TextCheck = (text: CheckedText, report: (finding: TextFinding) => void) => void

/** Returns the offsets of the first characters of all lines. */
export const lineStarts = (text: string): Array<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the index of the last start that is not after the offset. */
export const lineAt = (starts: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}
