/**
 * The end of a sign-in by any protocol: marks requests and responses as used, logs refusals, and creates the
 * session of a person in the organization of the provider.
 */
import { Duration, Effect, type Redacted } from "effect"
import { Events } from "../event/Events.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Timestamp } from "../schema/Text.ts"
import { Hasher } from "../storage/Hasher.ts"
import { Storage } from "../storage/Storage.ts"
import { Sessions, type SessionStart } from "../token/Sessions.ts"
import type { UserId } from "../user/User.ts"
import type { GroupRights } from "./GroupRights.ts"
import { makeSignOnMembers } from "./SignOnMembers.ts"
import type { TrustedServerProvider } from "./ServerProvider.ts"
import type { SignOnProviderRow } from "./SignOnProvider.ts"
import { SignOnRefused, SignOnUseTable } from "./SignOnRecord.ts"
import { type BrowserState, urlOnServer } from "./SignOnRequests.ts"

export const sessionLifetime = Duration.hours(12)

/** Client that signs in: its device and address, and the secret of its earlier session, which ends. */
export type SignOnClient = Pick<SessionStart, "device" | "address" | "replaces">

/** Result of a sign-in, for the browser. */
export interface SignOnResult {
  /** The token is not stored and cannot be read again. */
  readonly token: Redacted.Redacted
  readonly expiresAt: Timestamp
  /** Organization that the session is limited to. Absent for a provider of the server. */
  readonly organization?: OrganizationId
  readonly user: UserId
  readonly email: string
  /** URL on this server to which the browser returns. */
  readonly returnTo?: string
}

/** Person that an identity provider named. */
export interface SignedOnPerson {
  readonly email: string
  readonly name?: string
  /** Rights of the groups of the person. Default: groups have no effect. */
  readonly rights?: GroupRights
}

export const makeSignOnSessions = Effect.gen(function* () {
  const storage = yield* Storage
  const hasher = yield* Hasher
  const sessions = yield* Sessions
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const signOnMembers = yield* makeSignOnMembers
  const uses = storage.repository(SignOnUseTable)

  /** Returns the URL on this server to which a browser returns. */
  const returnUrl = ({ returnTo }: BrowserState): { readonly returnTo?: string } => {
    const url = returnTo && urlOnServer(publicUrl, returnTo)
    return url ? { returnTo: url } : {}
  }

  const useOf = ({ id }: Pick<SignOnProviderRow, "id">, kind: string, name: string) => ({
    provider: id,
    used: `${kind} ${hasher.sha256(name)}`
  })

  return {
    returnUrl,

    /** Logs refusals for the operator, with the message for the user and the provider. */
    withRefusalLog: <A, E, R>(provider: string, step: Effect.Effect<A, E | SignOnRefused, R>) =>
      Effect.tapError(step, (failure) =>
        failure instanceof SignOnRefused
          ? Effect.logInfo(`Sign-on rejected: ${failure.message}`).pipe(
              Effect.annotateLogs({ provider: provider.slice(0, 50), reason: failure.reason })
            )
          : Effect.void
      ),

    /** Fails if a message or a request was used before. */
    requireUnused: Effect.fnUntraced(function* (provider: Pick<SignOnProviderRow, "id">, kind: string, name: string) {
      if ((yield* uses.get(useOf(provider, kind, name))) !== undefined) return yield* alreadyUsed
    }),

    /** Marks a message or a request as used. Called inside a transaction. */
    markUsed: (provider: Pick<SignOnProviderRow, "id">, kind: string, name: string, until: Timestamp) =>
      uses.insert({ ...useOf(provider, kind, name), until }).pipe(Effect.catchTag("UniqueConflict", () => alreadyUsed)),

    /**
     * Creates the session of a person, who is a member of the organization afterwards. Called inside a transaction.
     *
     * @param options.lifetime Lifetime of the session in ms, at most `sessionLifetime`.
     * @returns Id of the session, and the result for the browser.
     */
    start: Effect.fnUntraced(function* (
      provider: SignOnProviderRow,
      person: SignedOnPerson,
      options: {
        readonly method: "oidc" | "saml"
        readonly client: SignOnClient
        readonly lifetime: number
        readonly browserState: BrowserState
      }
    ) {
      const { method, client, lifetime, browserState } = options
      const { organization } = provider
      const user = yield* signOnMembers.admit(provider, person, person.rights)
      const { token, session } = yield* sessions
        .start(user, {
          method,
          ...client,
          maxMillis: Math.min(Duration.toMillis(sessionLifetime), lifetime),
          signOn: { organization, provider: provider.id, trust: provider.trust }
        })
        .pipe(Effect.catchTag("UserNotFound", Effect.die))
      yield* events.emit({ type: "member_signed_on", organization, provider: provider.id, user })
      const result: SignOnResult = {
        token,
        expiresAt: session.expiresAt,
        organization,
        user,
        email: person.email,
        ...returnUrl(browserState)
      }
      return { id: session.id, result }
    }),

    /** Creates the session of a user who signed in with a provider of the server. Called inside a transaction. */
    startOnServer: (
      { id: provider, trust }: TrustedServerProvider,
      user: UserId,
      options: SignOnClient & { readonly factor?: true }
    ) =>
      sessions
        .start(user, { method: "oidc", ...options, signOn: { provider, trust } })
        .pipe(Effect.catchTag("UserNotFound", Effect.die))
  }
})

export const refused = (reason: SignOnRefused["reason"], message: string) => new SignOnRefused({ reason, message })

const alreadyUsed = Effect.suspend(() => Effect.fail(refused("used", "This sign-on was already used")))

export const wrongBrowser = Effect.suspend(() =>
  Effect.fail(refused("browser", "This browser did not start this sign-on, or blocks cookies. Start again"))
)

export const requestExpired = Effect.suspend(() =>
  Effect.fail(refused("request", "The sign-on has expired, or was started elsewhere. Start again"))
)
