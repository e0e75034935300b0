/**
 * Starts, lists and ends the sessions of users. A user ends the own sessions one by one, or all except the current one.
 * A session of one organization sees only sessions of that organization, since that organization's administrators
 * control it.
 *
 * A sign-in always starts a new session with a new secret, and ends the session that the browser had before. So a
 * session that an attacker planted in a browser never becomes the session of its user.
 */
import { Clock, Context, Duration, Effect, Layer, type Redacted } from "effect"
import { CurrentActor, type UserActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId, UserNotFound } from "../user/User.ts"
import { idleEndOf, maxSessions, type Session, SessionLimits } from "./Session.ts"
import { isSession, type TokenRow, type TokenSession, TokenTable } from "./Token.ts"
import { makeTokenAudit } from "./TokenAudit.ts"
import { Tokens } from "./Tokens.ts"

/** Sign-in that a session starts with. */
export interface SessionStart extends TokenSession {
  /** Maximum lifetime in ms, if it is shorter than that of all sessions. Default: that of all sessions. */
  readonly maxMillis?: number
  /** Secret of the session that the browser had before. It ends. Default: none. */
  readonly replaces?: string | undefined
}

/** Session with its secret, which is returned only once. */
export interface StartedSession {
  readonly token: Redacted.Redacted
  readonly session: Session
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Starts a session of a user who signed in. Has no actor: the caller has verified the user.
     *
     * @param user Id of the user.
     * @param options.method How the user signed in, such as with a password.
     * @param options.device Browser and system. Default: unknown.
     * @param options.address IP address of the client. Default: unknown.
     * @param options.factor True if the user also showed a second factor. Default: false.
     * @param options.signOn Provider, and the organization that the session is limited to. Default: none.
     * @param options.maxMillis Maximum lifetime in ms. Default: the absolute lifetime of sessions.
     * @param options.replaces Secret of the session that the browser had before. It ends. Default: none.
     * @throws {UserNotFound}
     */
    readonly start: (user: UserId, options: SessionStart) => Effect.Effect<StartedSession, UserNotFound | StorageError>
    /**
     * Lists the current user's valid sessions, newest first, without their secrets.
     *
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidCursor}
     */
    readonly list: (
      params: PageParams
    ) => Effect.Effect<ListPage<Session>, Forbidden | InvalidCursor | StorageError, CurrentActor>
    /**
     * Ends one of the current user's sessions. Succeeds if the session does not exist.
     *
     * @param id Id of the session.
     * @throws {Forbidden} For actors that are not users.
     */
    readonly revoke: (id: string) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
    /**
     * Ends all sessions of the current user except that of the request.
     *
     * @throws {Forbidden} For actors that are not users.
     */
    readonly revokeOthers: Effect.Effect<void, Forbidden | StorageError, CurrentActor>
    /**
     * Ends sessions, with the tokens that were created in them. Has no actor: for log-outs that an identity provider
     * reports. Ignores ids of sessions that do not exist.
     *
     * @param ids Ids of the sessions.
     */
    readonly end: (ids: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
    /**
     * Ends all sessions of a user, with the tokens that were created in a sign-on. Has no actor: for changes after which
     * the sessions are no longer valid, such as that of a password.
     *
     * @param user Id of the user.
     * @param except Id of a session that stays valid. Default: none.
     */
    readonly endAll: (user: UserId, except?: string) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/token/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const hasher = yield* Hasher
      const paging = yield* Paging
      const tokens = yield* Tokens
      const limits = yield* SessionLimits
      const record = yield* makeTokenAudit
      const rows = storage.repository(TokenTable)

      /** Returns the condition for the sessions that the actor can see. */
      const mine = ({ user, organization }: UserActor) => ({
        user,
        isSession: true,
        ...(organization !== undefined && { organization })
      })

      const isValid = (row: TokenRow, now: number) => now < Date.parse(row.expiresAt!) && now < idleEndOf(row, limits)

      const present = (row: TokenRow, current?: string): Session => {
        const { id, user, createdAt, lastUsedAt, expiresAt } = row
        const { method, factor, device, address, signOn } = row.session!
        return {
          object: "session",
          id,
          user,
          method,
          factor: factor === true,
          ...(device !== undefined && { device }),
          ...(address !== undefined && { address }),
          createdAt,
          ...(lastUsedAt !== undefined && { lastUsedAt }),
          expiresAt: expiresAt!,
          idleEndsAt: Timestamps.at(Math.min(idleEndOf(row, limits), Date.parse(expiresAt!))),
          ...(signOn?.organization !== undefined && { organization: signOn.organization }),
          current: id === current
        }
      }

      /**
       * Removes the sessions of one user, and revokes the tokens that were created in them. Called inside a
       * transaction.
       */
      const end = Effect.fnUntraced(function* (sessions: ReadonlyArray<TokenRow>) {
        if (sessions.length === 0) return
        yield* rows.remove({ hash: { in: sessions.map(({ hash }) => hash) } })
        const created = yield* rows.list({ where: { madeWith: { any: sessions.map(({ id }) => id) } } })
        const valid = created.filter(({ revokedAt }) => revokedAt === undefined)
        if (valid.length > 0) {
          const revokedAt = yield* Timestamps.now
          yield* rows.update({ hash: { in: valid.map(({ hash }) => hash) } }, { revokedAt }).pipe(cannotConflict)
        }
        yield* record("token_revoked", [...sessions, ...valid])
      })

      return Sessions.of({
        start: Effect.fn("Sessions.start")(function* (user, { maxMillis = Infinity, replaces, ...session }) {
          const now = yield* Clock.currentTimeMillis
          const lifetime = Math.max(0, Math.min(maxMillis, Duration.toMillis(limits.absolute)))
          const replacedHash = replaces === undefined ? undefined : hasher.sha256(replaces)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const earlier = yield* rows.list({ where: { user, isSession: true }, order: ["createdAt"] })
              const replaced = replacedHash === undefined ? undefined : yield* rows.get({ hash: replacedHash })
              if (replaced !== undefined && isSession(replaced)) yield* end([replaced])
              const valid = earlier.filter((row) => isValid(row, now) && row.hash !== replacedHash)
              const excess = valid.slice(0, Math.max(0, valid.length - maxSessions + 1))
              yield* end([...earlier.filter((row) => !isValid(row, now) && row.hash !== replacedHash), ...excess])
              const { token, info } = yield* tokens.create(user, { expires: { milliseconds: lifetime }, session })
              const [row] = yield* rows.list({ where: { id: info.id } })
              return { token, session: present(row!, info.id) }
            })
          )
        }),

