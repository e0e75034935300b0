/** Small documents for tests of content. */
import type { Block, Document } from "@lectern/core/content/Document"

export const paragraph = (key: string, text: string): Block => ({
  object: "block",
  type: "paragraph",
  key,
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

export const document = (...blocks: ReadonlyArray<Block>): Document => ({
  object: "document",
  data: { schemaVersion: 1 },
  nodes: blocks
})
