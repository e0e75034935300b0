/**
 * Reads a document that a client sends for an object other than a page. Accepts a document, or the body of a page's
 * document: `{ markdown }` or `{ document }`.
 */
import { Effect, Predicate, Schema } from "effect"
import type { Threads } from "../../thread/Threads.ts"
import * as BatchDocument from "./BatchDocument.ts"
import { DocumentBody } from "../edits/ContentChange.ts"
import { invalid } from "../edits/ContentErrors.ts"
import type { StoredDocument } from "./StoredDocument.ts"

const isDocumentBody = Schema.is(DocumentBody)

/** Reads the document. `path`: path in the request, such as `body.description`. */
export const read = Effect.fnUntraced(function* (
  input: unknown,
  path: string,
  env: { readonly threads: Threads["Service"]; readonly nextKey: () => string }
): Effect.fn.Return<StoredDocument, BatchDocument.ReadFailure> {
  if (Predicate.isObject(input) && ("markdown" in input || "document" in input)) {
    if (!isDocumentBody(input)) return yield* invalid(`${path}.markdown`, "Expected Markdown")
    return (yield* BatchDocument.read(input, path, env)).document
  }
  return (yield* BatchDocument.readTree(input, path, env)).document
})
