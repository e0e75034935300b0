/**
 * Signs in users with an OpenID Connect provider of their organization or of the server: `begin` sends the browser to the
 * identity provider, `finish` exchanges the code that it brings back and creates the session. `signOut`,
 * `backchannelLogout` and `frontchannelLogout` end sessions. These calls have no actor.
 *
 * A session of an organization's provider is the same as one by SAML (see `SignOn`): for one organization, 12 hours, and
 * ended with its provider. For one of a provider of the server, see `ServerProvider`. If its user has to show a second
 * factor, `finish` returns a ticket, and `resume` starts the session. Sessions also end when the provider gets another
 * issuer or client id, and when the identity provider reports their end.
 *
 * A response is accepted once, for a request of this instance within 15 minutes, from the browser that made the request.
 * `state`, `nonce` and the secret of PKCE follow from the request and the secret of the browser, so nothing is stored
 * for a request. Each provider has its own redirect URL, so that a response can't be mistaken for one of another.
 */
import { Clock, Context, Duration, Effect, Layer, type Redacted } from "effect"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { TokenTable } from "../token/Token.ts"
import { type StartedSession, Sessions } from "../token/Sessions.ts"
import { SignInWays } from "../token/SignInWays.ts"
import type { UserId } from "../user/User.ts"
import { clockSkew } from "./AssertionRules.ts"
import { groupRights } from "./GroupRights.ts"
import { accept, acceptLogout, type AcceptedPerson, maxLogoutAge } from "./OidcClaimRules.ts"
import { type IdentityProviderFailed, OidcProtocol, type OidcUnavailable } from "./OidcProtocol.ts"
import {
  type ActiveOidcProvider,
  defaultScopes,
  defaultVerifiedClaim,
  OidcProviderNotFound,
  type OidcProviderPending
} from "./OidcProvider.ts"
import { serviceOf } from "./OidcProviderPresenter.ts"
import { isOfServer, makeOidcRegistry, type RegisteredProvider } from "./OidcRegistry.ts"
import { maxIdToken, OidcSessionTable } from "./OidcSession.ts"
import { makeServerMembers } from "./ServerMembers.ts"
import type { TrustedServerProvider } from "./ServerProvider.ts"
import type { SignOnRefused } from "./SignOnRecord.ts"
import { type BrowserState, makeSignOnRequests, parseState, requestLifetime } from "./SignOnRequests.ts"
import {
  makeSignOnSessions,
  refused,
  requestExpired,
  sessionLifetime,
  type SignOnClient,
  type SignOnResult,
  wrongBrowser
} from "./SignOnSessions.ts"

/** A verified response of an identity provider. */
interface SignIn {
  readonly client: SignOnClient
  readonly browserState: BrowserState
  /** Claim from which the groups of the person were read. */
  readonly groupsClaim: string | undefined
  /** Id of the row of the session (see `OidcSession`). */
  readonly sessionId: string
  /** Epoch ms. */
  readonly now: number
}

type Unknown = OidcProviderNotFound | OidcProviderPending | StorageError
type Failure = Unknown | IdentityProviderFailed | OidcUnavailable

/** Second factor that a user has to show before the session starts. */
export interface DueFactor {
  readonly ticket: Redacted.Redacted
  /** Lifetime of the ticket in s. */
  readonly seconds: number
  /** Path of the page that requires the factor. */
  readonly path: string
}

/**
 * Returns the second factor that a user has to show. Undefined if no factor is due. `resumes`: value for
 * `OidcSignOn.resume`.
 */
export type FactorStep = (user: UserId, resumes: string) => Effect.Effect<DueFactor | undefined, StorageError>

/** Result of a sign-in that waits for a second factor. */
export interface WaitingSignOn {
  readonly factor: DueFactor
  /** URL on this server to which the browser returns. */
  readonly returnTo?: string
}

