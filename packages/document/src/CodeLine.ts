/** A line of a block of code. */
import type { Block } from "./Document.ts"

export const of = (text: string, key: string, highlighted = false): Block => ({
  object: "block",
  type: "code-line",
  key,
  data: highlighted ? { highlighted } : {},
  nodes: text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})
