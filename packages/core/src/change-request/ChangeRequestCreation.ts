/**
 * Creates change requests with the content of their space, or with content that is computed from it. The content, the
 * change request and rows of the caller are written in one transaction, or not at all if main changed meanwhile.
 */
import { Effect } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Content } from "../content/Content.ts"
import type { Conflict } from "../content/merge/Conflict.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { RevisionRow } from "../content/revisions/Revision.ts"
import type { ObjectDraft } from "../content/store/Objects.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { makeChangeRequestPresenter } from "./ChangeRequestPresenter.ts"
import { ChangeRequestId, type ChangeRequestRow, ChangeRequestTable } from "./ChangeRequest.ts"
import { ChangeRequestStore, stale } from "./store/ChangeRequestStore.ts"

/** Content of a new change request, computed from the main revision. */
export interface InitialContent {
  readonly draft: ObjectDraft
  readonly content: Content
  /** Default: none. */
  readonly conflicts?: ReadonlyArray<Conflict>
}

export interface NewChangeRequest<E, R> {
  readonly fields: Pick<ChangeRequestRow, "status" | "subject" | "agentTask"> & Partial<ChangeRequestRow>
  /** Computes the content from the main revision. Undefined for the content of the space. */
  readonly initialContent: (main: RevisionRow) => Effect.Effect<InitialContent | undefined, E, R>
  /** Writes rows in the transaction of the change request. Default: none. */
  readonly also?: (row: ChangeRequestRow) => Effect.Effect<void, StorageError, R>
}

export const makeChangeRequestCreation = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const events = yield* Events
  const policy = yield* SpacePolicy
  const store = yield* ChangeRequestStore
  const revisions = yield* Revisions
  const { presentMergeable } = yield* makeChangeRequestPresenter
  const changeRequests = storage.repository(ChangeRequestTable)
  const spaces = storage.repository(SpaceTable)

  return Effect.fnUntraced(function* <E, R>(id: SpaceId, { fields, initialContent, also }: NewChangeRequest<E, R>) {
    const user = userOf(yield* CurrentActor)
    const now = yield* Timestamps.now
    const attempt = Effect.gen(function* () {
      const { space: spaceBefore } = yield* policy.require(id, "open a change request")
      const main = yield* revisions.get(spaceBefore.revision)
      const initial = yield* initialContent(main)
      return yield* storage.transaction(
        Effect.gen(function* () {
          const { space } = yield* policy.require(id, "open a change request")
          if (initial !== undefined && main.id !== space.revision) return stale
          const number = space.changeRequests + 1
          const eventFields = {
            organization: space.organization,
            space: id,
            changeRequest: ChangeRequestId.make(yield* ids.next)
          }
          yield* events.emit({ type: "change_request_created", ...eventFields, status: fields.status })
          let { revision } = space
          if (initial !== undefined) {
            const { content, conflicts = [], draft } = initial
            const hash = conflicts.length === 0 ? undefined : draft.write(conflicts)
            yield* draft.flush
            const parents = [main.id]
            const newRevision = { space: id, parents, type: "edits", content, createdAt: now } as const
            revision = (yield* revisions.insert({ ...newRevision, ...(hash !== undefined && { conflicts: hash }) })).id
            yield* events.emit({ type: "change_request_content_updated", ...eventFields, revision })
          }
          const row: ChangeRequestRow = {
            ...fields,
            id: eventFields.changeRequest,
            space: id,
            organization: space.organization,
            number,
            createdBy: user,
            revision,
            revisionInitial: space.revision,
            comments: 0,
            contributors: user === null ? [] : [user],
            edits: {},
            createdAt: now,
            updatedAt: now
          }
          yield* also?.(row) ?? Effect.void
          const spacePatch = {
            changeRequests: number,
            ...(row.status === "open"
              ? { changeRequestsOpen: space.changeRequestsOpen + 1 }
              : { changeRequestsDraft: space.changeRequestsDraft + 1 })
          }
          yield* Effect.all([changeRequests.insert(row), spaces.update({ id }, spacePatch)]).pipe(cannotConflict)
          return yield* presentMergeable(row, { ...space, ...spacePatch })
        })
      )
    })
    return yield* store.retryStale(attempt)
  })
})
