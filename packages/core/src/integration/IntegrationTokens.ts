/**
 * The tokens of integrations and installations, handed to their programs with each event. Nothing of
 * them is stored: the instance signs whom they are for and until when.
 *
 * Limits: good for an hour, and no longer than the user's token that one was asked for with; those of what was unpublished or removed meanwhile find nothing, and are no tokens of
 * what somebody has published by the name since.
 */
import { Clock, Context, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import * as Result from "effect/Result"
import { CurrentActor, type InstallationActor, type IntegrationActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import type { Timestamp } from "../schema/Text.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as Moment from "../moment/Moment.ts"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { TokenTable } from "../token/Token.ts"
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
  /** The id of the user's token that it was asked for with. */
  readonly madeWith?: string
}

export class IntegrationTokens extends Context.Service<
  IntegrationTokens,
  {
    readonly make: (bearer: Bearer, integration: Pick<IntegrationRow, "createdAt">) => Effect.Effect<string>
    /** The same for an actor that asks for one: it ends with the token that a user asks with. */
    readonly lend: (
      bearer: Bearer,
      integration: Pick<IntegrationRow, "createdAt">
    ) => Effect.Effect<string, Forbidden | StorageError, CurrentActor>
    /** Whom a token is for; undefined for anything else, and once it has ended. */
    readonly bearer: (token: string) => Effect.Effect<Bearer | undefined, StorageError>
  }
>()("@lectern/core/integration/IntegrationTokens") {
  static readonly layer = wired(
    IntegrationTokens,
    Effect.gen(function* () {
      const instance = yield* Instance
      const storage = yield* Storage
      const integrations = storage.repository(IntegrationTable)
      const tokens = storage.repository(TokenTable)
      const sign = (payload: string) => instance.sign("integration token", payload)

      /** A user's token that was not revoked. */
      const goodOne = Effect.fnUntraced(function* (id: string) {
        const [row] = yield* tokens.list({ where: { id } })
        return row?.revokedAt === undefined ? row : undefined
      })

      const signed = (content: Signed) => {
        const payload = Base64Url.encode(JSON.stringify(content))
        return `${prefix}${payload}.${sign(payload)}`
      }

      const bearerOf = Effect.fnUntraced(function* (text: string) {
        const [payload = "", signature = "", ...rest] = text.split(".")
        if (rest.length > 0 || !timingSafeEqual(sign(payload), signature)) return undefined
        const content = Base64Url.decodeString(payload)
        if (Result.isFailure(content)) return undefined
        // What is signed was written here.
        const { bearer, since, until, madeWith } = JSON.parse(content.success) as Signed
        if (yield* Moment.hasCome(until)) return undefined
        if (madeWith !== undefined && (yield* goodOne(madeWith)) === undefined) return undefined
        const integration = yield* integrations.get({ key: IntegrationKey.make(bearer.integration) })
        return isPublished(integration) && integration.createdAt !== since ? undefined : bearer
      })

      return IntegrationTokens.of({
        make: (bearer, { createdAt: since }) =>
          Effect.map(Clock.currentTimeMillis, (now) => signed({ bearer, since, until: now + lifetime })),

        lend: Effect.fnUntraced(function* (bearer, { createdAt: since }) {
          const actor = yield* CurrentActor
          const until = (yield* Clock.currentTimeMillis) + lifetime
          if (actor.type !== "user" || actor.token === undefined) return signed({ bearer, since, until })
          const by = yield* goodOne(actor.token)
          if (by === undefined) return yield* new Forbidden({ message: "The token that this is made with was revoked" })
          const ends = by.expiresAt === undefined ? until : Math.min(until, Date.parse(by.expiresAt))
          return signed({ bearer, since, until: ends, madeWith: by.id })
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