export class OidcSignOn extends Context.Service<
  OidcSignOn,
  {
    /**
     * Starts a sign-in.
     *
     * @param provider Id of the OpenID Connect provider.
     * @param options.returnTo Path to which the browser returns after the sign-in. Default: none.
     * @param options.browserState Text that the browser stored in an earlier sign-in. Default: none.
     * @returns `url` for the browser, and `browserState`: a text that the browser stores until it returns.
     * @throws {IdentityProviderFailed}
     * @throws {InvalidInput}
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     * @throws {OidcUnavailable}
     */
    readonly begin: (
      provider: string,
      options: { readonly returnTo?: string | undefined; readonly browserState?: string | undefined }
    ) => Effect.Effect<{ readonly url: string; readonly browserState: Redacted.Redacted }, Failure | InvalidInput>
    /**
     * Verifies the response of the identity provider, and creates the session of the user, or returns the second factor
     * that is due.
     *
     * @param provider Id of the OpenID Connect provider.
     * @param options.query Query of the redirect URL at which the browser arrived.
     * @param options.browserState Text that the browser stored at `begin`.
     * @param options.client Client, for the list of sessions. Default: unknown.
     * @throws {IdentityProviderFailed}
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     * @throws {OidcUnavailable}
     * @throws {SignOnRefused} If the response is not for the request of this browser, or was used.
     */
    readonly finish: (
      provider: string,
      options: { readonly query: string; readonly browserState: string | undefined; readonly client?: SignOnClient }
    ) => Effect.Effect<SignOnResult | WaitingSignOn, Failure | SignOnRefused>
    /** Registers the step of the second factor. Without it, no second factor is due. */
    readonly useFactors: (step: FactorStep) => Effect.Effect<void>
    /**
     * Creates the session of a user who showed the second factor.
     *
     * @param resumes Value that the step of the second factor got.
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     * @throws {SignOnRefused} If the identity provider ended its session, or the time is over.
     */
    readonly resume: (
      resumes: string,
      user: UserId,
      client: SignOnClient
    ) => Effect.Effect<StartedSession, Unknown | SignOnRefused>
    /**
     * Lets log-outs of the identity provider end a new session in place of one that its user renewed. Does nothing for
     * sessions of other methods.
     *
     * @param from Id of the renewed session.
     * @param to Id of the new session.
     */
    readonly moveSession: (from: string, to: string) => Effect.Effect<void, StorageError>
    /**
     * Revokes a session that started with OpenID Connect. Does nothing for any other token.
     *
     * @param token Secret of the session's token.
     * @returns URL at which the browser ends the session at the identity provider; undefined without one.
     */
    readonly signOut: (token: string) => Effect.Effect<string | undefined, StorageError>
    /**
     * Ends the sessions that a log-out token of the identity provider names. Each token is accepted once.
     *
     * @param provider Id of the OpenID Connect provider.
     * @param token `logout_token` that the identity provider posts.
     * @throws {IdentityProviderFailed}
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     * @throws {OidcUnavailable}
     * @throws {SignOnRefused}
     */
    readonly backchannelLogout: (provider: string, token: string) => Effect.Effect<void, Failure | SignOnRefused>
    /**
     * Ends the sessions with a session id of the identity provider.
     *
     * @param provider Id of the OpenID Connect provider.
     * @param options.issuer `iss` of the request.
     * @param options.session `sid` of the request.
     * @returns Issuer of the provider.
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     * @throws {SignOnRefused} For another issuer, or without a session id.
     */
    readonly frontchannelLogout: (
      provider: string,
      options: { readonly issuer: string | undefined; readonly session: string | undefined }
    ) => Effect.Effect<string, Unknown | SignOnRefused>
  }
