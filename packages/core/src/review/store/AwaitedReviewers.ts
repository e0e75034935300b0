/**
 * Users whose reviews a change request awaits: requested, and not submitted since the latest request. The row of the
 * change request contains them, so that lists select by them. Runs in the caller's transaction.
 */
import { Effect } from "effect"
import { type ChangeRequestId, ChangeRequestTable } from "../../change-request/ChangeRequest.ts"
import { cannotConflict, Storage } from "../../storage/Storage.ts"
import type { UserId } from "../../user/User.ts"

export const makeAwaitedReviewers = Effect.gen(function* () {
  const changeRequests = (yield* Storage).repository(ChangeRequestTable)

  const update = Effect.fnUntraced(function* (
    id: ChangeRequestId,
    change: (awaited: ReadonlyArray<UserId>) => ReadonlyArray<UserId>
  ) {
    const row = yield* changeRequests.get({ id })
    if (row === undefined) return
    const { awaitedReviewers = [] } = row
    const changed = change(awaitedReviewers)
    if (changed.length !== awaitedReviewers.length)
      yield* changeRequests.update({ id }, { awaitedReviewers: changed }).pipe(cannotConflict)
  })

  return {
    /** Adds users whose reviews are requested. */
    add: (id: ChangeRequestId, users: ReadonlyArray<UserId>) =>
      update(id, (awaited) => [...new Set([...awaited, ...users])]),
    /** Removes a user who reviewed, or whose review is not requested any more. */
    remove: (id: ChangeRequestId, user: UserId) => update(id, (awaited) => awaited.filter((one) => one !== user))
  }
})
