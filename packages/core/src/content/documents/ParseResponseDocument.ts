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
import { isSmall, lengthOf, open, type StoredDocument } from "./StoredDocument.ts"

export interface Opened {
  readonly document: Document
  /** The references of the document, each once. */
  readonly refs: ReadonlyArray<ContentRef>
}

/** Parses a large document. */
export const ParseResponseDocument = Computation.make({
  name: "open-answered",
  lengthOf,
  run: (answered: StoredDocument): JsonPieces.Piece => JsonPieces.splitValue(opened(answered))
})

export const opened = (answered: StoredDocument): Opened => {
  const document = open(answered)
  const refs = new Map<string, ContentRef>()
  for (const ref of DocumentRefs.refs(document)) refs.set(JSON.stringify(ref), ref)
  return { document, refs: [...refs.values()] }
}

/** Returns the parsed document and its references. */
export const read = (
  threads: Threads["Service"],
  answered: StoredDocument
): Effect.Effect<Opened, TooCostly | StorageError> =>
  isSmall(answered)
    ? Effect.sync(() => opened(answered))
    : Effect.flatMap(
        threads.run(ParseResponseDocument, answered),
        (piece) => JsonPieces.join(piece) as Effect.Effect<Opened>
      )
