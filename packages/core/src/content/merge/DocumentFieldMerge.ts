/** Merges the documents that two versions of a page, or of reusable content, refer to. */
import { Effect } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Documents from "../Document.ts"
import * as DocumentComparison from "../document/DocumentComparison.ts"
import type { ObjectDraft } from "../Objects.ts"
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
) {
  const base = versions.base?.document
  const main = versions.main?.document
  const ours = versions.ours?.document
  if (main === ours || base === main) return { hash: ours, conflicts: [] }
  if (base === ours && versions.base !== undefined) return { hash: main, conflicts: [] }
  const read = (hash: ObjectHash | undefined) =>
    hash === undefined ? Effect.succeed(Documents.empty) : draft.read<Documents.Document>(hash)
  const merged = yield* DocumentComparison.merge(draft, {
    base: base === undefined ? undefined : yield* read(base),
    main: yield* read(main),
    ours: yield* read(ours)
  })
  if (merged === undefined) {
    return { hash: ours, conflicts: [Conflict.make(draft, { ...subject, field: "document" }, { base, main, ours })] }
  }
  return {
    hash: merged.document.nodes.length === 0 ? undefined : draft.write(merged.document),
    conflicts: merged.conflicts.map(({ base, main, ours, ...part }) =>
      Conflict.make(draft, { ...subject, ...part }, { base, main, ours })
    )
  }
}) as (
  draft: ObjectDraft,
  subject: Conflict.Subject,
  versions: Versions<{ readonly document?: ObjectHash }>
) => Effect.Effect<MergedHash, StorageError>
