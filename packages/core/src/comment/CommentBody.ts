/** Parses the body of a comment, from Markdown or a document. Both forms are stored. */
import { Effect, Result } from "effect"
import { documentSourceOf } from "../content/documents/ReadDocument.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Document } from "@lectern/document/Document"
import * as Documents from "@lectern/document/Document"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { keysFrom } from "../identity/Ids.ts"
import * as Computation from "../thread/Computation.ts"
import { type Threads, TooCostly } from "../thread/Threads.ts"
import { type BodyFormat, type BodyInput, type Comment, InvalidComment, type StoredBody } from "./Comment.ts"

const maxDocument = 128 * 1024

/** NUL and lone surrogates in JSON. Keys and types of blocks may contain them, but rows can't store them. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** `at`: path of the error, relative to the body. */
type ReadResult = { readonly body: StoredBody } | { readonly at: string; readonly problem: string }

interface ReadInput {
  readonly markdown?: string
  readonly documentInput?: ReturnType<typeof documentSourceOf>
  /** Seed of the keys of the body's blocks. */
  readonly key: string
}

/** Maximum length of Markdown that is parsed without a worker thread, in characters. */
const smallMarkdown = 8 * 1024

const stored = (document: Document, at: string): ReadResult => {
  const wireDocument = WireDocument.encode(document)
  const json = JSON.stringify(wireDocument)
  if (json.length > maxDocument) return { at, problem: "Expected at most 128 KiB, counted as a document" }
  return unstorable.test(json)
    ? { at, problem: "Expected well-formed text without NUL" }
    : { body: { document: wireDocument, markdown: Markdown.print(document).replace(/\n$/, "") } }
}

export const ReadComment = Computation.make({
  name: "read-comment",
  isSmall: ({ markdown = "", documentInput }: ReadInput) =>
    markdown.length <= smallMarkdown && (documentInput === undefined || "value" in documentInput),
  run: ({ markdown, documentInput, key }): ReadResult => {
    const nextKey = keysFrom(key)
    if (markdown !== undefined) return stored(Markdown.parse(markdown, { nextKey }).document, ".markdown")
    if (documentInput === undefined) return stored(Documents.emptyDocument, "")
    const value =
      "json" in documentInput
        ? JSON.parse(documentInput.json)
        : "value" in documentInput
          ? documentInput.value
          : undefined
    return Result.match(DocumentInput.normalizeDocument(value, nextKey), {
      onSuccess: (document) => stored(document, ".document"),
      onFailure: ({ path, message }) => ({ at: `.document${path && `.${path}`}`, problem: message })
    })
  }
})

/** Parses a body. `path`: path of the body in the request. */
export const read = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  { markdown, document }: BodyInput,
  nextKey: () => string,
  path = "body.body"
) {
  const invalid = (subPath: string, message: string) =>
    new InvalidComment({ issues: [{ path: path + subPath, message }] })
  if (markdown !== undefined && document !== undefined) {
    return yield* invalid("", "Expected Markdown or a document, not both")
  }
  const result = yield* threads
    .run(ReadComment, {
      ...(markdown !== undefined && { markdown }),
      ...(document !== undefined && { documentInput: documentSourceOf(document) }),
      key: nextKey()
    })
    .pipe(Effect.catchTag("TooCostly", ({ message }) => new TooCostly({ message, path })))
  return "body" in result ? result.body : yield* invalid(result.at, result.problem)
})

export const present = ({ document, markdown }: StoredBody, format: BodyFormat | undefined): Comment["body"] =>
  format === "document" ? { document } : { markdown }

/** Returns the size of a body in this format, in characters. */
export const sizeOf = ({ document, markdown }: StoredBody, format: BodyFormat | undefined): number =>
  format === "document" ? JSON.stringify(document).length : markdown.length

/** Returns a function that computes the sizes of bodies in this format, for `Paging`. */
export const sizesIn = (format: BodyFormat | undefined) => (rows: ReadonlyArray<{ readonly body: StoredBody }>) =>
  Effect.sync(() => rows.map(({ body }) => sizeOf(body, format)))
