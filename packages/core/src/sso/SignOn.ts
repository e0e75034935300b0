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
import { Clock, Context, Duration, Effect, Redacted, Layer } from "effect"
import { Sessions, type SessionStart } from "../token/Sessions.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { InvalidInput } from "../schema/Input.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { accept } from "./AssertionRules.ts"
import { SamlProtocol, type SamlUnavailable } from "./SamlProtocol.ts"
import {
  type ActiveProvider,
  isActive,
  SamlProviderId,
  SamlProviderNotFound,
  type SamlProviderRow,
  SamlProviderTable
} from "./SamlProvider.ts"
import { serviceOf } from "./SamlProviderPresenter.ts"
import { makeSignOnMembers } from "./SignOnMembers.ts"
import {
  SamlProviderPending,
  SignOnRefused,
  type SignOnTicket,
  SignOnTicketTable,
  SignOnUseTable
} from "./SignOnRecord.ts"
import { serializeState, urlOnServer, parseState, requestLifetime, makeSignOnRequests } from "./SignOnRequests.ts"

export const sessionLifetime = Duration.hours(12)

/** Lifetime of a ticket in ms: the time from the response of the identity provider to the start of the session. */
const ticketLifetime = 2 * 60_000

type Unknown = SamlProviderNotFound | StorageError
type Failure = Unknown | SamlProviderPending | SamlUnavailable

/** Client that signs in: its device and address, and the secret of its earlier session, which ends. */
export type SignOnClient = Pick<SessionStart, "device" | "address" | "replaces">

/** Result of a sign-in, for the browser. */
export interface SignOnResult {
  /** The token is not stored and cannot be read again. */
  readonly token: Redacted.Redacted
  readonly expiresAt: Timestamp
  readonly organization: OrganizationId
  readonly user: UserId
  readonly email: string
  /** URL on this server to which the browser returns. */
  readonly returnTo?: string
}

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
      const sessions = yield* Sessions
      const events = yield* Events
      const protocol = yield* SamlProtocol
      const requests = yield* makeSignOnRequests
      const signOnMembers = yield* makeSignOnMembers
      const publicUrl = yield* PublicUrl
      const providers = storage.repository(SamlProviderTable)
      const uses = storage.repository(SignOnUseTable)
      const tickets = storage.repository(SignOnTicketTable)

      const find = Effect.fnUntraced(function* (id: string) {
        const row = yield* providers.get({ id: SamlProviderId.make(id) })
        return row ?? (yield* new SamlProviderNotFound({ message: "This SAML provider does not exist" }))
      })

      const findActive = Effect.fnUntraced(function* (id: string) {
        const row = yield* find(id)
        if (isActive(row)) return row
        return yield* new SamlProviderPending({
          message: "This SAML provider is incomplete: an administrator of the organization must complete it"
        })
      })

      /** Logs refusals for the operator, with the message for the user and the provider. */
      const withRefusalLog = <A, E, R>(provider: string, step: Effect.Effect<A, E | SignOnRefused, R>) =>
        Effect.tapError(step, (failure) =>
          failure instanceof SignOnRefused
            ? Effect.logInfo(`Sign-on rejected: ${failure.message}`).pipe(
                Effect.annotateLogs({ provider: provider.slice(0, 50), reason: failure.reason })
              )
            : Effect.void
        )

      /** Marks an assertion or a request as used. Called inside a transaction. */
      const markUsed = ({ id }: SamlProviderRow, kind: string, name: string, until: Timestamp) =>
        uses
          .insert({ provider: id, used: `${kind} ${hasher.sha256(name)}`, until })
          .pipe(Effect.catchTag("UniqueConflict", () => Effect.fail(refused("used", "This sign-on was already used"))))

      const receive = Effect.fnUntraced(function* (provider: ActiveProvider, response: string) {
        const service = serviceOf(publicUrl, provider)
        const assertion = yield* protocol.verify({ response, service, certificate: provider.certificate })
        const now = yield* Clock.currentTimeMillis
        const verifiedPerson = yield* Effect.fromResult(accept(assertion, { issuer: provider.entityID, service, now }))
        if (!(yield* requests.isOpen(provider, verifiedPerson.request))) {
          return yield* refused("request", "The sign-on has expired, or was started elsewhere. Start again")
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
            yield* markUsed(provider, "assertion", verifiedPerson.assertion, usedUntil)
            yield* markUsed(provider, "request", verifiedPerson.request, usedUntil)
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
        browserState: string | undefined,
        client: SignOnClient
      ) {
        yield* findActive(id)
        const browserData = parseState(browserState)
        if (browserData === undefined) return yield* wrongBrowser
        const nowMillis = yield* Clock.currentTimeMillis
        return yield* storage.transaction(
          Effect.gen(function* () {
            const provider = yield* findActive(id)
            const { organization } = provider
            const ticket = yield* consumeTicket(provider, code, browserData.secret, Timestamps.at(nowMillis))
            const user = yield* signOnMembers.admit(provider, ticket)
            const maxMillis = Duration.toMillis(sessionLifetime)
            const remaining =
              ticket.sessionEndsAt === undefined ? maxMillis : Date.parse(ticket.sessionEndsAt) - nowMillis
            const { token, session } = yield* sessions
              .start(user, {
                method: "saml",
                ...client,
                maxMillis: Math.min(maxMillis, remaining),
                signOn: { organization, provider: provider.id, trust: provider.trust }
              })
              .pipe(Effect.catchTag("UserNotFound", Effect.die))
            yield* events.emit({ type: "member_signed_on", organization, provider: provider.id, user })
            const returnTo = browserData.returnTo && urlOnServer(publicUrl, browserData.returnTo)
            return {
              token,
              expiresAt: session.expiresAt,
              organization,
              user,
              email: ticket.email,
              ...(returnTo && { returnTo })
            }
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
          const returnTo = options.returnTo === undefined ? undefined : urlOnServer(publicUrl, options.returnTo)
          if (options.returnTo !== undefined && returnTo === undefined) {
            const message = "Expected a path on this server, of at most 1,024 characters"
            return yield* new InvalidInput({ issues: [{ path: "query.returnTo", message }] })
          }
          // Sign-ins that are started in two windows share the secret, so that both can finish.
          const secret = parseState(options.browserState)?.secret ?? (yield* ids.secret)
          const url = yield* protocol.requestUrl({
            service: serviceOf(publicUrl, provider),
            ssoURL: provider.ssoURL,
            requestId: yield* requests.make(provider, secret)
          })
          return {
            url,
            browserState: Redacted.make(serializeState(returnTo === undefined ? { secret } : { secret, returnTo }))
          }
        }),

        receive: Effect.fn("SignOn.receive")(function* (id, response) {
          const provider = yield* findActive(id)
          return yield* withRefusalLog(id, receive(provider, response))
        }),

        finish: Effect.fn("SignOn.finish")(function* (id, { code, browserState, client = {} }) {
          return yield* withRefusalLog(id, finish(id, code, browserState, client))
        })
      })
    })
  )
}

const refused = (reason: SignOnRefused["reason"], message: string) => new SignOnRefused({ reason, message })

const wrongBrowser = Effect.suspend(() =>
  Effect.fail(refused("browser", "This browser did not start this sign-on, or blocks cookies. Start again"))
)
