/**
 * The tokens of integrations and installations, handed to their programs with each event. Nothing of
 * them is stored: the instance signs whom they are for and until when.
 *
 * Limits: good for an hour; those of what was unpublished or removed meanwhile find nothing.
 */
import { Clock, Context, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import * as Result from "effect/Result"
import type { InstallationActor, IntegrationActor } from "../access/Actor.ts"
import * as Moment from "../moment/Moment.ts"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { wired } from "../wiring/Wired.ts"

const prefix = "lectern_int_"
const lifetime = 60 * 60 * 1000
const maxLength = 1024

type Bearer = IntegrationActor | InstallationActor

export class IntegrationTokens extends Context.Service<
  IntegrationTokens,
  {
    readonly make: (bearer: Bearer) => Effect.Effect<string>
    /** Whom a token is for; undefined for anything else, and once it has ended. */
    readonly bearer: (token: string) => Effect.Effect<Bearer | undefined>
  }
>()("@lectern/core/integration/IntegrationTokens") {
  static readonly layer = wired(
    IntegrationTokens,
    Effect.gen(function* () {
      const instance = yield* Instance
      const sign = (payload: string) => instance.sign("integration token", payload)

      return IntegrationTokens.of({
        make: (bearer) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const payload = Base64Url.encode(JSON.stringify({ bearer, until: now + lifetime }))
            return `${prefix}${payload}.${sign(payload)}`
          }),

        bearer: Effect.fnUntraced(function* (token) {
          if (!token.startsWith(prefix) || token.length > maxLength) return undefined
          const [payload = "", signature = "", ...rest] = token.slice(prefix.length).split(".")
          if (rest.length > 0 || !timingSafeEqual(sign(payload), signature)) return undefined
          const text = Base64Url.decodeString(payload)
          if (Result.isFailure(text)) return undefined
          // What is signed was written here.
          const { bearer, until } = JSON.parse(text.success) as { readonly bearer: Bearer; readonly until: number }
          return (yield* Moment.hasCome(until)) ? undefined : bearer
        })
      })
    }),
    [Instance.layer]
  )
}
