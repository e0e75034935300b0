/** Responses of identity providers, as they are and as they must not be, up to the claims. */
import { createHash, createHmac } from "node:crypto"
import { OidcProtocol, type OidcClient } from "@lectern/core/sso/OidcProtocol"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { exportSPKI, type JWTPayload } from "jose"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { NodeOidc } from "../src/oidc/NodeOidc.ts"
import { type FakeOidcServer, makeKeys, startFakeOidcServer } from "./FakeOidcServer.ts"

let fake: FakeOidcServer

beforeAll(async () => {
  fake = await startFakeOidcServer()
})
beforeEach(() => Object.assign(fake, { discovery: {}, userInfo: undefined, respond: undefined }))
afterAll(() => fake.close())

const values = { state: "state", nonce: "nonce", verifier: "v".repeat(43) }
const redirectURL = "https://docs.example.com/oidc/one/callback"

const clientOf = (more: Partial<OidcClient> = {}): OidcClient => ({
  issuer: fake.issuer,
  clientID: "lectern",
  clientSecret: Redacted.make("secret"),
  redirectURL,
  isTrusted: false,
  ...more
})

const now = () => Math.floor(Date.now() / 1000)

const idClaims = (more: JWTPayload = {}): JWTPayload => ({
  iss: fake.issuer,
  aud: "lectern",
  sub: "ada",
  nonce: "nonce",
  iat: now(),
  exp: now() + 300,
  email: "ada@example.com",
  email_verified: true,
  ...more
})

/** Lets the token endpoint return an ID token. */
const answerWith = (idToken: string | Promise<string>) => {
  fake.token = async () => ({ access_token: "access", token_type: "Bearer", id_token: await idToken })
}

const exchange = Effect.fnUntraced(function* (
  options: { client?: Partial<OidcClient>; query?: string; now?: number; claimNames?: ReadonlyArray<string> } = {}
) {
  const { exchange } = yield* OidcProtocol
  return yield* exchange({
    client: clientOf(options.client),
    query: options.query ?? `code=code&state=state&iss=${encodeURIComponent(fake.issuer)}`,
    claimNames: options.claimNames ?? ["email"],
    now: options.now ?? Date.now(),
    ...values
  })
})

const reasonOf = <A, E extends { readonly _tag: string; readonly message: string }, R>(step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(step), (error) =>
    "reason" in error && error._tag === "SignOnRefused" ? String(error.reason) : error._tag
  )

const live = (name: string, body: () => Effect.Effect<void, unknown, OidcProtocol>, timeout = 10_000) =>
  it.live(name, () =>
    Effect.suspend(body).pipe(
      Effect.provide(Layer.fresh(NodeOidc.layer({ allowedPrivateHosts: ["127.0.0.1"], timeout })))
    )
  )

