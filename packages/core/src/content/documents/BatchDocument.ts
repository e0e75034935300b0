/**
 * Reads documents from clients: documents of a batch of changes, with the names of the batch, and others. Threads read
 * large documents. A document that takes too much time or memory is rejected, and nothing of it is stored.
 */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import { type Threads, TooCostly } from "../../thread/Threads.ts"
import { BatchRefs } from "./BatchRefs.ts"
import type { FencedBlock } from "@lectern/document/integration-blocks/BlockOrigin"
import { documentSourceOf, type ReadResult, ReadDocument } from "./ReadDocument.ts"
import type { DocumentBody } from "../edits/ContentChange.ts"
import { invalid, type InvalidChange } from "../edits/ContentErrors.ts"
import { empty } from "./StoredDocument.ts"

interface ReadEnv {
  readonly threads: Threads["Service"]
  readonly nextKey: () => string
  /** Names of the batch. Default: none. */
  readonly refs?: BatchRefs
  /** Titles of the page (see `ReadDocument`). Absent if the document belongs to no page. */
  readonly titles?: ReadonlyArray<string>
  /** Blocks of integrations that are written as code. Default: none. */
  readonly fenced?: ReadonlyArray<FencedBlock>
}

export type ReadFailure = InvalidChange | TooCostly | StorageError

const tooCostlyAt = (path: string) =>
  new TooCostly({ message: "The document takes more time or memory to read than one may: make it several", path })

const noRefs = new BatchRefs()

/** Reads the body of a document. `path`: path of the body in the request, for errors. */
export const read = Effect.fnUntraced(function* (
  { markdown, document }: DocumentBody,
  path: string,
  env: ReadEnv
): Effect.fn.Return<ReadResult, ReadFailure> {
  if (markdown === undefined) {
    return document === undefined
      ? { document: empty, metadata: {} }
      : yield* readTree(document, `${path}.document`, env)
  }
  if (document !== undefined) return yield* invalid(path, "Expected Markdown or a document, not both")
  const { threads, nextKey, refs = noRefs, titles, fenced = [] } = env
  const result = yield* threads
    .run(ReadDocument, { source: { markdown }, refs: refs.table, fenced, titles, key: nextKey() })
    .pipe(Effect.catchTag("TooCostly", () => tooCostlyAt(`${path}.markdown`)))
  if (!("problem" in result)) return result
  return yield* invalid(`${path}.${result.problem.path}`, result.problem.message)
})

/** Reads a document that is a tree, not Markdown. */
export const readTree = Effect.fnUntraced(function* (
  document: unknown,
  path: string,
  { threads, nextKey, refs = noRefs, fenced = [] }: ReadEnv
): Effect.fn.Return<ReadResult, ReadFailure> {
  const result = yield* threads
    .run(ReadDocument, { source: documentSourceOf(document), refs: refs.table, fenced, key: nextKey() })
    .pipe(Effect.catchTag("TooCostly", () => tooCostlyAt(path)))
  if (!("problem" in result)) return result
  const { path: problemPath, message } = result.problem
  return yield* invalid(problemPath === "" ? path : `${path}.${problemPath}`, message)
})
