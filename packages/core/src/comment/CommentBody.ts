/** Reads the body of a comment: Markdown or a document in, both kept. */
import { Result } from "effect"
import type { Document } from "../content/Document.ts"
import * as Documents from "../content/Document.ts"
import * as DocumentInput from "../content/DocumentInput.ts"
import * as Markdown from "../content/markdown/Markdown.ts"
import { type BodyFormat, type BodyInput, type Comment, InvalidComment, type StoredBody } from "./Comment.ts"

const maxDocument = 128 * 1024

/** NUL and halves of surrogate pairs as JSON writes them: the keys and types of blocks may hold them, rows can't. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** `path`: what the body is called where it was sent. */
export const read = (
  body: BodyInput,
  nextKey: () => string,
  path = "body.body"
): Result.Result<StoredBody, InvalidComment> => {
  const invalid = (below: string, message: string) =>
    Result.fail(new InvalidComment({ issues: [{ path: path + below, message }] }))
  const stored = (document: Document, below: string) => {
    const json = JSON.stringify(document)
    if (json.length > maxDocument) return invalid(below, "Expected at most 128 KiB, counted as a document")
    return unstorable.test(json)
      ? invalid(below, "Expected well-formed text without NUL")
      : Result.succeed({ document, markdown: Markdown.print(document).replace(/\n$/, "") })
  }

  if (body.markdown !== undefined) {
    return body.document === undefined
      ? stored(Markdown.parse(body.markdown, { nextKey }).document, ".markdown")
      : invalid("", "Expected Markdown or a document, not both")
  }
  if (body.document === undefined) return stored(Documents.empty, "")
  const normalised = DocumentInput.normalise(body.document, nextKey)
  if (Result.isSuccess(normalised)) return stored(normalised.success, ".document")
  const { path: within, message } = normalised.failure
  return invalid(`.document${within && `.${within}`}`, message)
}

export const present = ({ document, markdown }: StoredBody, format: BodyFormat | undefined): Comment["body"] =>
  format === "document" ? { document } : { markdown }
