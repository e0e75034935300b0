/**
 * The tokens of integrations and installations, handed to their programs with each event. Nothing of
 * them is stored: the instance signs whom they are for and until when.
 *
 * Limits: good for an hour; those of what was unpublished or removed meanwhile find nothing, and are no tokens of
 * what somebody has published by the name since.
 */
import { Clock, Context, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import * as Result from "effect/Result"
import type { InstallationActor, IntegrationActor } from "../access/Actor.ts"
import type { Timestamp } from "../schema/Text.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as Moment from "../moment/Moment.ts"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { wired } from "../wiring/Wired.ts"
import { IntegrationKey, type IntegrationRow, IntegrationTable, isPublished } from "./Integration.ts"

const prefix = "lectern_int_"
const lifetime = 60 * 60 * 1000
const maxLength = 1024

type Bearer = IntegrationActor | InstallationActor

/** Signed content of a token. `since`: when its integration was first published, which tells it from others by its name. */
interface Signed {
  readonly bearer: Bearer
  readonly since: Timestamp
  readonly until: number
}

export class IntegrationTokens extends Context.Service<
  IntegrationTokens,
  {
    readonly make: (bearer: Bearer, integration: Pick<IntegrationRow, "createdAt">) => Effect.Effect<string>
    /** Whom a token is for; undefined for anything else, and once it has ended. */
    readonly bearer: (token: string) => Effect.Effect<Bearer | undefined, StorageError>
  }
>()("@lectern/core/integration/IntegrationTokens") {
  static readonly layer = wired(
    IntegrationTokens,
    Effect.gen(function* () {
      const instance = yield* Instance
      const integrations = (yield* Storage).repository(IntegrationTable)
      const sign = (payload: string) => instance.sign("integration token", payload)

      const bearerOf = Effect.fnUntraced(function* (text: string) {
        const [payload = "", signature = "", ...rest] = text.split(".")
        if (rest.length > 0 || !timingSafeEqual(sign(payload), signature)) return undefined
        const signed = Base64Url.decodeString(payload)
        if (Result.isFailure(signed)) return undefined
        // What is signed was written here.
        const { bearer, since, until } = JSON.parse(signed.success) as Signed
        if (yield* Moment.hasCome(until)) return undefined
        const integration = yield* integrations.get({ key: IntegrationKey.make(bearer.integration) })
        return isPublished(integration) && integration.createdAt !== since ? undefined : bearer
      })

      return IntegrationTokens.of({
        make: (bearer, { createdAt: since }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const signed: Signed = { bearer, since, until: now + lifetime }
            const payload = Base64Url.encode(JSON.stringify(signed))
            return `${prefix}${payload}.${sign(payload)}`
          }),

        // It is asked of every token, and few are one of these.
        bearer: (token) =>
          token.startsWith(prefix) && token.length <= maxLength
            ? bearerOf(token.slice(prefix.length))
            : Effect.undefined
      })
    }),
    [Instance.layer]
  )
}
