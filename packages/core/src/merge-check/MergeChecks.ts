/** Sets, lists and removes the checks of change requests. */
import { Context, Effect, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequestNotFound, ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../change-request/store/ChangeRequestLookup.ts"
import { ChangeRequestStore, type OpenFailure } from "../change-request/store/ChangeRequestStore.ts"
import { type RevisionNotFound, Revisions } from "../content/revisions/Revisions.ts"
import { Events } from "../event/Events.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import { hostUser } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { CheckName, maxChecks } from "./CheckName.ts"
import { type MergeCheck, type MergeCheckRow, MergeCheckSet, MergeCheckTable, TooManyChecks } from "./MergeCheck.ts"

const acceptName = accepting(CheckName, "params.name")
const acceptSet = accepting(MergeCheckSet)

export class MergeChecks extends Context.Service<
  MergeChecks,
  {
    /**
     * Lists the checks of a change request by name.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly list: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<MergeCheck>,
      SpaceNotFound | ChangeRequestNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Sets the result of a check. It replaces an earlier result of the check. Requires the role `review`, because a check
     * decides whether a change request can be merged, as a review does.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @param name Name of the check: 1 to 100 characters in one line.
     * @returns The check. A result for an earlier revision leaves a check of the newest revision unchanged.
     * @throws {ChangeRequestConflict} If the change request is merged or archived.
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound} If the space has no such revision.
     * @throws {SpaceNotFound}
     * @throws {TooManyChecks}
     * @example
     * ```ts
     * const check = await lectern.changeRequests.checks.set(space.id, changeRequest.id, "links", {
     *   state: "passed",
     *   url: "https://ci.example.com/jobs/17"
     * })
     * console.log(check.state, check.outdated)
     * ```
     */
    readonly set: (
      space: SpaceId,
      changeRequest: string,
      name: string,
      input: MergeCheckSet
    ) => Effect.Effect<MergeCheck, OpenFailure | RevisionNotFound | TooManyChecks | InvalidInput, CurrentActor>
    /**
     * Removes a check. Does nothing if there is no check of this name.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @param name Name of the check.
     * @throws {ChangeRequestConflict} If the change request is merged or archived.
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly remove: (
      space: SpaceId,
      changeRequest: string,
      name: string
    ) => Effect.Effect<void, OpenFailure, CurrentActor>
  }
>()("@lectern/core/merge-check/MergeChecks") {
  static readonly layer = Layer.effect(
    MergeChecks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const paging = yield* Paging
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const store = yield* ChangeRequestStore
      const users = yield* Users
      const lookup = yield* makeChangeRequestLookup
      const checks = storage.repository(MergeCheckTable)

      const open = (space: SpaceId, changeRequest: string) =>
        Effect.map(
          store.open(space, changeRequest, { type: "check" }, { action: "set checks of this change request" }),
          ({ row }) => row
        )

      const present = Effect.fnUntraced(function* (
        changeRequest: ChangeRequestRow,
        rows: ReadonlyArray<MergeCheckRow>
      ) {
        const people = yield* users.present(rows.map(({ updatedBy }) => updatedBy ?? hostUser))
        return rows.map(({ space: _, changeRequest: __, updatedBy, ...fields }): MergeCheck => ({
          object: "change-request-check",
          ...fields,
          outdated: fields.revision !== changeRequest.revision,
          updatedBy: people.get(updatedBy ?? hostUser)!
        }))
      })

      /** Stores a result, unless the check is of the newest revision and the result of an earlier one. */
      const write = Effect.fnUntraced(function* (changeRequest: ChangeRequestRow, name: string, input: MergeCheckSet) {
        const key = { changeRequest: changeRequest.id, name }
        const { space, organization } = changeRequest
        const { revision = changeRequest.revision, ...result } = input
        if (revision !== changeRequest.revision) yield* revisions.find(space, revision)
        const before = yield* checks.get(key)
        if (before?.revision === changeRequest.revision && revision !== before.revision) return before
        if (before === undefined && (yield* checks.count({ changeRequest: changeRequest.id })) >= maxChecks) {
          return yield* new TooManyChecks({ message: `A change request has at most ${maxChecks} checks` })
        }
        const updatedAt = yield* Timestamps.now
        const fields = { ...result, revision, updatedBy: userOf(yield* CurrentActor) }
        const patch = { url: undefined, text: undefined, ...fields }
        if (before !== undefined && !hasChanges(before, patch)) return before
        const row: MergeCheckRow = { ...key, ...fields, space, createdAt: before?.createdAt ?? updatedAt, updatedAt }
        if (before === undefined) yield* checks.insert(row).pipe(cannotConflict)
        else yield* checks.update(key, { ...patch, updatedAt })
        yield* events.emit({
          type: "change_request_check_updated",
          organization,
          space,
          changeRequest: changeRequest.id,
          check: name,
          state: row.state
        })
        return row
      })

      return MergeChecks.of({
        list: Effect.fn("MergeChecks.list")(function* (space, idOrNumber, params) {
          yield* policy.require(space, "see the work on this space")
          const changeRequest = yield* lookup.find(space, idOrNumber)
          const where = { changeRequest: changeRequest.id }
          const page = yield* paging.rows(MergeCheckTable, `checks of ${changeRequest.id}`, { where }, params)
          return { ...page, items: yield* present(changeRequest, page.items) }
        }),

        set: Effect.fn("MergeChecks.set")(function* (space, idOrNumber, rawName, rawInput) {
          const name = yield* acceptName(rawName)
          const input = yield* acceptSet(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const changeRequest = yield* open(space, idOrNumber)
              const [check] = yield* present(changeRequest, [yield* write(changeRequest, name, input)])
              return check!
            })
          )
        }),

        remove: Effect.fn("MergeChecks.remove")(function* (space, idOrNumber, name) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const { id, organization } = yield* open(space, idOrNumber)
              if ((yield* checks.remove({ changeRequest: id, name })) === 0) return
              yield* events.emit({
                type: "change_request_check_removed",
                organization,
                space,
                changeRequest: id,
                check: name
              })
            })
          )
        })
      })
    })
  )
}