        list: Effect.fn("Sessions.list")(function* (params) {
          const actor = yield* requireUser
          const now = yield* Clock.currentTimeMillis
          const all = yield* rows.list({ where: mine(actor) })
          const valid = all.filter((row) => isValid(row, now)).toSorted((a, b) => (a.id < b.id ? 1 : -1))
          const name = `sessions of ${JSON.stringify(mine(actor))}`
          const page = yield* paging.items(valid, name, ({ id }) => id, params, { descending: true })
          return { ...page, items: page.items.map((row) => present(row, actor.token)) }
        }),

        revoke: Effect.fn("Sessions.revoke")(function* (id) {
          const actor = yield* requireUser
          yield* storage.transaction(Effect.flatMap(rows.list({ where: { ...mine(actor), id } }), end))
        }),

        revokeOthers: Effect.gen(function* () {
          const actor = yield* requireUser
          yield* storage.transaction(
            Effect.flatMap(rows.list({ where: mine(actor) }), (all) => end(all.filter(({ id }) => id !== actor.token)))
          )
        }).pipe(Effect.withSpan("Sessions.revokeOthers")),

        end: Effect.fn("Sessions.end")(function* (ids) {
          yield* storage.transaction(
            Effect.flatMap(rows.list({ where: { id: { in: ids } } }), (all) => end(all.filter(isSession)))
          )
        }),

        endAll: Effect.fn("Sessions.endAll")(function* (user, except) {
          yield* storage.transaction(
            Effect.flatMap(rows.list({ where: { user, isSession: true } }), (all) =>
              end(all.filter(({ id }) => id !== except))
            )
          )
        })
      })
    })
  )
}

const requireUser = Effect.flatMap(CurrentActor, (actor) =>
  actor.type === "user"
    ? Effect.succeed(actor)
    : Effect.fail(new Forbidden({ message: "Sessions are listed and ended by the user that they are for" }))
)
