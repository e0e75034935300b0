/** Steps of signing in by OpenID Connect up to the port: here a code is the claims of its ID token as JSON. */
import { OidcProtocol } from "@lectern/core/sso/OidcProtocol"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { Tokens } from "@lectern/core/token/Tokens"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"

export const issuer = "https://idp.example.com"

export const speaking = Layer.succeed(
  OidcProtocol,
  OidcProtocol.of({
    problemOf: () => Effect.undefined,
    authorizationUrl: ({ client, scopes, ...values }) =>
      Effect.succeed(`${client.issuer}/auth?${new URLSearchParams({ ...values, scope: scopes.join(" ") })}`),
    exchange: ({ query, client, verifier }) =>
      Effect.sync(() => {
        const claims = JSON.parse(new URLSearchParams(query).get("code")!)
        assert.strictEqual(Redacted.value(client.clientSecret!), "secret")
        return { claims, idToken: `token ${verifier}` }
      }),
    verifyLogout: ({ token }) => Effect.sync(() => JSON.parse(token)),
    endSessionUrl: ({ client, idToken, returnURL }) => Effect.succeed(`${client.issuer}/end ${idToken} ${returnURL}`)
  })
)

export interface Begun {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly browserState: string
}

export const begin = Effect.fnUntraced(function* (
  { id }: { readonly id: string },
  options: { returnTo?: string; browserState?: string } = {}
) {
  const { url, browserState } = yield* (yield* OidcSignOn).begin(id, options)
  const values = Object.fromEntries(new URL(url).searchParams) as Record<string, string>
  return { ...values, browserState: Redacted.value(browserState) } as unknown as Begun
})

const claimsOf = Effect.fnUntraced(function* (nonce: string, more: object = {}) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return {
    iss: issuer,
    aud: "lectern",
    sub: "ada",
    nonce,
    iat: now,
    exp: now + 300,
    email: "ada@example.com",
    email_verified: true,
    ...more
  }
})

/** Brings the browser back from the identity provider, with further claims. */
export const arrive = Effect.fnUntraced(function* (
  { id }: { readonly id: string },
  { state, nonce, browserState }: Begun,
  more: object = {}
) {
  const code = JSON.stringify(yield* claimsOf(nonce, more))
  const query = new URLSearchParams({ code, state }).toString()
  return yield* (yield* OidcSignOn).finish(id, { query, browserState })
})

/** Like `arrive`, for a user who gets a session at once. */
export const finish = Effect.fnUntraced(function* (provider: { readonly id: string }, begun: Begun, more?: object) {
  const result = yield* arrive(provider, begun, more)
  return "factor" in result ? yield* Effect.die("A second factor is due") : result
})

/** All the way. */
export const signOn = (provider: { readonly id: string }, more: object = {}) =>
  Effect.flatMap(begin(provider), (begun) => finish(provider, begun, more))

export const isOpen = (token: Redacted.Redacted) =>
  Effect.flatMap(Tokens, (tokens) =>
    Effect.match(tokens.authenticate(Redacted.value(token)), { onSuccess: () => true, onFailure: () => false })
  )

export const reasonOf = <A, E, R>(step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(step), (error) => {
    const { reason, _tag } = error as { readonly reason?: string; readonly _tag: string }
    return reason ?? _tag
  })

/** Reports the end of a session at the identity provider, with further claims. */
export const logout = Effect.fnUntraced(function* (provider: { readonly id: string }, more: object) {
  const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
  const token = JSON.stringify({ iss: issuer, aud: "lectern", iat, jti: "1", events, ...more })
  yield* (yield* OidcSignOn).backchannelLogout(provider.id, token)
})
