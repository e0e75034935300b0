/** Revisions of a change request: reads the conflicts of one, and creates the next one. */
import { Effect } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Conflict } from "../content/merge/Conflict.ts"
import { type ObjectDraft, Objects } from "../content/store/Objects.ts"
import type { RevisionId, RevisionRow } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import { Events } from "../event/Events.ts"
import { type ChangeRequestRow, withContributor } from "./ChangeRequest.ts"
import { ChangeRequestStore, type OpenedChangeRequest } from "./store/ChangeRequestStore.ts"

export type NextRevision = Pick<RevisionRow, "parents" | "type" | "content"> & {
  readonly conflicts: ReadonlyArray<Conflict>
  /** Writes rows in the transaction of the revision. Default: none. */
  readonly also?: Effect.Effect<void, StorageError>
}

export const makeChangeRequestRevisions = Effect.gen(function* () {
  const objects = yield* Objects
  const store = yield* ChangeRequestStore
  const revisions = yield* Revisions
  const events = yield* Events

  /** Returns the change request's patch that records one more edit by the actor. */
  const editPatch = Effect.fnUntraced(function* (row: ChangeRequestRow, at: Timestamp) {
    const user = userOf(yield* CurrentActor)
    if (user === null) return {}
    const count = (row.edits[user]?.count ?? 0) + 1
    return { edits: { ...row.edits, [user]: { count, at } }, contributors: withContributor(row, user) }
  })

  return {
    /** Returns the open conflicts of a revision. */
    conflictsOf: ({ conflicts }: RevisionRow) =>
      conflicts === undefined ? Effect.succeed([]) : objects.read<ReadonlyArray<Conflict>>(conflicts),

    /**
     * Creates a revision with new content and makes it the change request's current one. Returns `stale` if the change
     * request changed since it was read. `ancestor`: main revision that was merged into the content.
     */
    advance: Effect.fnUntraced(function* (
      opened: OpenedChangeRequest,
      draft: ObjectDraft,
      { conflicts, also, ...revision }: NextRevision,
      ancestor?: RevisionId
    ) {
      yield* draft.flushAhead
      return yield* store.commit(
        opened,
        (now, currentRow) =>
          Effect.gen(function* () {
            const hash = conflicts.length === 0 ? undefined : draft.write(conflicts)
            yield* draft.flush
            yield* also ?? Effect.void
            const row = yield* revisions.insert({
              ...revision,
              space: opened.space.id,
              createdAt: now,
              ...(hash !== undefined && { conflicts: hash })
            })
            const eventFields = {
              organization: opened.space.organization,
              space: opened.space.id,
              changeRequest: opened.row.id,
              revision: row.id
            }
            yield* events.emit({ type: "change_request_content_updated", ...eventFields })
            if (ancestor !== undefined && conflicts.length > 0) {
              yield* events.emit({
                type: "change_request_conflicts_found",
                ...eventFields,
                conflicts: conflicts.length
              })
            }
            const mergedPatch = ancestor !== undefined && { revisionMergedAncestor: ancestor }
            return { patch: { revision: row.id, ...(mergedPatch || (yield* editPatch(currentRow, now))) } }
          }),
        { computedFromMain: ancestor !== undefined }
      )
    })
  }
})
