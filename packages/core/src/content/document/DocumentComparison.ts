/**
 * The seam through which the rest of Lectern aligns, merges and compares documents. No document can
 * stand in its own way for good: what fails here is done by whole blocks, or as a whole, and logged
 * with a hash of what it was given, never with content.
 *
 * - A document that can't be aligned with the one it replaces is written as it came: all its blocks
 *   are new.
 * - Documents that can't be merged stay ours, and the whole document is the conflict. So is one whose
 *   conflicts together would be larger than 32 million characters: blocks within blocks are told
 *   again with each that they stand in.
 * - Documents that can't be compared are compared by their outermost blocks.
 * - A conflict that can't be put into its document is refused; ours stands there already.
 *
 * `DocumentFunctions` may be provided anew by a host that computes elsewhere: they are pure functions
 * of plain values.
 */
import { Context, Effect, Result } from "effect"
import type { Block, Document } from "../Document.ts"
import { withUniqueKeys } from "./BlockTree.ts"
import * as DocumentAlignment from "./DocumentAlignment.ts"
import * as DocumentDiff from "./DocumentDiff.ts"
import * as DocumentMerge from "./DocumentMerge.ts"

export interface MergeVersions {
  readonly base: Document | undefined
  readonly main: Document
  readonly ours: Document
}

type Settling = Parameters<typeof DocumentMerge.resolve>

export const DocumentFunctions = Context.Reference<{
  readonly align: (previous: Document, next: Document) => Effect.Effect<Document>
  readonly merge: (versions: MergeVersions) => Effect.Effect<DocumentMerge.MergedDocument>
  readonly diff: (before: Document, after: Document) => Effect.Effect<ReadonlyArray<DocumentDiff.BlockChange>>
  readonly resolve: (...settling: Settling) => Effect.Effect<Result.Result<Document, DocumentMerge.ConflictRefused>>
}>("@lectern/core/content/document/DocumentFunctions", {
  defaultValue: () => ({
    align: (previous, next) => Effect.sync(() => DocumentAlignment.align(previous, next)),
    merge: (versions) => Effect.sync(() => DocumentMerge.merge(versions)),
    diff: (before, after) => Effect.sync(() => DocumentDiff.diff(before, after)),
    resolve: (...settling) => Effect.sync(() => DocumentMerge.resolve(...settling))
  })
})

const maxCharacters = 32_000_000

interface Hashing {
  readonly sha256: (text: string) => string
}

/** The document with the keys of the previous one where they correspond. */
export const align = Effect.fnUntraced(function* (hashing: Hashing, previous: Document, next: Document) {
  const { align } = yield* DocumentFunctions
  return yield* align(previous, next).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(logged("A document could not be aligned", hashing, [previous, next], defect), withUniqueKeys(next))
    )
  )
})

/** Undefined where the documents conflict as a whole. */
export const merge = Effect.fnUntraced(function* (hashing: Hashing, versions: MergeVersions) {
  const { merge } = yield* DocumentFunctions
  return yield* merge(versions).pipe(
    Effect.map((merged) => (isLarger(merged.conflicts, maxCharacters) ? undefined : merged)),
    Effect.catchDefect((defect) =>
      Effect.as(logged("Documents could not be merged", hashing, versions, defect), undefined)
    )
  )
})

interface Differences {
  readonly changes: ReadonlyArray<DocumentDiff.BlockChange>
  /** How many were left out because of the limit. */
  readonly more: number
}

/** The first `limit` changes that lead from one document to the other. */
export const diff = Effect.fnUntraced(function* (hashing: Hashing, before: Document, after: Document, limit: number) {
  const { diff } = yield* DocumentFunctions
  const limited = (all: ReadonlyArray<DocumentDiff.BlockChange>): Differences => ({
    changes: all.slice(0, limit),
    more: Math.max(0, all.length - limit)
  })
  return yield* diff(before, after).pipe(
    Effect.map(limited),
    Effect.map((found) => (isLarger(found.changes, maxCharacters) ? limited(outermost(before, after)) : found)),
    Effect.catchDefect((defect) =>
      Effect.as(
        logged("Documents could not be compared", hashing, [before, after], defect),
        limited(outermost(before, after))
      )
    )
  )
})

/** The document with a conflict settled, or why it can't be. */
export const resolve = Effect.fnUntraced(function* (hashing: Hashing, ...settling: Settling) {
  const { resolve } = yield* DocumentFunctions
  return yield* resolve(...settling).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(
        logged("A conflict could not be put into its document", hashing, settling.slice(0, 3), defect),
        Result.fail({ message: "It can't be put into the text: choose ours, or write the text anew" })
      )
    )
  )
})

/** What came, went and became another of the outermost blocks, whole and without their words. */
const outermost = (before: Document, after: Document): ReadonlyArray<DocumentDiff.BlockChange> => {
  const byKey = (document: Document) => new Map(document.nodes.map((block) => [block.key, block]))
  const [from, to] = [byKey(before), byKey(after)]
  const same = (one: Block, other: Block) => one === other || JSON.stringify(one) === JSON.stringify(other)
  const changes: Array<DocumentDiff.BlockChange> = []
  for (const [block, now] of to) {
    const then = from.get(block)
    if (then === undefined) changes.push({ kind: "added", block, after: now })
    else if (!same(then, now)) changes.push({ kind: "edited", block, before: then, after: now, moved: false, text: [] })
  }
  for (const [block, then] of from) if (!to.has(block)) changes.push({ kind: "removed", block, before: then })
  return changes
}

const logged = (message: string, { sha256 }: Hashing, input: unknown, defect: unknown) =>
  Effect.logError(message, { input: sha256(JSON.stringify(input)), ...placeOf(defect) })

/** What an error is and where it came from. Not its message, which may tell of what was given. */
const placeOf = (defect: unknown): { readonly error: string; readonly at?: ReadonlyArray<string> } => {
  if (!(defect instanceof Error)) return { error: typeof defect }
  const lines = (defect.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))
  return { error: defect.name, at: lines.slice(0, 5).map((line) => line.trim()) }
}

/** Whether the JSON of a value has more than about so many characters; looks at no more than that. */
const isLarger = (value: unknown, characters: number): boolean => {
  let left = characters
  const open: Array<unknown> = [value]
  while (open.length > 0 && left > 0) {
    const next = open.pop()
    left -= typeof next === "string" ? next.length + 2 : 4
    if (typeof next !== "object" || next === null) continue
    for (const [name, field] of Object.entries(next)) {
      if (!Array.isArray(next)) left -= name.length + 3
      open.push(field)
    }
  }
  return left <= 0
}
