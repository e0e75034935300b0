/**
 * Steps that every change of a change request shares: the permission, the check of its state, and the short
 * transaction at the end, which takes place only if nothing has moved since the change was computed.
 */
import { Context, Effect, Result } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import type { Role } from "../access/Role.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SpaceId, type SpaceNotFound, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { WriteTurns } from "../content/edits/WriteTurns.ts"
import { SpacePolicy, spaceNotFound } from "../space/SpacePolicy.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import {
  ChangeRequestConflict,
  ChangeRequestMoved,
  type ChangeRequestNotFound,
  type ChangeRequestRow,
  ChangeRequestTable
} from "./ChangeRequest.ts"
import { ChangeRequestLookup } from "./ChangeRequestLookup.ts"
import { type ChangeRequestAction, changeRule, rules } from "./ChangeRequestPolicy.ts"
import { type ChangeRequestEvent, type ChangeRequestStatus, next } from "./ChangeRequestState.ts"
import { wired } from "../wiring/Wired.ts"

export interface Opened {
  readonly space: SpaceRow
  readonly row: ChangeRequestRow
  /** The state after the event. */
  readonly status: ChangeRequestStatus
}

export type OpenFailure =
  | SpaceNotFound
  | ChangeRequestNotFound
  | ChangeRequestConflict
  | ChangeRequestMoved
  | Forbidden
  | StorageError

/** Condition that a caller sets for its change. */
export interface Precondition {
  /** The revisions that the change request may be at. */
  readonly revisions?: ReadonlyArray<string> | undefined
}

/** Nothing of it was moved, and the caller has to look again. */
export const moved = Symbol("moved")

const attempts = 10

export class ChangeRequestStore extends Context.Service<
  ChangeRequestStore,
  {
    /** The change request, where the actor may cause the event and its state allows it. */
    readonly open: (
      space: SpaceId,
      idOrNumber: string,
      event: ChangeRequestEvent,
      options?: Precondition & { readonly action?: ChangeRequestAction }
    ) => Effect.Effect<Opened, OpenFailure, CurrentActor>
    /**
     * Writes the patch and what goes with it, if the change request has not moved since it was read
     * (nor, where the write was computed from it, its space); otherwise answers `moved`. `current`: the row as it is
     * by then, with whoever has commented meanwhile.
     */
    readonly commit: <E, R>(
      opened: Opened,
      write: (
        now: Timestamp,
        current: ChangeRequestRow
      ) => Effect.Effect<{ readonly patch: Partial<ChangeRequestRow>; readonly space?: Partial<SpaceRow> }, E, R>,
      options?: { readonly computedFromMain: boolean }
    ) => Effect.Effect<{ readonly row: ChangeRequestRow; readonly space: SpaceRow } | typeof moved, E | StorageError, R>
    /** Attempts again while things move, a few times. */
    readonly again: <A, E, R>(
      attempt: Effect.Effect<A | typeof moved, E, R>
    ) => Effect.Effect<A, E | ChangeRequestConflict, R>
    /**
     * Opens the change request, then computes and commits in its turn; again while things move, a
     * few times: another process may move them. `inTurnOfSpace` takes the turn of its space as well.
     */
    readonly retry: <A, E, R, OpenE, OpenR>(
      open: Effect.Effect<Opened, OpenE, OpenR>,
      attempt: (opened: Opened) => Effect.Effect<A | typeof moved, E, R>,
      options?: { readonly inTurnOfSpace: boolean }
    ) => Effect.Effect<A, E | OpenE | ChangeRequestConflict | StorageError, R | OpenR>
  }
>()("@lectern/core/change-request/ChangeRequestStore") {
  static readonly layer = wired(
    ChangeRequestStore,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SpacePolicy
      const lookup = yield* ChangeRequestLookup
      const turns = yield* WriteTurns
      const changeRequests = storage.repository(ChangeRequestTable)
      const spaces = storage.repository(SpaceTable)

      return ChangeRequestStore.of({
        open: Effect.fnUntraced(function* (id, idOrNumber, event, { action, revisions } = {}) {
          const actor = yield* CurrentActor
          const { space, level } = yield* policy.require(id, "see the work on this space")
          const row = yield* lookup.find(id, idOrNumber)
          const wanted = action ?? changeRule(actor, row)
          yield* authorize(level, rules[wanted] as Role, () => spaceNotFound(id), wanted)
          const after = next(row.status, event)
          if (Result.isFailure(after)) return yield* new ChangeRequestConflict({ message: after.failure })
          if (revisions?.includes(row.revision) === false) {
            return yield* new ChangeRequestMoved({
              message: `The change request is at revision ${row.revision} by now`
            })
          }
          return { space, row, status: after.success }
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
                return moved
              }
              const written = yield* write(now, currentRow)
              const patch = { ...written.patch, status, updatedAt: now }
              yield* changeRequests.update({ id: row.id }, patch).pipe(cannotConflict)
              const spacePatch = { ...written.space, ...recount(currentSpace, row.status, status) }
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

        again,

        retry: Effect.fnUntraced(function* (open, attempt, options) {
          // Before it waits: who may not do it takes no place in the queue.
          const first = yield* open
          const attemptInTurn = (hasWaited: boolean) => {
            let known = hasWaited ? undefined : first
            return again(
              Effect.gen(function* () {
                const opened = known ?? (yield* open)
                known = undefined
                return yield* attempt(opened)
              })
            )
          }
          const { id } = first.space
          return yield* turns.ofChangeRequest(first.row.id, (hasWaited) =>
            options?.inTurnOfSpace === true
              ? turns.ofSpace(id, (hasWaitedForSpace) => attemptInTurn(hasWaited || hasWaitedForSpace))
              : attemptInTurn(hasWaited)
          )
        })
      })
    }),
    [ChangeRequestLookup.layer, SpacePolicy.layer, WriteTurns.layer]
  )
}

const again = Effect.fnUntraced(function* <A, E, R>(attempt: Effect.Effect<A | typeof moved, E, R>) {
  for (let i = 0; i < attempts; i++) {
    const result = yield* attempt
    if (result !== moved) return result
  }
  return yield* new ChangeRequestConflict({ message: "The content keeps changing at the same time: try again" })
})

const recount = (space: SpaceRow, before: ChangeRequestStatus, after: ChangeRequestStatus): Partial<SpaceRow> => {
  if (before === after) return {}
  const change = (status: ChangeRequestStatus) => (after === status ? 1 : 0) - (before === status ? 1 : 0)
  return {
    changeRequestsOpen: space.changeRequestsOpen + change("open"),
    changeRequestsDraft: space.changeRequestsDraft + change("draft")
  }
}
