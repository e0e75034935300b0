/**
 * Lets users manage their own tokens. A token that is created with another token has at most its scopes and lifetime,
 * and is revoked with it. A token that is created in the session of a sign-on belongs to the session, and such a session
 * sees only tokens of its own organization, since that organization's administrators control it. A token that is created
 * in another session outlives it. Sessions are not listed here (see `Sessions`).
 *
 * Limits: 100 valid tokens per user; 1,000 including ended ones that are not removed yet (see `TokenRetention`); chains
 * of tokens are at most ten deep.
 */
import { Clock, Context, Duration, Effect, Redacted, Layer } from "effect"
import { CurrentActor, type UserActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import type { UserNotFound } from "../user/User.ts"
import {
  type CreatedToken,
  isSession,
  type Token,
  TokenCreate,
  TokenNotFound,
  type TokenRow,
  TokenTable,
  TooManyTokens
} from "./Token.ts"
import { present, Tokens } from "./Tokens.ts"
import { covers, type TokenScope } from "./TokenScope.ts"

const maxValidTokens = 100
const maxTokens = 1_000
const maxDepth = 10
const maxLifetime = Duration.toMillis(Duration.days(36_500))

const accept = accepting(TokenCreate)

export class UserTokens extends Context.Service<
  UserTokens,
  {
    /**
     * Lists the current user's tokens, newest first, without their secrets.
     *
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidCursor}
     */
    readonly list: (
      params: PageParams
    ) => Effect.Effect<ListPage<Token>, Forbidden | InvalidCursor | StorageError, CurrentActor>
    /**
     * Returns one of the current user's tokens, without its secret.
     *
     * @param id Id of the token.
     * @throws {Forbidden}
     * @throws {TokenNotFound} For tokens of other users.
     */
    readonly get: (id: string) => Effect.Effect<Token, TokenNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Creates a token for the current user. Only this result contains the secret.
     *
     * @throws {Forbidden} If `scopes` or `expiresAt` exceed those of the token of the request, which are also the
     * default.
     * @throws {InvalidInput}
     * @throws {TooManyTokens} Above 100 valid tokens.
     */
    readonly create: (
      input: TokenCreate
    ) => Effect.Effect<CreatedToken, TooManyTokens | Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Revokes one of the current user's tokens and those created with it. Succeeds if the token does not exist.
     *
     * @param id Id of the token.
     * @throws {Forbidden}
     */
    readonly revoke: (id: string) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/token/UserTokens") {
  static readonly layer = Layer.effect(
    UserTokens,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const tokens = yield* Tokens
      const rows = storage.repository(TokenTable)

      /** Returns the condition for the tokens that the actor can see. */
      const mine = ({ user, organization }: UserActor) => ({
        user,
        isSession: false,
        ...(organization !== undefined && { organization })
      })

      const find = Effect.fnUntraced(function* (id: string) {
        const actor = yield* requireUser
        const [row] = yield* rows.list({ where: { ...mine(actor), id } })
        return row
      })

      /**
       * Returns the token that bounds a new one: that of the request. Undefined without a token, or in a session that is
       * not limited to an organization. Must run in the transaction that creates the new token.
       */
      const boundingToken = Effect.fnUntraced(function* ({ token }: UserActor) {
        if (token === undefined) return undefined
        const [row] = yield* rows.list({ where: { id: token } })
        // The token is read again, since it may have been revoked after it was authenticated.
        if (row === undefined || row.revokedAt !== undefined) {
          return yield* new Forbidden({ message: "The token of this request was revoked" })
        }
        // A token of a user's own is no narrower than a session without an organization.
        return isSession(row) && row.session?.signOn?.organization === undefined ? undefined : row
      })

      const requireCapacity = Effect.fnUntraced(function* ({ user }: UserActor, now: number) {
        const existingTokens = yield* rows.list({ where: { user, isSession: false }, limit: maxTokens })
        const validTokens = existingTokens.filter(
          ({ revokedAt, expiresAt }) =>
            revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > now)
        )
        if (validTokens.length >= maxValidTokens) {
          return yield* new TooManyTokens({
            message: `You have ${maxValidTokens} tokens, as many as you may: revoke one first`
          })
        }
        if (existingTokens.length >= maxTokens) {
          return yield* new TooManyTokens({
            message: "You have made too many tokens lately: those that have ended are forgotten after 30 days"
          })
        }
      })

      return UserTokens.of({
        list: Effect.fn("UserTokens.list")(function* (params) {
          const actor = yield* requireUser
          const query = { where: mine(actor), order: ["createdAt"], descending: true } as const
          const page = yield* paging.rows(TokenTable, `tokens of ${JSON.stringify(mine(actor))}`, query, params)
          return { ...page, items: page.items.map(present) }
        }),

        get: Effect.fn("UserTokens.get")(function* (id) {
          const row = yield* find(id)
          if (row === undefined) return yield* new TokenNotFound({ message: `There is no token ${id.slice(0, 50)}` })
          return present(row)
        }),

        create: Effect.fn("UserTokens.create")(function* (rawInput) {
          const { name, scopes, expiresAt } = yield* accept(rawInput)
          const actor = yield* requireUser
          const now = yield* Clock.currentTimeMillis
          const requestedEnd = expiresAt === undefined ? undefined : yield* timeOf(expiresAt, now)
          return yield* storage
            .transaction(
              Effect.gen(function* () {
                const parentToken = yield* boundingToken(actor)
                yield* requireCapacity(actor, now)
                const expiryTime = yield* endOf(parentToken, requestedEnd)
                const ancestorIds =
                  parentToken === undefined ? undefined : [parentToken.id, ...(parentToken.madeWith ?? [])]
                if (ancestorIds !== undefined && ancestorIds.length > maxDepth) {
                  return yield* new Forbidden({ message: "A token that was made with so many others makes none" })
                }
                const tokenScopes = yield* scopesOf(parentToken, scopes)
                const { token, info } = yield* tokens.create(actor.user, {
                  ...(name !== undefined && { name }),
                  ...(expiryTime !== undefined && { expiresAt: Timestamps.at(expiryTime) }),
                  ...(tokenScopes && { scopes: tokenScopes }),
                  ...(parentToken?.session && { session: parentToken.session }),
                  ...(ancestorIds && { madeWith: ancestorIds })
                })
                return { ...info, token: Redacted.value(token) }
              })
            )
            .pipe(Effect.catchTag("UserNotFound", forbidNonUsers))
        }),

        revoke: Effect.fn("UserTokens.revoke")(function* (id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(id)
              if (row !== undefined) yield* tokens.revoke(row.id).pipe(Effect.catchTag("TokenNotFound", Effect.die))
            })
          )
        })
      })
    })
  )
}