>()("@lectern/core/sso/OidcSignOn") {
  static readonly layer = Layer.effect(
    OidcSignOn,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const secrets = yield* Secrets
      const tokenSessions = yield* Sessions
      const protocol = yield* OidcProtocol
      const requests = yield* makeSignOnRequests
      const sessions = yield* makeSignOnSessions
      const publicUrl = yield* PublicUrl
      const registry = yield* makeOidcRegistry
      const members = yield* makeServerMembers
      const isOn = (yield* SignInWays).has("oidc")
      const oidcSessions = storage.repository(OidcSessionTable)
      const tokenRows = storage.repository(TokenTable)
      let factorStep: FactorStep = () => Effect.undefined

      /** Returns a provider with which users can sign in. */
      const findOpen = (id: string) =>
        isOn
          ? registry.find(id)
          : Effect.fail(new OidcProviderNotFound({ message: "Sign-in with OpenID Connect is off on this server" }))

      const requestSecrets = (state: string, secret: string) => ({
        state,
        nonce: requests.secretOf("nonce", state, secret),
        verifier: requests.secretOf("verifier", state, secret)
      })

      /** Exchanges the code of a response, and returns the person and the ID token. */
      const verify = Effect.fnUntraced(function* (
        provider: RegisteredProvider,
        query: string,
        values: ReturnType<typeof requestSecrets>
      ) {
        const client = yield* registry.clientOf(provider)
        const now = yield* Clock.currentTimeMillis
        const { emailDomains = [], emailVerifiedClaim = defaultVerifiedClaim, groupsClaim } = provider
        const claimNames = ["email", emailVerifiedClaim, ...(groupsClaim === undefined ? [] : [groupsClaim])]
        const verified = yield* protocol.exchange({ client, query, claimNames, now, ...values })
        const { issuer, clientID } = client
        const expected = { issuer, clientID, nonce: values.nonce, emailDomains, emailVerifiedClaim, groupsClaim, now }
        return { person: yield* Effect.fromResult(accept(verified, expected)), idToken: verified.idToken }
      })

      /** Starts the session of a member of the organization of the provider. Called inside a transaction. */
      const startInOrganization = Effect.fnUntraced(function* (
        provider: ActiveOidcProvider,
        { email, name, groups }: AcceptedPerson,
        options: Pick<SignIn, "client" | "browserState" | "groupsClaim">
      ) {
        const { groupsClaim, groups: table = [], defaultRole } = provider
        const hasGroups = groupsClaim !== undefined && groupsClaim === options.groupsClaim
        const { client, browserState } = options
        const { id: token, result } = yield* sessions.start(
          provider,
          {
            email,
            ...(name !== undefined && { name }),
            ...(hasGroups && { rights: groupRights(table, groups, defaultRole) })
          },
          { method: "oidc", client, lifetime: Duration.toMillis(sessionLifetime), browserState }
        )
        return { oidcSession: { token, until: result.expiresAt }, result }
      })

      /** Starts the session of a user of the server, unless a second factor is due. Called inside a transaction. */
      const startOnServer = Effect.fnUntraced(function* (
        provider: TrustedServerProvider,
        person: AcceptedPerson,
        { client, browserState, sessionId, now }: SignIn
      ) {
        const user = yield* members.admit(provider, person)
        const returnTo = sessions.returnUrl(browserState)
        const factor = yield* factorStep(user, sessionId)
        if (factor !== undefined) {
          const until = Timestamps.at(now + factor.seconds * 1000)
          return { oidcSession: { trust: provider.trust, until }, result: { factor, ...returnTo } }
        }
        const { token, session } = yield* sessions.startOnServer(provider, user, client)
        const { id, expiresAt } = session
        return {
          oidcSession: { token: id, until: expiresAt },
          result: { token, expiresAt, user, email: person.email, ...returnTo }
        }
      })

      const finish = Effect.fnUntraced(function* (
        provider: RegisteredProvider,
        query: string,
        browserText: string | undefined,
        client: SignOnClient
      ) {
        const browserState = parseState(browserText)
        if (browserState === undefined) return yield* wrongBrowser
        const state = new URLSearchParams(query).get("state") ?? ""
        if (!(yield* requests.isOpen(provider, state))) return yield* requestExpired
        if (!requests.isOf(state, browserState.secret)) return yield* wrongBrowser
        yield* sessions.requireUnused(provider, "request", state)
        const { person, idToken } = yield* verify(provider, query, requestSecrets(state, browserState.secret))
        const sessionKey = { id: yield* ids.next }
        const sealedToken =
          idToken.length <= maxIdToken
            ? yield* secrets.seal(OidcSessionTable, sessionKey, "idToken", idToken)
            : undefined
        const now = yield* Clock.currentTimeMillis
        const { groupsClaim } = provider
        const signIn: SignIn = { client, browserState, groupsClaim, sessionId: sessionKey.id, now }
        return yield* storage.transaction(
          Effect.gen(function* () {
            const current = yield* registry.find(provider.id)
            if (current.trust !== provider.trust) {
              return yield* refused("ended", "The organization has changed this provider in the meantime. Start again")
            }
            yield* sessions.markUsed(current, "request", state, Timestamps.at(now + requestLifetime))
            const { oidcSession, result } = isOfServer(current)
              ? yield* startOnServer(current, person, signIn)
              : yield* startInOrganization(current, person, signIn)
            yield* oidcSessions
              .insert({
                ...sessionKey,
                ...oidcSession,
                provider: current.id,
                subject: hasher.sha256(person.subject),
                ...(person.session !== undefined && { session: hasher.sha256(person.session) }),
                ...(sealedToken !== undefined && { idToken: sealedToken })
              })
              .pipe(cannotConflict)
            return result
          })
        )
      })

      const resume = Effect.fnUntraced(function* (id: string, user: UserId, client: SignOnClient) {
        const now = yield* Timestamps.now
        return yield* storage.transaction(
          Effect.gen(function* () {
            const row = yield* oidcSessions.get({ id })
            const provider = row && (yield* findOpen(row.provider))
            const isWaiting = row !== undefined && row.token === undefined && row.until > now
            if (!isWaiting || provider === undefined || !isOfServer(provider) || provider.trust !== row.trust) {
              return yield* refused("ended", "This sign-on has expired, or was ended. Start again")
            }
            const started = yield* sessions.startOnServer(provider, user, { ...client, factor: true })
            const { id: token, expiresAt: until } = started.session
            yield* oidcSessions.update({ id }, { token, trust: undefined, until })
            return started
          })
        )
      })

      /** Revokes the sessions of a person, or only those of one session at the identity provider. */
      const endSessions = Effect.fnUntraced(function* (
        { id: provider }: RegisteredProvider,
        { subject, session }: { readonly subject?: string | undefined; readonly session?: string | undefined }
      ) {
        const rows = yield* oidcSessions.list({
          where: {
            provider,
            ...(subject !== undefined && { subject: hasher.sha256(subject) }),
            ...(session !== undefined && { session: hasher.sha256(session) })
          }
        })
        if (rows.length === 0) return
        yield* tokenSessions.end(rows.flatMap(({ token }) => token ?? []))
        yield* oidcSessions.remove({ id: { in: rows.map(({ id }) => id) } })
      })

      const backchannelLogout = Effect.fnUntraced(function* (provider: RegisteredProvider, token: string) {
        const client = yield* registry.clientOf(provider)
        const now = yield* Clock.currentTimeMillis
        const claims = yield* protocol.verifyLogout({ client, token, now })
        const { issuer, clientID } = client
        const logout = yield* Effect.fromResult(acceptLogout(claims, { issuer, clientID, now }))
        const usedUntil = Timestamps.at(now + maxLogoutAge + 2 * clockSkew)
        yield* storage.transaction(
          Effect.andThen(
            sessions.markUsed(provider, "logout", logout.id, usedUntil),
            endSessions(provider, { subject: logout.subject, session: logout.session })
          )
        )
      })

      const frontchannelLogout = Effect.fnUntraced(function* (
        provider: RegisteredProvider,
        issuer: string | undefined,
        session: string | undefined
      ) {
        if (issuer !== provider.issuer) {
          return yield* refused("issuer", "The log-out was rejected. It is from another identity provider")
        }
        if (session === undefined || session === "") {
          return yield* refused("malformed", "The log-out was rejected. It names no session")
        }
        yield* storage.transaction(endSessions(provider, { session }))
        return provider.issuer
      })

      return OidcSignOn.of({
        begin: Effect.fn("OidcSignOn.begin")(function* (id, options) {
          const provider = yield* findOpen(id)
          const { id: state, secret, browserState } = yield* requests.begin(provider, options)
          const url = yield* protocol.authorizationUrl({
            client: yield* registry.clientOf(provider),
            scopes: provider.scopes ?? defaultScopes,
            ...requestSecrets(state, secret)
          })
          return { url, browserState }
        }),

        finish: Effect.fn("OidcSignOn.finish")(function* (id, { query, browserState, client = {} }) {
          const provider = yield* findOpen(id)
          return yield* sessions.withRefusalLog(id, finish(provider, query, browserState, client))
        }),

        useFactors: (step) => Effect.sync(() => void (factorStep = step)),

        resume: Effect.fn("OidcSignOn.resume")(function* (resumes, user, client) {
          return yield* resume(resumes, user, client)
        }),

        moveSession: Effect.fn("OidcSignOn.moveSession")(function* (from, to) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const moved = yield* oidcSessions.list({ where: { token: from } })
              if (moved.length > 0) yield* oidcSessions.update({ id: { in: moved.map(({ id }) => id) } }, { token: to })
            })
          )
        }),

        signOut: Effect.fn("OidcSignOn.signOut")(function* (token) {
          const tokenRow = token === "" ? undefined : yield* tokenRows.get({ hash: hasher.sha256(token) })
          const id = tokenRow?.session?.method === "oidc" ? tokenRow.session.signOn?.provider : undefined
          if (tokenRow === undefined || id === undefined) return undefined
          const [session] = yield* oidcSessions.list({ where: { token: tokenRow.id } })
          const idToken = session && (yield* secrets.open(OidcSessionTable, session, "idToken"))
          yield* tokenSessions.end([tokenRow.id])
          // The session of Lectern has ended, even if the provider was removed or can't be reached.
          return yield* Effect.gen(function* () {
            const provider = yield* registry.find(id)
            const client = yield* registry.clientOf(provider)
            const returnURL = serviceOf(publicUrl, provider).postLogoutRedirectURL
            return yield* protocol.endSessionUrl({ client, idToken, returnURL })
          }).pipe(
            Effect.catchTag(
              ["IdentityProviderFailed", "OidcUnavailable", "OidcProviderNotFound", "OidcProviderPending"],
              () => Effect.undefined
            )
          )
        }),

        backchannelLogout: Effect.fn("OidcSignOn.backchannelLogout")(function* (id, token) {
          const provider = yield* registry.find(id)
          yield* sessions.withRefusalLog(id, backchannelLogout(provider, token))
        }),

        frontchannelLogout: Effect.fn("OidcSignOn.frontchannelLogout")(function* (id, { issuer, session }) {
          const provider = yield* registry.find(id)
          return yield* sessions.withRefusalLog(id, frontchannelLogout(provider, issuer, session))
        })
      })
    })
  )
}
