/**
 * Lines of a block of code.
 *
 * Limit: 1,000 lines for one text. The last line holds the remaining text, including its line feeds. Reason: the text
 * of a document beyond the size limits is one block of code, and each line takes 150 bytes in addition to its text.
 */
import type { Block } from "./Document.ts"

const maxLines = 1_000

export const codeLine = (text: string, key: string, highlighted = false): Block => ({
  object: "block",
  type: "code-line",
  key,
  data: highlighted ? { highlighted } : {},
  nodes: text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

/** Splits a text into at most 1,000 lines. */
export const splitLines = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n", maxLines + 1)
  if (lines.length <= maxLines) return lines
  const first = lines.slice(0, maxLines - 1)
  const from = first.reduce((at, line) => at + line.length + 1, 0)
  return [...first, text.slice(from)]
}

export const codeLines = (text: string, key: string): ReadonlyArray<Block> =>
  splitLines(text).map((line, i) => codeLine(line, `${key}.${i + 1}`))
