/**
 * Writes, merges and compares documents for the rest of Lectern. Threads process large documents. No document can block
 * its own edits permanently: an operation that fails or exceeds its time or memory falls back to whole blocks or the
 * whole document. The log then contains a hash of the input, never the content.
 *
 * - A document that cannot be aligned with its previous version is written unchanged: all its blocks are new.
 * - Documents that cannot be merged keep our version, and the whole document is the conflict. This also applies if the
 *   conflicts together exceed 8 million characters, since nested blocks are repeated in the conflicts of their
 *   ancestors.
 * - Documents that cannot be compared, or whose changes are this large, are compared by their outermost blocks.
 * - A resolution that cannot be applied to the document is rejected. The document already contains our version.
 */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import * as Fallback from "../../thread/Fallback.ts"
import type { TooCostly } from "../../thread/Threads.ts"
import { CompareDocuments, CompareOutermost } from "./CompareDocuments.ts"
import { ResolveConflict } from "./EditDocument.ts"
import { MergeDocuments } from "./MergeDocuments.ts"
import { WriteDocument, WriteUnaligned } from "./WriteDocument.ts"
import type { ObjectReader } from "../store/Objects.ts"
import { isSmall, type StoredDocument } from "./StoredDocument.ts"

type Env = Pick<ObjectReader, "threads" | "sha256">

/** Runs `work`, or `fallback` if the work fails. Logs a hash of the documents with the failure. */
const runWithFallback = <A, B>(
  { sha256 }: Env,
  message: string,
  documents: ReadonlyArray<StoredDocument | undefined>,
  work: Effect.Effect<A, TooCostly | StorageError>,
  fallback: Effect.Effect<B, TooCostly | StorageError>
): Effect.Effect<A | B, StorageError> => {
  const hashOf = (document: StoredDocument) => sha256(isSmall(document) ? JSON.stringify(document) : document.json)
  const annotations = () => ({ input: sha256(documents.map((one) => one && hashOf(one)).join()) })
  return Fallback.withFallback(message, work, fallback, annotations)
}

/** Returns the stored form of a document. Blocks get the keys of corresponding blocks of the previous version. */
export const write = (env: Env, document: StoredDocument, previous: StoredDocument | undefined, isTree?: boolean) =>
  runWithFallback(
    env,
    "A document could not be aligned",
    [previous, document],
    env.threads.run(WriteDocument, { document, previous, isTree }),
    env.threads.run(WriteUnaligned, document)
  )

/** Merges three versions of a document. Undefined if the documents conflict as a whole. */
export const merge = (env: Env, versions: Parameters<typeof MergeDocuments.isSmall>[0]) =>
  runWithFallback(
    env,
    "Documents could not be merged",
    [versions.base, versions.main, versions.ours],
    env.threads.run(MergeDocuments, versions),
    Effect.undefined
  )

/** Returns the first changes between two versions of a document. */
export const diff = (env: Env, input: Parameters<typeof CompareDocuments.isSmall>[0]) =>
  runWithFallback(
    env,
    "Documents could not be compared",
    [input.before, input.after],
    env.threads.run(CompareDocuments, input),
    env.threads.run(CompareOutermost, input)
  )

/** Returns the document with a conflict resolved, or the reason for rejecting the resolution. */
export const resolve = (env: Env, input: Parameters<typeof ResolveConflict.isSmall>[0]) =>
  runWithFallback(
    env,
    "A conflict could not be put into its document",
    [input.document],
    env.threads.run(ResolveConflict, input),
    Effect.succeed({ refused: "It can't be put into the text: choose ours, or write the text anew" })
  )
