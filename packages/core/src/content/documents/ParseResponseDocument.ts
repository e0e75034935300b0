/**
 * Parses a document in its response form for rendering, and lists its references. A large document is parsed in a
 * thread, and the caller joins the result in slices.
 */
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { Effect } from "effect"
import * as JsonPieces from "../../schema/JsonPieces.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Computation from "../../thread/Computation.ts"
import type { Threads, TooCostly } from "../../thread/Threads.ts"
import * as JsonText from "../../schema/JsonText.ts"
import type * as Resources from "../ContentResources.ts"
import { empty, isSmall, LargeJson, lengthOf, parseDocument, type StoredDocument } from "./StoredDocument.ts"

export interface ParsedDocument {
  readonly document: Document
  /** The references of the document, each once. */
  readonly refs: ReadonlyArray<ContentRef>
}

/** Parses a large document. */
export const ParseResponseDocument = Computation.make({
  name: "open-answered",
  lengthOf,
  run: (response: StoredDocument): JsonPieces.Piece => JsonPieces.splitValue(parseWithRefs(response))
})

export const parseWithRefs = (response: StoredDocument): ParsedDocument => {
  const document = parseDocument(response)
  const refs = new Map<string, ContentRef>()
  for (const ref of DocumentRefs.refs(document)) refs.set(JSON.stringify(ref), ref)
  return { document, refs: [...refs.values()] }
}

/** Returns the document of a page that was read in the format `document`. A large document stays JSON text. */
export const storedDocumentOf = (page: Resources.Page): StoredDocument => {
  if (page.type !== "document") return empty
  const json = JsonText.jsonOfField(page, "document")
  if (json !== undefined) return new LargeJson(json)
  return (page.document as StoredDocument | undefined) ?? empty
}

/** Returns the parsed document and its references. */
export const read = (
  threads: Threads["Service"],
  response: StoredDocument
): Effect.Effect<ParsedDocument, TooCostly | StorageError> =>
  isSmall(response)
    ? Effect.sync(() => parseWithRefs(response))
    : Effect.flatMap(
        threads.run(ParseResponseDocument, response),
        (piece) => JsonPieces.join(piece) as Effect.Effect<ParsedDocument>
      )
