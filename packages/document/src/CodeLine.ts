/**
 * Lines of a block of code.
 *
 * Limit: 1,000 lines of a text, of which the last holds all that are left, with line feeds in it. What is more than a
 * document may hold is one text of all its lines, and each takes 150 bytes beside what it says.
 */
import type { Block } from "./Document.ts"

const maxLines = 1_000

export const of = (text: string, key: string, highlighted = false): Block => ({
  object: "block",
  type: "code-line",
  key,
  data: highlighted ? { highlighted } : {},
  nodes: text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

/** The lines that a text is told in. */
export const split = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n", maxLines + 1)
  if (lines.length <= maxLines) return lines
  const first = lines.slice(0, maxLines - 1)
  const from = first.reduce((at, line) => at + line.length + 1, 0)
  return [...first, text.slice(from)]
}

export const ofText = (text: string, key: string): ReadonlyArray<Block> =>
  split(text).map((line, i) => of(line, `${key}.${i + 1}`))
