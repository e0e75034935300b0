/**
 * Opens a document that was answered, for who draws it, with what it refers to. Where it is large a thread opens it,
 * and whoever asked unfolds it in slices.
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
  /** Each once. */
  readonly refs: ReadonlyArray<ContentRef>
}

/** Of a document that is large. */
export const OpenAnswered = Computation.make({
  name: "open-answered",
  lengthOf,
  run: (answered: StoredDocument): JsonPieces.Piece => JsonPieces.cut(opened(answered))
})

export const opened = (answered: StoredDocument): Opened => {
  const document = open(answered)
  const refs = new Map<string, ContentRef>()
  for (const ref of DocumentRefs.refs(document)) refs.set(JSON.stringify(ref), ref)
  return { document, refs: [...refs.values()] }
}

/** The document, and what it refers to. */
export const read = (
  threads: Threads["Service"],
  answered: StoredDocument
): Effect.Effect<Opened, TooCostly | StorageError> =>
  isSmall(answered)
    ? Effect.sync(() => opened(answered))
    : Effect.flatMap(threads.run(OpenAnswered, answered), (piece) => JsonPieces.join(piece) as Effect.Effect<Opened>)