describe("NodeOidc", () => {
  live("sends the browser with state, nonce and the hash of a secret", () =>
    Effect.gen(function* () {
      const { authorizationUrl } = yield* OidcProtocol
      const url = new URL(yield* authorizationUrl({ client: clientOf(), scopes: ["openid", "email"], ...values }))
      assert.deepStrictEqual(Object.fromEntries(url.searchParams), {
        client_id: "lectern",
        response_type: "code",
        redirect_uri: redirectURL,
        scope: "openid email",
        state: "state",
        nonce: "nonce",
        code_challenge: createHash("sha256").update(values.verifier).digest("base64url"),
        code_challenge_method: "S256"
      })
    })
  )

  live("exchanges the code with the secrets of client and request, and returns the signed claims", () =>
    Effect.gen(function* () {
      const forms: Array<URLSearchParams> = []
      const idToken = yield* Effect.promise(() => fake.sign(idClaims()))
      fake.token = async (form) => {
        forms.push(form)
        return { access_token: "access", token_type: "Bearer", id_token: idToken }
      }
      const { claims, idToken: returned, userInfo } = yield* exchange()
      assert.deepInclude(claims, { sub: "ada", email: "ada@example.com" })
      assert.strictEqual(returned, idToken)
      assert.isUndefined(userInfo)
      assert.deepInclude(Object.fromEntries(forms[0]!), {
        code: "code",
        grant_type: "authorization_code",
        redirect_uri: redirectURL,
        code_verifier: values.verifier
      })
      yield* exchange()
      const discoveries = fake.requests.filter((path) => path.startsWith("/.well-known"))
      assert.isAtLeast(discoveries.length, 1)
      fake.requests.length = 0
      yield* exchange()
      assert.deepStrictEqual(fake.requests, ["/token"])
    })
  )

  live("asks for the user info only if a claim is missing, and only of the same person", () =>
    Effect.gen(function* () {
      answerWith(fake.sign(idClaims({ email: undefined })))
      fake.userInfo = { sub: "ada", email: "ada@example.com", email_verified: true }
      assert.deepInclude((yield* exchange()).userInfo, { email: "ada@example.com" })
      fake.userInfo = { sub: "eve", email: "eve@example.com", email_verified: true }
      assert.strictEqual(yield* reasonOf(exchange()), "person")
    })
  )

  const bad: ReadonlyArray<readonly [string, JWTPayload, string]> = [
    ["of another issuer", { iss: "https://other.example.com" }, "issuer"],
    ["for another client", { aud: "other" }, "audience"],
    ["for several clients, made for another one", { aud: ["lectern", "other"], azp: "other" }, "audience"],
    ["of another request", { nonce: "other" }, "request"],
    ["without a nonce", { nonce: undefined }, "malformed"],
    ["that has expired", { exp: now() - 61 }, "time"],
    ["of the future", { nbf: now() + 120 }, "time"]
  ]
  for (const [name, claims, reason] of bad) {
    live(`refuses an ID token ${name}`, () =>
      Effect.gen(function* () {
        answerWith(fake.sign(idClaims(claims)))
        assert.strictEqual(yield* reasonOf(exchange()), reason)
      })
    )
  }

  live("refuses ID tokens that are unsigned, or signed with another key or a public one", () =>
    Effect.gen(function* () {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
      const unsigned = `${encode({ alg: "none" })}.${encode(idClaims())}.`
      const other = yield* Effect.promise(() => makeKeys())
      const publicKey = yield* Effect.promise(() => exportSPKI(fake.keys.publicKey))
      const text = `${encode({ alg: "HS256", kid: "key" })}.${encode(idClaims())}`
      const hmac = (key: string) => `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`
      const signed = yield* Effect.promise(() => fake.sign(idClaims()))
      const [header, , signature] = signed.split(".")
      const cases: ReadonlyArray<readonly [string, string, string]> = [
        ["none", unsigned, "algorithm"],
        ["HMAC with the public key", hmac(publicKey), "algorithm"],
        ["HMAC with the client secret", hmac("secret"), "algorithm"],
        ["another key", yield* Effect.promise(() => fake.sign(idClaims(), {}, other.privateKey)), "signature"],
        ["an unknown key", yield* Effect.promise(() => fake.sign(idClaims(), { kid: "other" })), "signature"],
        ["other claims", `${header}.${encode(idClaims({ email: "eve@example.com" }))}.${signature}`, "signature"],
        ["nothing", "x", "malformed"]
      ]
      for (const [name, idToken, reason] of cases) {
        answerWith(idToken)
        assert.strictEqual(yield* reasonOf(exchange()), reason, name)
      }
      // A provider that offers weak algorithms does not make them acceptable.
      fake.discovery = { id_token_signing_alg_values_supported: ["none", "HS256"] }
      const { exchange: fresh } = yield* Effect.provide(
        OidcProtocol,
        Layer.fresh(NodeOidc.layer({ allowedPrivateHosts: ["127.0.0.1"] }))
      )
      for (const idToken of [unsigned, hmac(publicKey), hmac("secret")]) {
        answerWith(idToken)
        const query = `code=code&state=state&iss=${encodeURIComponent(fake.issuer)}`
        const options = { client: clientOf(), query, claimNames: ["email"], now: Date.now(), ...values }
        assert.strictEqual(yield* reasonOf(fresh(options)), "algorithm")
      }
    })
  )

  live("refuses responses of another provider, another request, or that report a failure", () =>
    Effect.gen(function* () {
      answerWith(fake.sign(idClaims()))
      const iss = encodeURIComponent(fake.issuer)
      const cases = [
        ["code=code&state=state&iss=https%3A%2F%2Fother.example.com", "issuer"],
        // The provider states in its discovery document that it always names itself.
        ["code=code&state=state", "issuer"],
        [`code=code&state=other&iss=${iss}`, "malformed"],
        [`code=code&iss=${iss}`, "malformed"],
        [`code=a&code=b&state=state&iss=${iss}`, "malformed"],
        [`error=access_denied&state=state&iss=${iss}`, "status"],
        [`error=%3Cscript%3E&state=state&iss=${iss}`, "status"]
      ] as const
      fake.requests.length = 0
      for (const [query, reason] of cases) assert.strictEqual(yield* reasonOf(exchange({ query })), reason, query)
      assert.notInclude(fake.requests, "/token")
    })
  )

  live("looks at time by the given clock, a minute either way", () =>
    Effect.gen(function* () {
      answerWith(fake.sign(idClaims({ exp: now() + 300 })))
      yield* exchange({ now: Date.now() + 350_000 })
      assert.strictEqual(yield* reasonOf(exchange({ now: Date.now() + 365_000 })), "time")
    })
  )

  live("reaches no private host unless the operator allows it, and none without TLS otherwise", () =>
    Effect.gen(function* () {
      const strict = NodeOidc.layer()
      const withStrict = <A, E>(step: Effect.Effect<A, E, OidcProtocol>) => Effect.provide(step, Layer.fresh(strict))
      const problem = (issuer: string) =>
        withStrict(Effect.flatMap(OidcProtocol, (protocol) => protocol.problemOf(issuer)))
      for (const issuer of [
        fake.issuer,
        "http://localhost",
        "https://127.0.0.1",
        "https://[::1]",
        "https://169.254.169.254",
        "https://10.0.0.1",
        "https://keycloak.internal",
        "http://accounts.example.com"
      ]) {
        assert.isDefined(yield* problem(issuer), issuer)
      }
      assert.isUndefined(yield* problem("https://accounts.example.com"))
      fake.requests.length = 0
      assert.strictEqual(yield* withStrict(reasonOf(exchange())), "IdentityProviderFailed")
      assert.deepStrictEqual(fake.requests, [])
      // The operator named this issuer.
      answerWith(fake.sign(idClaims()))
      yield* withStrict(exchange({ client: { isTrusted: true } }))
      // The discovery document can't send the server elsewhere.
      fake.discovery = { token_endpoint: "http://localhost:1/token", jwks_uri: "http://localhost:1/jwks" }
      const trusted = exchange({ client: { isTrusted: true } })
      assert.strictEqual(yield* withStrict(reasonOf(trusted)), "IdentityProviderFailed")
    })
  )

  const documents: ReadonlyArray<readonly [string, Partial<FakeOidcServer>]> = [
    ["of another issuer", { discovery: { issuer: "https://other.example.com" } }],
    ["of the same issuer in other letters", { discovery: { issuer: "http://127.0.0.1:1/" } }],
    ["without a token endpoint", { discovery: { token_endpoint: undefined } }],
    ["without keys", { discovery: { jwks_uri: undefined } }],
    ["that sends browsers to a script", { discovery: { authorization_endpoint: "javascript:alert(1)" } }],
    ["of more than 512 KiB", { discovery: { more: "x".repeat(600_000) } }],
    [
      "that redirects",
      {
        respond: (path, response) => {
          if (!path.startsWith("/.well-known")) return false
          response.writeHead(302, { location: "/elsewhere" }).end()
          return true
        }
      }
    ],
    [
      "that is HTML",
      {
        respond: (_path, response) => {
          response.writeHead(200, { "content-type": "text/html" }).end("<p>")
          return true
        }
      }
    ],
    [
      "that is no JSON",
      {
        respond: (_path, response) => {
          response.writeHead(200, { "content-type": "application/json" }).end("{")
          return true
        }
      }
    ]
  ]
  for (const [name, parts] of documents) {
    live(`refuses a discovery document ${name}`, () =>
      Effect.gen(function* () {
        Object.assign(fake, parts)
        fake.requests.length = 0
        const failure = yield* Effect.flip(exchange())
        assert.strictEqual(failure._tag, "IdentityProviderFailed")
        assert.match(failure.message, /^The identity provider can't be used: /)
        // A failure is remembered for a while.
        assert.strictEqual(yield* reasonOf(exchange()), "IdentityProviderFailed")
        assert.deepStrictEqual(fake.requests, ["/.well-known/openid-configuration"])
      })
    )
  }

  live(
    "waits for no response that does not end",
    () =>
      Effect.gen(function* () {
        fake.respond = (_path, response) => {
          response.writeHead(200, { "content-type": "application/json" })
          response.write("{")
          return true
        }
        const failure = yield* Effect.flip(exchange())
        assert.include(failure.message, "did not answer in full within 0.05 seconds")
      }),
    50
  )

  const logoutEvents = { "http://schemas.openid.net/event/backchannel-logout": {} }

  live("verifies log-out tokens", () =>
    Effect.gen(function* () {
      const { verifyLogout } = yield* OidcProtocol
      const verify = (token: string) => verifyLogout({ client: clientOf(), token, now: Date.now() })
      const sign = (more: JWTPayload = {}, header: object = { typ: "logout+jwt" }) => {
        const claims = { iss: fake.issuer, aud: "lectern", iat: now(), jti: "1", sub: "ada", events: logoutEvents }
        return Effect.promise(() => fake.sign({ ...claims, ...more }, header))
      }
      assert.deepInclude(yield* verify(yield* sign()), { sub: "ada", jti: "1" })
      yield* verify(yield* sign({}, {}))
      const other = yield* Effect.promise(() => makeKeys())
      const cases = [
        [yield* sign({ iss: "https://other.example.com" }), "issuer"],
        [yield* sign({ aud: "other" }), "audience"],
        [yield* sign({ exp: now() - 100 }), "time"],
        [yield* sign({}, { typ: "at+jwt" }), "malformed"],
        [yield* Effect.promise(() => fake.sign({ iss: fake.issuer }, {}, other.privateKey)), "signature"],
        ["", "malformed"],
        ["x.y.z", "malformed"],
        ["x".repeat(100_000), "malformed"]
      ] as const
      for (const [token, reason] of cases)
        assert.strictEqual(yield* reasonOf(verify(token)), reason, token.slice(0, 50))
    })
  )

  live("knows where a session of the provider ends", () =>
    Effect.gen(function* () {
      const { endSessionUrl } = yield* OidcProtocol
      const returnURL = "https://docs.example.com/oidc/one/signed-out"
      const url = new URL((yield* endSessionUrl({ client: clientOf(), idToken: "token", returnURL }))!)
      assert.strictEqual(url.origin + url.pathname, `${fake.issuer}/end`)
      assert.deepStrictEqual(Object.fromEntries(url.searchParams), {
        client_id: "lectern",
        id_token_hint: "token",
        post_logout_redirect_uri: returnURL
      })
    })
  )
})
