/** Finds a change request of a space by its id or by its number. */
import { Context, Effect, Layer } from "effect"
import type { SpaceId } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { ChangeRequestId, ChangeRequestNotFound, type ChangeRequestRow, ChangeRequestTable } from "./ChangeRequest.ts"

export class ChangeRequestLookup extends Context.Service<
  ChangeRequestLookup,
  {
    readonly find: (
      space: SpaceId,
      idOrNumber: string
    ) => Effect.Effect<ChangeRequestRow, ChangeRequestNotFound | StorageError>
  }
>()("@lectern/core/change-request/ChangeRequestLookup") {
  static readonly layer = Layer.effect(
    ChangeRequestLookup,
    Effect.gen(function* () {
      const changeRequests = (yield* Storage).repository(ChangeRequestTable)
      return ChangeRequestLookup.of({
        find: Effect.fnUntraced(function* (space, idOrNumber) {
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
      })
    })
  )
}
