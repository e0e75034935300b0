/** Creates, authenticates and revokes tokens. */
import { Clock, Context, Duration, Effect, Redacted, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { makeIntegrationTokens } from "../integration/IntegrationTokens.ts"
import type { DurationLike } from "../time/DurationLike.ts"
import { hour } from "../time/Hour.ts"
import * as TimeDependency from "../time/TimeDependency.ts"
import { VisitorTokens } from "../visitor/VisitorTokens.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { ServerProviders, trustedProviders } from "../sso/ServerProvider.ts"
import { LastSeen } from "../user/LastSeen.ts"
import { type UserId, UserNotFound, UserTable } from "../user/User.ts"
import type { Actor, TokenActor, UserActor } from "../access/Actor.ts"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import { Access } from "../access/Access.ts"
import { makeFactorDemand } from "./FactorDemand.ts"
import { idleEndOf, SessionLimits } from "./Session.ts"
import {
  isSession,
  type Token,
  TokenNotFound,
  type TokenRow,
  type TokenSession,
  TokenTable,
  Unauthorized
} from "./Token.ts"
import { makeTokenAudit } from "./TokenAudit.ts"
import type { TokenScope } from "./TokenScope.ts"

/** Maximum number of tokens whose validity is cached, for `isValid`. */
const maxCachedTokens = 10_000

export class Tokens extends Context.Service<
  Tokens,
  {
    /**
     * Creates a token for a user, or registers a given one. Only this result contains the secret.
     *
     * @param options.token Secret to register instead of a generated one. Default: generated.
     * @param options.session Session that the token is restricted to. Default: none.
     * @param options.name Name, for the user. Default: none.
     * @param options.scopes Operations that the token allows. Default: all.
     * @param options.madeWith Ids of tokens with which the token was created: it is revoked with them. Default: none.
     * @throws {UserNotFound}
     * @example
     * ```ts
     * const { token, info } = await lectern.tokens.create(ada.id, { name: "CI", expires: { days: 90 } })
     * console.log(token, info.expiresAt)
     * ```
     */
    readonly create: (
      user: UserId,
      options?: {
        /** Lifetime of the token. Default: unlimited. */
        readonly expires?: DurationLike
        /** Expiry time. Replaces `expires`. */
        readonly expiresAt?: Timestamp
        readonly token?: Redacted.Redacted
        readonly session?: TokenSession
        readonly name?: string
        readonly scopes?: ReadonlyArray<TokenScope>
        readonly madeWith?: ReadonlyArray<string>
      }
    ) => Effect.Effect<{ readonly token: Redacted.Redacted; readonly info: Token }, UserNotFound | StorageError>
    /** Lists the tokens of a user, without their secrets. */
    readonly list: (user: UserId) => Effect.Effect<ReadonlyArray<Token>, StorageError>
    /**
     * Revokes a token, and all tokens created with it. A token that is already revoked stays unchanged.
     *
     * @param id Id of the token: `info.id`.
     * @returns The revoked token.
     * @throws {TokenNotFound}
     */
    readonly revoke: (id: string) => Effect.Effect<Token, TokenNotFound | StorageError>
    /**
     * Returns the actor of a token: a user, an integration, or the visitor of a site. Pass it to `as`. A token with
     * scopes returns an actor of type `token`, which has no rights until `actorWithScope` selects a scope.
     *
     * @param token Secret of the token.
     * @throws {Unauthorized}
     * @example
     * ```ts
     * const actor = await lectern.tokens.authenticate(token)
     * const { items } = await lectern.as(actor).organizations.list({})
     * ```
     */
    readonly authenticate: (token: string) => Effect.Effect<Actor, Unauthorized | StorageError>
    /**
     * Returns true as long as a token authenticates its user. Does not count as a use of the token.
     *
     * @param id Id of the token.
     */
    readonly isValid: (id: string) => Effect.Effect<boolean, StorageError>
  }
>()("@lectern/core/token/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const access = yield* Access
      const visitors = yield* VisitorTokens
      const integrations = yield* makeIntegrationTokens
      const tokens = storage.repository(TokenTable)
      const users = storage.repository(UserTable)
      const lastSeen = yield* LastSeen
      const limits = yield* SessionLimits
      const record = yield* makeTokenAudit
      const lacksFactor = yield* makeFactorDemand
      const serverProviders = trustedProviders(yield* ServerProviders, hasher)

      /** True if the token is neither revoked nor expired, and its session is still valid. */
      const isUsable = Effect.fnUntraced(function* (row: TokenRow) {
        if (row.revokedAt !== undefined) return false
        if (row.expiresAt !== undefined && (yield* TimeDependency.hasPassed(Date.parse(row.expiresAt)))) return false
        if (isSession(row) && (yield* TimeDependency.hasPassed(idleEndOf(row, limits)))) return false
        const signOn = row.session?.signOn
        if (signOn !== undefined) {
          const { organization, provider, trust } = signOn
          if (organization === undefined) {
            if (serverProviders.get(provider)?.trust !== trust) return false
          } else {
            const organizationFacts = yield* access.facts(organization)
            if (organizationFacts === undefined || !isSignedOn(organizationFacts, row, signOn)) return false
          }
        }
        return !(yield* lacksFactor(row))
      })

      const cachedValidity = yield* ReadCache.make<boolean>(maxCachedTokens)

      return Tokens.of({
        create: Effect.fn("Tokens.create")(function* (user, options = {}) {
          const token = options.token ?? Redacted.make(`lectern_${yield* ids.secret}`)
          const now = yield* Clock.currentTimeMillis
          const row: TokenRow = {
            hash: hasher.sha256(Redacted.value(token)),
            id: yield* ids.next,
            user,
            createdAt: Timestamps.at(now),
            ...(options.expires && { expiresAt: Timestamps.at(now + Duration.toMillis(options.expires)) }),
            ...(options.expiresAt !== undefined && { expiresAt: options.expiresAt }),
            ...(options.session && { session: options.session }),
            ...(options.name !== undefined && { name: options.name }),
            ...(options.scopes && { scopes: options.scopes }),
            ...(options.madeWith && { madeWith: options.madeWith })
          }
          yield* storage.transaction(
            Effect.gen(function* () {
              if ((yield* users.get({ id: user })) === undefined) {
                return yield* new UserNotFound({ message: `There is no user ${user}` })
              }
              yield* tokens.insert(row).pipe(cannotConflict)
              // A sign-on to an organization has a separate audit record.
              if (row.session?.signOn?.organization === undefined || row.madeWith !== undefined)
                yield* record("token_created", [row])
            })
          )
          return { token, info: present(row) }
        }),

        list: Effect.fn("Tokens.list")(function* (user) {
          const rows = yield* tokens.list({ where: { user }, order: ["createdAt"] })
          return rows.map(present)
        }),

        revoke: Effect.fn("Tokens.revoke")(function* (id) {
          const revokedAt = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const [row] = yield* tokens.list({ where: { id } })
              if (row === undefined) return yield* new TokenNotFound({ message: `There is no token ${id}` })
              if (row.revokedAt !== undefined) return present(row)
              yield* tokens.update({ hash: row.hash }, { revokedAt }).pipe(cannotConflict)
              const childTokens = yield* tokens.list({ where: { madeWith: { any: [id] } } })
              const good = childTokens.flatMap(({ hash, revokedAt }) => (revokedAt === undefined ? [{ hash }] : []))
              if (good.length > 0) yield* tokens.update(good, { revokedAt }).pipe(cannotConflict)
              const validChildTokens = childTokens.filter(({ revokedAt }) => revokedAt === undefined)
              yield* record("token_revoked", [row, ...validChildTokens])
              return present({ ...row, revokedAt })
            })
          )
        }),

        authenticate: Effect.fnUntraced(function* (token) {
          const bearer = yield* integrations.bearer(token)
          if (bearer !== undefined) return bearer
          const row = token === "" ? undefined : yield* tokens.get({ hash: hasher.sha256(token) })
          if (row === undefined && token.split(".", 4).length === 3) {
            const visitor = yield* visitors.visitor(token)
            if (visitor !== undefined) return visitor
          }
          if (row === undefined || !(yield* isUsable(row))) return yield* unauthorized
          lastSeen.note(row.user, row.id, yield* TimeDependency.windowOf(hour))
          return actorOf(row)
        }),

        isValid: (id) =>
          cachedValidity(
            id,
            Effect.flatMap(tokens.list({ where: { id }, limit: 1 }), ([row]) =>
              row === undefined ? Effect.succeed(false) : isUsable(row)
            )
          )
      })
    })
  )
}

const unauthorized = new Unauthorized({ message: "The request needs a valid token: Authorization: Bearer <token>" })

/** True if a sign-on is still valid: provider, the provider's trust, and membership are unchanged since its start. */
const isSignedOn = (
  { signOn, members }: OrganizationFacts,
  { user, createdAt }: TokenRow,
  { provider, trust }: NonNullable<TokenSession["signOn"]>
): boolean => {
  const member = members.get(user)
  return signOn.get(provider) === trust && member !== undefined && !member.disabled && member.joinedAt <= createdAt
}

const actorOf = ({ id: token, user, session, scopes }: TokenRow): UserActor | TokenActor => {
  const organization = session?.signOn?.organization
  const by = { user, token, ...(organization !== undefined && { organization }) }
  return scopes === undefined ? { type: "user", ...by } : { type: "token", ...by, scopes }
}

export const present = ({ hash: _, session, madeWith, ...row }: TokenRow): Token => ({
  object: "token",
  ...row,
  ...(session?.signOn?.organization !== undefined && { organization: session.signOn.organization }),
  ...(madeWith && { madeWith: madeWith[0]! })
})
