/**
 * The seam through which the rest of Lectern writes, merges and compares documents: in threads where
 * they are large. No document can stand in its own way for good: what fails here, or takes more time
 * or memory than it may, is done by whole blocks, or as a whole, and logged with a hash of what it was
 * given, never with content.
 *
 * - A document that can't be aligned with the one it replaces is written as it came: all its blocks
 *   are new.
 * - Documents that can't be merged stay ours, and the whole document is the conflict. So is one whose
 *   conflicts together would be larger than 8 million characters: blocks within blocks are told
 *   again with each that they stand in.
 * - Documents that can't be compared, or have changes as large, are compared by their outermost blocks.
 * - A conflict that can't be put into its document is refused; ours stands there already.
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

/** Answers otherwise where a computation fails. */
const orElse = <A, B>(
  { sha256 }: Env,
  message: string,
  documents: ReadonlyArray<StoredDocument | undefined>,
  work: Effect.Effect<A, TooCostly | StorageError>,
  otherwise: Effect.Effect<B, TooCostly | StorageError>
): Effect.Effect<A | B, StorageError> => {
  const hashOf = (one: StoredDocument) => sha256(isSmall(one) ? JSON.stringify(one) : one.json)
  const about = () => ({ input: sha256(documents.map((one) => one && hashOf(one)).join()) })
  return Fallback.withFallback(message, work, otherwise, about)
}

/** A document as it is stored, with the keys of the previous one where they correspond. */
export const write = (env: Env, document: StoredDocument, previous: StoredDocument | undefined, isTree?: boolean) =>
  orElse(
    env,
    "A document could not be aligned",
    [previous, document],
    env.threads.run(WriteDocument, { document, previous, isTree }),
    env.threads.run(WriteUnaligned, document)
  )

/** Undefined where the documents conflict as a whole. */
export const merge = (env: Env, versions: Parameters<typeof MergeDocuments.isSmall>[0]) =>
  orElse(
    env,
    "Documents could not be merged",
    [versions.base, versions.main, versions.ours],
    env.threads.run(MergeDocuments, versions),
    Effect.undefined
  )

/** The first changes that lead from one document to the other. */
export const diff = (env: Env, input: Parameters<typeof CompareDocuments.isSmall>[0]) =>
  orElse(
    env,
    "Documents could not be compared",
    [input.before, input.after],
    env.threads.run(CompareDocuments, input),
    env.threads.run(CompareOutermost, input)
  )

/** The document with a conflict settled, or why it can't be. */
export const resolve = (env: Env, input: Parameters<typeof ResolveConflict.isSmall>[0]) =>
  orElse(
    env,
    "A conflict could not be put into its document",
    [input.document],
    env.threads.run(ResolveConflict, input),
    Effect.succeed({ refused: "It can't be put into the text: choose ours, or write the text anew" })
  )
