/** Stores and reads revisions. A revision never changes, so the last 10,000 are cached. */
import { Context, Effect, Schema, Layer } from "effect"
import { CurrentActor, userOf } from "../../access/Actor.ts"
import { Ids } from "../../identity/Ids.ts"
import { cannotConflict, Storage, StorageError } from "../../storage/Storage.ts"
import { LruCache } from "../../storage/LruCache.ts"
import { RevisionId, type RevisionRow, RevisionTable } from "./Revision.ts"

const cachedRevisions = 10_000

/** Raised if the space has no revision with the id. */
export class RevisionNotFound extends Schema.TaggedError<RevisionNotFound>()(
  "RevisionNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export const revisionNotFound = (id: string) =>
  new RevisionNotFound({ message: `There is no revision ${id} in this space` })

export class Revisions extends Context.Service<
  Revisions,
  {
    /** Returns a revision that must exist. Fails with a `StorageError` if it is missing. */
    readonly get: (id: RevisionId) => Effect.Effect<RevisionRow, StorageError>
    /** Returns the revisions with these ids, in order. Undefined for a missing revision. */
    readonly getMany: (
      ids: ReadonlyArray<RevisionId>
    ) => Effect.Effect<ReadonlyArray<RevisionRow | undefined>, StorageError>
    /** Returns the revision of this space with this id. */
    readonly find: (space: string, id: string) => Effect.Effect<RevisionRow, RevisionNotFound | StorageError>
    /** Returns the main revision that followed this one; undefined if no main revision followed it. */
    readonly successor: (id: RevisionId) => Effect.Effect<RevisionRow | undefined, StorageError>
    /** Inserts a new revision with the actor as author. */
    readonly insert: (
      revision: Omit<RevisionRow, "id" | "author">
    ) => Effect.Effect<RevisionRow, StorageError, CurrentActor>
  }
>()("@lectern/core/content/revisions/Revisions") {
  static readonly layer = Layer.effect(
    Revisions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const revisions = storage.repository(RevisionTable)
      const cache = new LruCache<string, RevisionRow>(cachedRevisions)

      const lookup = Effect.fnUntraced(function* (id: string) {
        const cachedRow = cache.get(id)
        if (cachedRow !== undefined) return cachedRow
        const row = yield* revisions.get({ id: RevisionId.make(id) })
        if (row !== undefined) cache.set(id, row, 1)
        return row
      })

      return Revisions.of({
        get: Effect.fnUntraced(function* (id) {
          const row = yield* lookup(id)
          if (row === undefined) {
            return yield* new StorageError({ reason: "failed", message: `Revision ${id} is missing` })
          }
          return row
        }),

        getMany: Effect.fnUntraced(function* (revisionIds) {
          const cachedRows = revisionIds.map((id) => cache.get(id))
          if (!cachedRows.includes(undefined)) return cachedRows
          const revisionsById = new Map(revisionIds.map((id, i) => [id, cachedRows[i]]))
          const missingIds = [...revisionsById].flatMap(([id, row]) => (row === undefined ? [id] : []))
          for (const row of yield* revisions.getMany(missingIds.map((id) => ({ id })))) {
            if (row === undefined) continue
            cache.set(row.id, row, 1)
            revisionsById.set(row.id, row)
          }
          return revisionIds.map((id) => revisionsById.get(id))
        }),

        find: Effect.fnUntraced(function* (space, id) {
          const row = yield* lookup(id)
          if (row?.space !== space) return yield* revisionNotFound(id)
          return row
        }),

        successor: (id) => Effect.map(revisions.list({ where: { replaces: id }, limit: 1 }), ([row]) => row),

        insert: Effect.fnUntraced(function* (revision) {
          const row: RevisionRow = {
            ...revision,
            id: RevisionId.make(yield* ids.next),
            author: userOf(yield* CurrentActor)
          }
          yield* revisions.insert(row).pipe(cannotConflict)
          return row
        })
      })
    })
  )
}
