/**
 * Signs in users with an OpenID Connect provider of their organization: `begin` sends the browser to the identity
 * provider, `finish` exchanges the code that it brings back and creates the session. `signOut`, `backchannelLogout` and
 * `frontchannelLogout` end sessions. These calls have no actor.
 *
 * A session is the same as one by SAML (see `SignOn`): for one organization, 12 hours, and ended with its provider. It
 * also ends when the provider gets another issuer or client id, and when the identity provider reports its end.
 *
 * A response is accepted once, for a request of this instance within 15 minutes, from the browser that made the request.
 * `state`, `nonce` and the secret of PKCE follow from the request and the secret of the browser, so nothing is stored
 * for a request. Each provider has its own redirect URL, so that a response can't be mistaken for one of another.
 */
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { TokenTable } from "../token/Token.ts"
import { Sessions } from "../token/Sessions.ts"
import { clockSkew } from "./AssertionRules.ts"
import { groupRights } from "./GroupRights.ts"
import { accept, acceptLogout, maxLogoutAge } from "./OidcClaimRules.ts"
import { type IdentityProviderFailed, type OidcClient, OidcProtocol, type OidcUnavailable } from "./OidcProtocol.ts"
import {
  type ActiveOidcProvider,
  defaultScopes,
  defaultVerifiedClaim,
  isActive,
  OidcProviderNotFound,
  OidcProviderPending,
  OidcProviderTable
} from "./OidcProvider.ts"
import { serviceOf } from "./OidcProviderPresenter.ts"
import { maxIdToken, OidcSessionTable } from "./OidcSession.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"
import type { SignOnRefused } from "./SignOnRecord.ts"
import { makeSignOnRequests, parseState, requestLifetime } from "./SignOnRequests.ts"
import {
  makeSignOnSessions,
  refused,
  requestExpired,
  sessionLifetime,
  type SignOnClient,
  type SignOnResult,
  wrongBrowser
} from "./SignOnSessions.ts"