const forbidNonUsers = (_?: UserNotFound) =>
  Effect.fail(new Forbidden({ message: "Tokens are made, listed and revoked by the user that they are for" }))

const requireUser = Effect.flatMap(CurrentActor, (actor) =>
  actor.type === "user" ? Effect.succeed(actor) : forbidNonUsers()
)

const timeOf = (text: string, now: number): Effect.Effect<number, InvalidInput> => {
  const time = millisOf(text)
  return time > now && time <= now + maxLifetime
    ? Effect.succeed(time)
    : Effect.fail(
        new InvalidInput({
          issues: [
            { path: "expiresAt", message: "Expected a time to come within 100 years, such as 2030-01-31T12:00:00Z" }
          ]
        })
      )
}

const endOf = (
  parentToken: TokenRow | undefined,
  requestedEnd: number | undefined
): Effect.Effect<number | undefined, Forbidden> => {
  const maxEnd = parentToken?.expiresAt === undefined ? undefined : Date.parse(parentToken.expiresAt)
  return maxEnd !== undefined && requestedEnd !== undefined && requestedEnd > maxEnd
    ? Effect.fail(
        new Forbidden({
          message: `A token lives no longer than the one that it is made with: until ${parentToken!.expiresAt}`
        })
      )
    : Effect.succeed(requestedEnd ?? maxEnd)
}

const scopesOf = (
  parentToken: TokenRow | undefined,
  requestedScopes: ReadonlyArray<TokenScope> | undefined
): Effect.Effect<ReadonlyArray<TokenScope> | undefined, Forbidden> => {
  const excessScope = requestedScopes?.find((scope) => !covers(parentToken?.scopes, scope))
  return excessScope === undefined
    ? Effect.succeed(requestedScopes ?? parentToken?.scopes)
    : Effect.fail(
        new Forbidden({ message: `A token is no wider than the one that it is made with, which lacks ${excessScope}` })
      )
}
