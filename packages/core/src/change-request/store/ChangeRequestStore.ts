/**
 * Common steps of every write to a change request: the check of permissions and status, and the short final
 * transaction. The transaction writes only if nothing changed since the new values were computed.
 */
import { Context, Effect, Result, Layer } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { authorize } from "../../access/Policy.ts"
import type { Role } from "../../access/Role.ts"
import type { Timestamp } from "../../schema/Text.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { type SpaceId, type SpaceNotFound, type SpaceRow, SpaceTable } from "../../space/Space.ts"
import { WriteLocks } from "../../content/edits/WriteLocks.ts"
import { SpacePolicy, spaceNotFound } from "../../space/SpacePolicy.ts"
import { applyPatch } from "../../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../../storage/Storage.ts"
import {
  ChangeRequestConflict,
  ChangeRequestStale,
  type ChangeRequestNotFound,
  type ChangeRequestRow,
  ChangeRequestTable
} from "../ChangeRequest.ts"
import { makeChangeRequestLookup } from "./ChangeRequestLookup.ts"
import { type ChangeRequestAction, changeRule, rules } from "../ChangeRequestPolicy.ts"
import { type ChangeRequestEvent, type ChangeRequestStatus, next } from "../ChangeRequestState.ts"

export interface OpenedChangeRequest {
  readonly space: SpaceRow
  readonly row: ChangeRequestRow
  /** Status after the event. */
  readonly status: ChangeRequestStatus
}

export type OpenFailure =
  | SpaceNotFound
  | ChangeRequestNotFound
  | ChangeRequestConflict
  | ChangeRequestStale
  | Forbidden
  | StorageError

/** Condition of a write: fails with `ChangeRequestStale` unless the change request is at an expected revision. */
export interface Precondition {
  /** Ids of revisions. The change request must be at one of them. Default: any revision. */
  readonly revisions?: ReadonlyArray<string> | undefined
}

/** Result without a write: the change request or its space changed since it was read. Reload and retry. */
export const stale = Symbol("moved")

const attempts = 10

export class ChangeRequestStore extends Context.Service<
  ChangeRequestStore,
  {
    /** Returns the change request if the actor may cause the event and the status allows it. */
    readonly open: (
      space: SpaceId,
      idOrNumber: string,
      event: ChangeRequestEvent,
      options?: Precondition & { readonly action?: ChangeRequestAction }
    ) => Effect.Effect<OpenedChangeRequest, OpenFailure, CurrentActor>
    /**
     * Writes a patch and dependent rows in one transaction. Returns `stale` if the change request changed since it was
     * read. If `computedFromMain` is true, a new main revision also counts. `current`: the row in the transaction,
     * which includes comments that were added since.
     */
    readonly commit: <E, R>(
      opened: OpenedChangeRequest,
      write: (
        now: Timestamp,
        current: ChangeRequestRow
      ) => Effect.Effect<{ readonly patch: Partial<ChangeRequestRow>; readonly space?: Partial<SpaceRow> }, E, R>,
      options?: { readonly computedFromMain: boolean }
    ) => Effect.Effect<{ readonly row: ChangeRequestRow; readonly space: SpaceRow } | typeof stale, E | StorageError, R>
    /**
     * Repeats an attempt while it returns `stale`, up to 10 times. Fails with `ChangeRequestConflict` after the last
     * attempt.
     */
    readonly retryStale: <A, E, R>(
      attempt: Effect.Effect<A | typeof stale, E, R>
    ) => Effect.Effect<A, E | ChangeRequestConflict, R>
    /**
     * Opens the change request, then computes and commits under its lock. Repeats this while the attempt returns
     * `stale`, up to 10 times, since other processes may write. `locksSpace`: if true, also takes the lock of the
     * space.
     */
    readonly retry: <A, E, R, OpenE, OpenR>(
      open: Effect.Effect<OpenedChangeRequest, OpenE, OpenR>,
      attempt: (opened: OpenedChangeRequest) => Effect.Effect<A | typeof stale, E, R>,
      options?: { readonly locksSpace: boolean }
    ) => Effect.Effect<A, E | OpenE | ChangeRequestConflict | StorageError, R | OpenR>
  }
