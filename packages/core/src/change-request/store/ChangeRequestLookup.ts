/** Finds a change request of a space by its id or by its number. */
import { Effect } from "effect"
import type { SpaceId } from "../../space/Space.ts"
import { Storage } from "../../storage/Storage.ts"
import { ChangeRequestId, ChangeRequestNotFound, ChangeRequestTable } from "../ChangeRequest.ts"

export const makeChangeRequestLookup = Effect.gen(function* () {
  const changeRequests = (yield* Storage).repository(ChangeRequestTable)
  return {
    find: Effect.fnUntraced(function* (space: SpaceId, idOrNumber: string) {
      // An id never consists only of digits, so digits are a number.
      const row = /^\d{1,15}$/.test(idOrNumber)
        ? (yield* changeRequests.list({ where: { space, number: Number(idOrNumber) } }))[0]
        : yield* changeRequests.get({ id: ChangeRequestId.make(idOrNumber) })
      if (row?.space !== space) {
        return yield* new ChangeRequestNotFound({
          message: `There is no change request ${idOrNumber.slice(0, 50)} in this space`
        })
      }
      return row
    })
  }
})
