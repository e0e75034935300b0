/** Merges the documents of two versions of a page or of reusable content. */
import { Effect } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { Slice } from "../../storage/Slice.ts"
import type { BlockConflict } from "@lectern/document/merge/DocumentMerge"
import * as DocumentComparison from "../documents/DocumentComparison.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import * as Conflict from "./Conflict.ts"
import type { Versions } from "./EntryMerge.ts"

interface MergedHash {
  readonly hash: ObjectHash | undefined
  readonly conflicts: ReadonlyArray<Conflict.Conflict>
}

export const mergeDocuments = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  subject: Conflict.Subject,
  versions: Versions<{ readonly document?: ObjectHash }>
): Effect.fn.Return<MergedHash, StorageError> {
  const base = versions.base?.document
  const main = versions.main?.document
  const ours = versions.ours?.document
  if (main === ours || base === main) return { hash: ours, conflicts: [] }
  if (base === ours && versions.base !== undefined) return { hash: main, conflicts: [] }
  const read = (hash: ObjectHash | undefined) =>
    hash === undefined ? Effect.succeed(StoredDocument.empty) : draft.document(hash)
  const merged = yield* DocumentComparison.merge(draft, {
    base: base === undefined ? undefined : yield* read(base),
    main: yield* read(main),
    ours: yield* read(ours)
  })
  if (merged === undefined) {
    return { hash: ours, conflicts: [Conflict.make(draft, { ...subject, field: "document" }, { base, main, ours })] }
  }
  const slice = yield* Slice.start
  const conflicts: Array<Conflict.Conflict> = []
  for (const part of merged.conflicts) {
    for (const { base, main, ours, ...location } of JSON.parse(part) as ReadonlyArray<BlockConflict>) {
      conflicts.push(Conflict.make(draft, { ...subject, ...location }, { base, main, ours }))
    }
    if (slice.isOver()) yield* slice.pause
  }
  return { hash: merged.json === undefined ? undefined : draft.writeJson(merged.json), conflicts }
})