>()("@lectern/core/change-request/store/ChangeRequestStore") {
  static readonly layer = Layer.effect(
    ChangeRequestStore,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SpacePolicy
      const lookup = yield* makeChangeRequestLookup
      const writeLocks = yield* WriteLocks
      const changeRequests = storage.repository(ChangeRequestTable)
      const spaces = storage.repository(SpaceTable)

      return ChangeRequestStore.of({
        open: Effect.fnUntraced(function* (id, idOrNumber, event, { action, revisions } = {}) {
          const actor = yield* CurrentActor
          const { space, level } = yield* policy.require(id, "see the work on this space")
          const row = yield* lookup.find(id, idOrNumber)
          const requiredAction = action ?? changeRule(actor, row)
          yield* authorize(level, rules[requiredAction] as Role, () => spaceNotFound(id), requiredAction)
          const nextStatus = next(row.status, event)
          if (Result.isFailure(nextStatus)) return yield* new ChangeRequestConflict({ message: nextStatus.failure })
          if (revisions?.includes(row.revision) === false) {
            return yield* new ChangeRequestStale({
              message: `The change request is at revision ${row.revision} by now`
            })
          }
          return { space, row, status: nextStatus.success }
        }),

        commit: Effect.fnUntraced(function* ({ space, row, status }, write, options) {
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const currentRow = yield* changeRequests.get({ id: row.id })
              const currentSpace = yield* spaces.get({ id: space.id })
              if (
                currentRow?.revision !== row.revision ||
                currentRow.status !== row.status ||
                currentSpace === undefined ||
                currentSpace.deletedAt !== undefined ||
                (options?.computedFromMain === true && currentSpace.revision !== space.revision)
              ) {
                return stale
              }
              const changes = yield* write(now, currentRow)
              const patch = { ...changes.patch, status, updatedAt: now }
              yield* changeRequests.update({ id: row.id }, patch).pipe(cannotConflict)
              const spacePatch = { ...changes.space, ...recount(currentSpace, row.status, status) }
              if (Object.keys(spacePatch).length > 0) {
                yield* spaces.update({ id: space.id }, spacePatch)
              }
              return {
                row: applyPatch(ChangeRequestTable, currentRow, patch),
                space: applyPatch(SpaceTable, currentSpace, spacePatch)
              }
            })
          )
        }),

        retryStale,

        retry: Effect.fnUntraced(function* (open, attempt, options) {
          // Runs before waiting for the lock, so that actors without permission never wait.
          const firstOpened = yield* open
          const attemptInTurn = (hasWaited: boolean) => {
            let cachedOpened = hasWaited ? undefined : firstOpened
            return retryStale(
              Effect.gen(function* () {
                const opened = cachedOpened ?? (yield* open)
                cachedOpened = undefined
                return yield* attempt(opened)
              })
            )
          }
          const { id } = firstOpened.space
          return yield* writeLocks.withChangeRequestLock(firstOpened.row.id, (hasWaited) =>
            options?.locksSpace === true
              ? writeLocks.withSpaceLock(id, (hasWaitedForSpace) => attemptInTurn(hasWaited || hasWaitedForSpace))
              : attemptInTurn(hasWaited)
          )
        })
      })
    })
  )
}

const retryStale = Effect.fnUntraced(function* <A, E, R>(attempt: Effect.Effect<A | typeof stale, E, R>) {
  for (let i = 0; i < attempts; i++) {
    const result = yield* attempt
    if (result !== stale) return result
  }
  return yield* new ChangeRequestConflict({ message: "The content keeps changing at the same time: try again" })
})

const recount = (
  space: SpaceRow,
  statusBefore: ChangeRequestStatus,
  statusAfter: ChangeRequestStatus
): Partial<SpaceRow> => {
  if (statusBefore === statusAfter) return {}
  const change = (status: ChangeRequestStatus) => (statusAfter === status ? 1 : 0) - (statusBefore === status ? 1 : 0)
  return {
    changeRequestsOpen: space.changeRequestsOpen + change("open"),
    changeRequestsDraft: space.changeRequestsDraft + change("draft")
  }
}
