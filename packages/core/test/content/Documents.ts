/** Small documents for tests of content. */
import type { ContentReader } from "@lectern/core/content/ContentReader"
import type { Block, Document } from "@lectern/document/Document"
import { serialize, parseDocument, type StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import type { ObjectHash } from "@lectern/core/storage/ObjectStore"
import { Effect } from "effect"

export const paragraph = (key: string, text: string): Block => ({
  object: "block",
  type: "paragraph",
  key,
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

export const tree = (...blocks: ReadonlyArray<Block>): Document => ({
  object: "document",
  data: { schemaVersion: 1 },
  nodes: blocks
})

/** Returns a stored document of these blocks. */
export const document = (...blocks: ReadonlyArray<Block>): StoredDocument => serialize(tree(...blocks))

/** Returns the document of a page or of reusable content as a tree. */
export const documentOf = (reader: Pick<ContentReader, "document">, hash: ObjectHash | undefined) =>
  Effect.map(reader.document(hash), parseDocument)
