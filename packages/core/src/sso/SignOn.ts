/**
 * Signs in users with a SAML provider of their organization: `begin` sends the browser to the identity provider,
 * `receive` accepts the response of the identity provider, `finish` creates the session for the browser. These calls
 * have no actor.
 *
 * A session is a user's token for one organization. Administrators of an organization control the assertions of its
 * identity provider, so an assertion counts only in that organization. A session lasts 12 hours, or less if the
 * identity provider says so. It ends when the provider is deleted or trusts another certificate, or when the user is no
 * longer a member.
 *
 * A response is accepted once, for a request of this instance within 15 minutes, from the browser that made the
 * request. Unsolicited responses are rejected.
 */
import { Clock, Context, Effect, Redacted, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { InvalidInput } from "../schema/Input.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { SignInWays } from "../token/SignInWays.ts"
import { accept } from "./AssertionRules.ts"
import { SamlProtocol, type SamlUnavailable } from "./SamlProtocol.ts"
import {
  type ActiveProvider,
  isActive,
  SamlProviderNotFound,
  SamlProviderPending,
  SamlProviderTable
} from "./SamlProvider.ts"
import { serviceOf } from "./SamlProviderPresenter.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"
import { type SignOnRefused, type SignOnTicket, SignOnTicketTable } from "./SignOnRecord.ts"
import { makeSignOnRequests, parseState, requestLifetime } from "./SignOnRequests.ts"
import {
  makeSignOnSessions,
  refused,
  requestExpired,
  type SignOnClient,
  type SignOnResult,
  wrongBrowser
} from "./SignOnSessions.ts"

/** Lifetime of a ticket in ms: the time from the response of the identity provider to the start of the session. */
const ticketLifetime = 2 * 60_000

type Unknown = SamlProviderNotFound | StorageError
type Failure = Unknown | SamlProviderPending | SamlUnavailable

export class SignOn extends Context.Service<
  SignOn,
  {
    /** The URL of this instance for browsers (see `PublicUrl`). */
    readonly publicUrl: string
    /**
     * Returns the metadata of Lectern for the identity provider as XML, also for an inactive provider.
     *
     * @param provider Id of the SAML provider.
     * @throws {SamlProviderNotFound}
     * @throws {SamlUnavailable}
     */
    readonly metadata: (provider: string) => Effect.Effect<string, Unknown | SamlUnavailable>
    /**
     * Starts a sign-in.
     *
     * @param provider Id of the SAML provider.
     * @param options.returnTo Path to which the browser returns after the sign-in. Default: none.
     * @param options.browserState Text that the browser stored in an earlier sign-in. Default: none.
     * @returns `url` for the browser, and `browserState`: a text that the browser stores until it returns.
     * @throws {InvalidInput}
     * @throws {SamlProviderNotFound}
     * @throws {SamlProviderPending}
     * @throws {SamlUnavailable}
     */
    readonly begin: (
      provider: string,
      options: { readonly returnTo?: string | undefined; readonly browserState?: string | undefined }
    ) => Effect.Effect<{ readonly url: string; readonly browserState: Redacted.Redacted }, Failure | InvalidInput>
    /**
     * Verifies the response of the identity provider.
     *
     * @param provider Id of the SAML provider.
     * @param response `SAMLResponse` that the browser posts, in Base64.
     * @returns `code` with which the browser continues, valid once and for two minutes.
     * @throws {SamlProviderNotFound}
     * @throws {SamlProviderPending}
     * @throws {SamlUnavailable}
     * @throws {SignOnRefused}
     */
    readonly receive: (
      provider: string,
      response: string
    ) => Effect.Effect<{ readonly code: Redacted.Redacted }, Failure | SignOnRefused>
    /**
     * Creates the session of a user who signed in.
     *
     * @param provider Id of the SAML provider.
     * @param options.code Code from `receive`.
     * @param options.browserState Text that the browser stored at `begin`.
     * @param options.client Client, for the list of sessions. Default: unknown.
     * @throws {SamlProviderNotFound}
     * @throws {SamlProviderPending}
     * @throws {SamlUnavailable}
     * @throws {SignOnRefused} If the code and the text belong to different sign-ins, or the code was used.
     */
    readonly finish: (
      provider: string,
      options: { readonly code: string; readonly browserState: string | undefined; readonly client?: SignOnClient }
    ) => Effect.Effect<SignOnResult, Failure | SignOnRefused>
  }
>()("@lectern/core/sso/SignOn") {
  static readonly layer = Layer.effect(
    SignOn,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const protocol = yield* SamlProtocol
      const requests = yield* makeSignOnRequests
      const sessions = yield* makeSignOnSessions
      const publicUrl = yield* PublicUrl
      const providers = storage.repository(SamlProviderTable)
      const tickets = storage.repository(SignOnTicketTable)

      const find = Effect.fnUntraced(function* (id: string) {
        const row = yield* providers.get({ id: SignOnProviderId.make(id) })
        return row ?? (yield* new SamlProviderNotFound({ message: "This SAML provider does not exist" }))
      })

      const isOn = (yield* SignInWays).has("saml")

      const findActive = Effect.fnUntraced(function* (id: string) {
        if (!isOn) return yield* new SamlProviderNotFound({ message: "Sign-in with SAML is off on this server" })
        const row = yield* find(id)
        if (isActive(row)) return row
        return yield* new SamlProviderPending({
          message: "This SAML provider is incomplete: an administrator of the organization must complete it"
        })
      })

      const receive = Effect.fnUntraced(function* (provider: ActiveProvider, response: string) {
        const service = serviceOf(publicUrl, provider)
        const assertion = yield* protocol.verify({ response, service, certificate: provider.certificate })
        const now = yield* Clock.currentTimeMillis
        const verifiedPerson = yield* Effect.fromResult(accept(assertion, { issuer: provider.entityID, service, now }))
        if (!(yield* requests.isOpen(provider, verifiedPerson.request))) {
          return yield* requestExpired
        }
        // No request is open for longer, and a response needs an open request.
        const usedUntil = Timestamps.at(now + requestLifetime)
        const code = yield* ids.secret
        const ticket: SignOnTicket = {
          hash: hasher.sha256(code),
          provider: provider.id,
          trust: provider.trust,
          request: verifiedPerson.request,
          email: verifiedPerson.email,
          ...(verifiedPerson.name !== undefined && { name: verifiedPerson.name }),
          ...(verifiedPerson.sessionEnd !== undefined && { sessionEndsAt: Timestamps.at(verifiedPerson.sessionEnd) }),
          until: Timestamps.at(now + ticketLifetime)
        }
        yield* storage.transaction(
          Effect.gen(function* () {
            yield* sessions.markUsed(provider, "assertion", verifiedPerson.assertion, usedUntil)
            yield* sessions.markUsed(provider, "request", verifiedPerson.request, usedUntil)
            yield* tickets.insert(ticket).pipe(cannotConflict)
          })
        )
        return { code: Redacted.make(code) }
      })

      /** Returns and deletes the ticket of a code. */
      const consumeTicket = Effect.fnUntraced(function* (
        provider: ActiveProvider,
        code: string,
        secret: string,
        now: Timestamp
      ) {
        const codeHash = hasher.sha256(code)
        const ticket = yield* tickets.get({ hash: codeHash })
        if (ticket === undefined || ticket.provider !== provider.id || ticket.until <= now) {
          return yield* refused("ended", "This sign-on has expired, or was already used. Start again")
        }
        if (!requests.isOf(ticket.request, secret)) return yield* wrongBrowser
        if (ticket.trust !== provider.trust) {
          return yield* refused("ended", "The organization has changed this SAML provider in the meantime. Start again")
        }
        yield* tickets.remove({ hash: codeHash })
        return ticket
      })

      const finish = Effect.fnUntraced(function* (
        id: string,
        code: string,
        browserText: string | undefined,
        client: SignOnClient
      ) {
        yield* findActive(id)
        const browserState = parseState(browserText)
        if (browserState === undefined) return yield* wrongBrowser
        const nowMillis = yield* Clock.currentTimeMillis
        return yield* storage.transaction(
          Effect.gen(function* () {
            const provider = yield* findActive(id)
            const ticket = yield* consumeTicket(provider, code, browserState.secret, Timestamps.at(nowMillis))
            const { sessionEndsAt } = ticket
            const lifetime = sessionEndsAt === undefined ? Infinity : Date.parse(sessionEndsAt) - nowMillis
            return (yield* sessions.start(provider, ticket, { method: "saml", client, lifetime, browserState })).result
          })
        )
      })

      return SignOn.of({
        publicUrl,

        metadata: Effect.fn("SignOn.metadata")(function* (id) {
          return yield* protocol.metadata(serviceOf(publicUrl, yield* find(id)))
        }),

        begin: Effect.fn("SignOn.begin")(function* (id, options) {
          const provider = yield* findActive(id)
          const { id: requestId, browserState } = yield* requests.begin(provider, options)
          const service = serviceOf(publicUrl, provider)
          return { url: yield* protocol.requestUrl({ service, ssoURL: provider.ssoURL, requestId }), browserState }
        }),

        receive: Effect.fn("SignOn.receive")(function* (id, response) {
          const provider = yield* findActive(id)
          return yield* sessions.withRefusalLog(id, receive(provider, response))
        }),

        finish: Effect.fn("SignOn.finish")(function* (id, { code, browserState, client = {} }) {
          return yield* sessions.withRefusalLog(id, finish(id, code, browserState, client))
        })
      })
    })
  )
}