type Unknown = OidcProviderNotFound | OidcProviderPending | StorageError
type Failure = Unknown | IdentityProviderFailed | OidcUnavailable

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
     * Verifies the response of the identity provider, and creates the session of the user.
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
    ) => Effect.Effect<SignOnResult, Failure | SignOnRefused>
    /**
     * Revokes a session of the provider. Does nothing for any other token.
     *
     * @param provider Id of the OpenID Connect provider.
     * @param token Secret of the session's token.
     * @returns URL at which the browser ends the session at the identity provider; undefined without one.
     * @throws {OidcProviderNotFound}
     * @throws {OidcProviderPending}
     */
    readonly signOut: (provider: string, token: string) => Effect.Effect<string | undefined, Unknown>
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
      const providers = storage.repository(OidcProviderTable)
      const oidcSessions = storage.repository(OidcSessionTable)
      const tokenRows = storage.repository(TokenTable)

      const findActive = Effect.fnUntraced(function* (id: string) {
        const row = yield* providers.get({ id: SignOnProviderId.make(id) })
        if (row === undefined) {
          return yield* new OidcProviderNotFound({ message: "This OpenID Connect provider does not exist" })
        }
        if (isActive(row)) return row
        return yield* new OidcProviderPending({
          message: "This OpenID Connect provider is incomplete: an administrator of the organization must complete it"
        })
      })

      const clientOf = Effect.fnUntraced(function* (provider: ActiveOidcProvider) {
        const clientSecret = yield* secrets.open(OidcProviderTable, provider, "clientSecret")
        const client: OidcClient = {
          issuer: provider.issuer,
          clientID: provider.clientID,
          ...(clientSecret !== undefined && { clientSecret: Redacted.make(clientSecret) }),
          redirectURL: serviceOf(publicUrl, provider).redirectURL,
          isTrusted: false
        }
        return client
      })

      const requestSecrets = (state: string, secret: string) => ({
        state,
        nonce: requests.secretOf("nonce", state, secret),
        verifier: requests.secretOf("verifier", state, secret)
      })

      /** Exchanges the code of a response, and returns the person and the ID token. */
      const verify = Effect.fnUntraced(function* (
        provider: ActiveOidcProvider,
        query: string,
        values: ReturnType<typeof requestSecrets>
      ) {
        const client = yield* clientOf(provider)
        const now = yield* Clock.currentTimeMillis
        const { emailDomains = [], emailVerifiedClaim = defaultVerifiedClaim, groupsClaim } = provider
        const claimNames = ["email", emailVerifiedClaim, ...(groupsClaim === undefined ? [] : [groupsClaim])]
        const verified = yield* protocol.exchange({ client, query, claimNames, now, ...values })
        const { issuer, clientID } = client
        const expected = { issuer, clientID, nonce: values.nonce, emailDomains, emailVerifiedClaim, groupsClaim, now }
        return { person: yield* Effect.fromResult(accept(verified, expected)), idToken: verified.idToken }
      })

      const finish = Effect.fnUntraced(function* (
        provider: ActiveOidcProvider,
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
        const { email, name, groups, subject, session } = person
        return yield* storage.transaction(
          Effect.gen(function* () {
            const current = yield* findActive(provider.id)
            if (current.trust !== provider.trust) {
              return yield* refused("ended", "The organization has changed this provider in the meantime. Start again")
            }
            yield* sessions.markUsed(current, "request", state, Timestamps.at(now + requestLifetime))
            const { groupsClaim, groups: table = [], defaultRole } = current
            const hasGroups = groupsClaim !== undefined && groupsClaim === provider.groupsClaim
            const { id: token, result } = yield* sessions.start(
              current,
              {
                email,
                ...(name !== undefined && { name }),
                ...(hasGroups && { rights: groupRights(table, groups, defaultRole) })
              },
              { method: "oidc", client, lifetime: Duration.toMillis(sessionLifetime), browserState }
            )
            yield* oidcSessions
              .insert({
                ...sessionKey,
                provider: current.id,
                token,
                subject: hasher.sha256(subject),
                ...(session !== undefined && { session: hasher.sha256(session) }),
                ...(sealedToken !== undefined && { idToken: sealedToken }),
                until: result.expiresAt
              })
              .pipe(cannotConflict)
            return result
          })
        )
      })

      /** Revokes the sessions of a person, or only those of one session at the identity provider. */
      const endSessions = Effect.fnUntraced(function* (
        { id: provider }: ActiveOidcProvider,
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
        yield* tokenSessions.end(rows.map(({ token }) => token))
        yield* oidcSessions.remove({ id: { in: rows.map(({ id }) => id) } })
      })

      const backchannelLogout = Effect.fnUntraced(function* (provider: ActiveOidcProvider, token: string) {
        const client = yield* clientOf(provider)
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
        provider: ActiveOidcProvider,
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
          const provider = yield* findActive(id)
          const { id: state, secret, browserState } = yield* requests.begin(provider, options)
          const url = yield* protocol.authorizationUrl({
            client: yield* clientOf(provider),
            scopes: provider.scopes ?? defaultScopes,
            ...requestSecrets(state, secret)
          })
          return { url, browserState }
        }),

        finish: Effect.fn("OidcSignOn.finish")(function* (id, { query, browserState, client = {} }) {
          const provider = yield* findActive(id)
          return yield* sessions.withRefusalLog(id, finish(provider, query, browserState, client))
        }),

        signOut: Effect.fn("OidcSignOn.signOut")(function* (id, token) {
          const provider = yield* findActive(id)
          const tokenRow = token === "" ? undefined : yield* tokenRows.get({ hash: hasher.sha256(token) })
          if (tokenRow?.session?.signOn?.provider !== provider.id) return undefined
          const [session] = yield* oidcSessions.list({ where: { token: tokenRow.id } })
          const idToken = session && (yield* secrets.open(OidcSessionTable, session, "idToken"))
          yield* tokenSessions.end([tokenRow.id])
          const client = yield* clientOf(provider)
          const returnURL = serviceOf(publicUrl, provider).postLogoutRedirectURL
          // The session of Lectern has ended, even if the identity provider can't be reached.
          return yield* protocol
            .endSessionUrl({ client, idToken, returnURL })
            .pipe(Effect.catchTag(["IdentityProviderFailed", "OidcUnavailable"], () => Effect.undefined))
        }),

        backchannelLogout: Effect.fn("OidcSignOn.backchannelLogout")(function* (id, token) {
          const provider = yield* findActive(id)
          yield* sessions.withRefusalLog(id, backchannelLogout(provider, token))
        }),

        frontchannelLogout: Effect.fn("OidcSignOn.frontchannelLogout")(function* (id, { issuer, session }) {
          const provider = yield* findActive(id)
          return yield* sessions.withRefusalLog(id, frontchannelLogout(provider, issuer, session))
        })
      })
    })
  )
}
