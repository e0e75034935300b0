/** A document that a caller gives for what is no page: as it is, or as that of a page, `{ markdown }` or `{ document }`. */
import { Effect, Predicate, Result, Schema } from "effect"
import * as BatchDocument from "./BatchDocument.ts"
import { DocumentBody } from "./ContentChange.ts"
import { InvalidChange } from "./ContentErrors.ts"
import type { Document } from "./Document.ts"
import * as DocumentInput from "./DocumentInput.ts"

const isDocumentBody = Schema.is(DocumentBody)

/** `path`: what it is called where it was sent, `body.description` for instance. */
export const read = Effect.fnUntraced(function* (
  given: unknown,
  path: string,
  nextKey: () => string
): Effect.fn.Return<Document, InvalidChange> {
  const invalid = (at: string, message: string) => new InvalidChange({ issues: [{ path: at, message }] })
  if (Predicate.isObject(given) && ("markdown" in given || "document" in given)) {
    if (!isDocumentBody(given)) return yield* invalid(`${path}.markdown`, "Expected Markdown")
    return (yield* BatchDocument.read(given, path, { nextKey, refs: new BatchDocument.Refs() })).document
  }
  const document = DocumentInput.normalise(given, nextKey)
  if (Result.isSuccess(document)) return document.success
  const { path: within, message } = document.failure
  return yield* invalid(`${path}${within && `.${within}`}`, message)
})
