/**
 * Sessions that may change how their user signs in. The sign-in must be less than 10 minutes ago, so that an unlocked
 * or stolen browser is not enough. If signing in requires a second factor, the session must have shown one.
 */
import type { UserActor } from "@lectern/core/access/Actor"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { isSession, type TokenRow, TokenTable } from "@lectern/core/token/Token"
import { Clock, Effect } from "effect"
import { SecondFactors } from "../factor/SecondFactors.ts"

/** Time in ms after a sign-in within which a session may change how its user signs in. */
export const freshTime = 10 * 60_000

export const makeFreshSession = Effect.gen(function* () {
  const tokens = (yield* Storage).repository(TokenTable)
  const factors = yield* SecondFactors

  /** Returns the row of the actor's session. Undefined if the session may not change how its user signs in. */
  return Effect.fnUntraced(function* (actor: UserActor): Effect.fn.Return<TokenRow | undefined, StorageError> {
    const [row] = actor.token === undefined ? [] : yield* tokens.list({ where: { id: actor.token } })
    if (row === undefined || !isSession(row) || row.session?.signOn?.organization !== undefined) return undefined
    if ((yield* Clock.currentTimeMillis) >= Date.parse(row.createdAt) + freshTime) return undefined
    const { isDue, isSetUp } = yield* factors.status(actor.user)
    return isDue && isSetUp && row.session?.factor !== true ? undefined : row
  })
})
