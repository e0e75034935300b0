/**
 * Tokens of integrations and installations, passed to their programs with each event. They are not stored: the instance
 * signs the bearer and the expiry.
 *
 * Limits: a token is valid for an hour, and not longer than the user's token that requested it. Tokens of an
 * unpublished integration or removed installation have no access, and are not valid for an integration published later
 * under the same name.
 */
import { Clock, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import * as Result from "effect/Result"
import { CurrentActor, type InstallationActor, type IntegrationActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import type { Timestamp } from "../schema/Text.ts"
import { Storage } from "../storage/Storage.ts"
import * as TimeDependency from "../time/TimeDependency.ts"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { TokenTable } from "../token/Token.ts"
import { IntegrationKey, type IntegrationRow, IntegrationTable, isPublished } from "./Integration.ts"

const prefix = "lectern_int_"
const lifetime = 60 * 60 * 1000
const maxLength = 1024

type Bearer = IntegrationActor | InstallationActor

/**
 * Signed content of a token. `since`: first publication of the integration, which distinguishes it from others of the
 * same name.
 */
interface SignedContent {
  readonly bearer: Bearer
  readonly since: Timestamp
  readonly until: number
  /** Id of the user's token that requested this one. */
  readonly madeWith?: string
}

export const makeIntegrationTokens = Effect.gen(function* () {
  const instance = yield* Instance
  const storage = yield* Storage
  const integrations = storage.repository(IntegrationTable)
  const tokens = storage.repository(TokenTable)
  const sign = (payload: string) => instance.sign("integration token", payload)

  /** Returns a user's token that is not revoked. */
  const validToken = Effect.fnUntraced(function* (id: string) {
    const [row] = yield* tokens.list({ where: { id } })
    return row?.revokedAt === undefined ? row : undefined
  })

  const signedToken = (content: SignedContent) => {
    const payload = Base64Url.encode(JSON.stringify(content))
    return `${prefix}${payload}.${sign(payload)}`
  }

  const bearerOf = Effect.fnUntraced(function* (text: string) {
    const [payload = "", signature = "", ...extraParts] = text.split(".")
    if (extraParts.length > 0 || !timingSafeEqual(sign(payload), signature)) return undefined
    const content = Base64Url.decodeString(payload)
    if (Result.isFailure(content)) return undefined
    // Only this service signs, so the content is valid.
    const { bearer, since, until, madeWith } = JSON.parse(content.success) as SignedContent
    if (yield* TimeDependency.hasPassed(until)) return undefined
    if (madeWith !== undefined && (yield* validToken(madeWith)) === undefined) return undefined
    const integration = yield* integrations.get({ key: IntegrationKey.make(bearer.integration) })
    return isPublished(integration) && integration.createdAt !== since ? undefined : bearer
  })

  return {
    make: (bearer: Bearer, { createdAt: since }: Pick<IntegrationRow, "createdAt">) =>
      Effect.map(Clock.currentTimeMillis, (now) => signedToken({ bearer, since, until: now + lifetime })),

    /** Returns a token for an actor that requests one. It expires with the token of the user. */
    makeForActor: Effect.fnUntraced(function* (
      bearer: Bearer,
      { createdAt: since }: Pick<IntegrationRow, "createdAt">
    ) {
      const actor = yield* CurrentActor
      const until = (yield* Clock.currentTimeMillis) + lifetime
      if (actor.type !== "user" || actor.token === undefined) return signedToken({ bearer, since, until })
      const userToken = yield* validToken(actor.token)
      if (userToken === undefined) return yield* new Forbidden({ message: "The token of this request was revoked" })
      const expiresAt = userToken.expiresAt === undefined ? until : Math.min(until, Date.parse(userToken.expiresAt))
      return signedToken({ bearer, since, until: expiresAt, madeWith: userToken.id })
    }),

    // The prefix is checked first, since this is called for every token of a request and few tokens are of this
    // kind.
    /** Returns the bearer of a token; undefined if the token is invalid, expired, or of another kind. */
    bearer: (token: string) =>
      token.startsWith(prefix) && token.length <= maxLength ? bearerOf(token.slice(prefix.length)) : Effect.undefined
  }
})
