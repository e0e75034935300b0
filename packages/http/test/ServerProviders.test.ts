/** Signing in with a provider of the whole server, through the whole application and a real provider on loopback. */
import { assert } from "@effect/vitest"
import { ServerProvider } from "@lectern/core/sso/ServerProvider"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeEach } from "vitest"
import { NodeOidc } from "../../services-node/src/oidc/NodeOidc.ts"
import { CookieJar, startOidcServer } from "../../services-node/test/OidcServer.ts"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { OidcProvider, SamlProvider } from "./SignOnShapes.ts"

const server = await startOidcServer()
afterAll(() => server.close())

const secret = "a secret of the client that is long enough"
const lectern = "http://127.0.0.1:4000"

const company = Schema.decodeUnknownSync(ServerProvider)({
  id: "company",
  title: "Company",
  issuer: server.issuer,
  clientID: "lectern",
  clientSecret: secret
})
server.register({
  client_id: "lectern",
  client_secret: secret,
  redirect_uris: [`${lectern}/oidc/company/callback`],
  post_logout_redirect_uris: [`${lectern}/oidc/company/signed-out`],
  backchannel_logout_uri: `${lectern}/oidc/company/backchannel-logout`,
  backchannel_logout_session_required: true,
  scope: "openid email profile groups"
})

beforeEach(() => {
  server.account = { sub: "edit", email: "edit@example.com", email_verified: true, name: "Other name" }
})

const get = Effect.fnUntraced(function* (url: string, headers: Record<string, string> = {}) {
  return yield* (yield* Harness).send(url, { method: "GET", headers })
})

/** Follows the redirects of the provider, and returns the URL at which the browser leaves it. */
const visit = (jar: CookieJar, url: string): Effect.Effect<string> => Effect.promise(() => jar.visit(url))

/** Sends a browser to the provider and back, and returns the response. */
const signIn = Effect.fnUntraced(function* (jar = new CookieJar(), accept = "text/html") {
  const started = yield* get("/oidc/company/start?returnTo=/-/account", { cookie: jar.header(lectern) }).pipe(has(302))
  jar.keep(lectern, started.headers)
  const url = yield* visit(jar, started.headers.get("location") ?? "")
  return yield* get(url, { cookie: jar.header(lectern), accept })
})

const refusal = signIn(undefined, "application/json").pipe(refused(403))

const tokenOf = (headers: Headers): string => /lectern_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""

/** The provider's clock is the machine's. */
const now = Effect.suspend(() => TestClock.setTime(Date.now()))

const oidc = NodeOidc.layer()

onEachAdapter(
  "a provider of the server",
  (it) => {
    it.effect("signs in a user in all organizations, and ends with a log-out at the provider", () =>
      Effect.gen(function* () {
        yield* now
        const { call, send, organization } = yield* Harness
        const jar = new CookieJar()
        const entered = yield* signIn(jar).pipe(has(303))
        assert.strictEqual(entered.headers.get("location"), `${lectern}/-/account`)
        const token = tokenOf(entered.headers)
        const me = yield* call({ token }, "GET", "/v1/user").pipe(answers(200, Shapes.User))
        assert.strictEqual(me.email, "edit@example.com")
        assert.notStrictEqual(me.displayName, "Other name")
        yield* call({ token }, "GET", `/v1/orgs/${organization}`).pipe(has(200))
        const { text } = yield* call({ token }, "GET", "/v1/user/sessions").pipe(has(200))
        const [session] = JSON.parse(text).items
        assert.deepInclude(session, { method: "oidc", current: true, factor: false })
        assert.notProperty(session, "organization")

        const delivered: Array<string> = []
        server.deliver = async (_, form) => {
          delivered.push(form)
          return 200
        }
        const end = `${server.issuer}/session/end`
        const page = yield* Effect.promise(async () => {
          const response = await fetch(end, { headers: { cookie: jar.header(server.issuer) } })
          jar.keep(server.issuer, response.headers)
          return response.text()
        })
        const [, action = ""] = /action="([^"]+)"/.exec(page) ?? []
        const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
        yield* Effect.promise(() =>
          fetch(action, {
            method: "POST",
            redirect: "manual",
            headers: { cookie: jar.header(server.issuer) },
            body: new URLSearchParams({ xsrf, logout: "yes" })
          })
        )
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const report = () =>
          send("/oidc/company/backchannel-logout", { method: "POST", headers, body: delivered[0] ?? "" })
        yield* report().pipe(has(200))
        yield* call({ token }, "GET", "/v1/user").pipe(refused(401))
        yield* report().pipe(refused(400))
      })
    )

    it.effect("accepts invitations of new users, and refuses all others", () =>
      Effect.gen(function* () {
        yield* now
        const { call, organization } = yield* Harness
        server.account = { sub: "new", email: "new@example.com", email_verified: true, name: "New" }
        const { message } = yield* refusal
        assert.include(message, "There is no account for new@example.com here")
        yield* call("admin", "POST", `/v1/orgs/${organization}/invites`, {
          emails: ["new@example.com"],
          role: "comment"
        }).pipe(has(200))
        server.account = { ...server.account, email_verified: false }
        yield* refusal
        server.account = { ...server.account, email_verified: true }
        const token = tokenOf((yield* signIn().pipe(has(303))).headers)
        const { id } = yield* call({ token }, "GET", "/v1/user").pipe(answers(200, Shapes.User))
        const member = yield* call({ token }, "GET", `/v1/orgs/${organization}/members/${id}`).pipe(
          answers(200, Shapes.Member)
        )
        assert.deepInclude(member, { role: "comment", sso: false })
      })
    )
  },
  { oidc, oidcProviders: [company] }
)

onEachAdapter(
  "ways to sign in that are off",
  (it) => {
    it.effect("have no start, with a sentence", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const active = { label: "IdP", issuer: server.issuer, clientID: "lectern" }
        const stored = yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, active).pipe(
          answers(201, OidcProvider)
        )
        const saml = yield* call("admin", "POST", `/v1/orgs/${organization}/saml`, { label: "Office" }).pipe(
          answers(201, SamlProvider)
        )
        for (const [path, name] of [
          ["/oidc/company/start", "OpenID Connect"],
          [`/oidc/${stored.id}/start`, "OpenID Connect"],
          ["/oidc/none/start", "OpenID Connect"],
          [`/saml/${saml.id}/start`, "SAML"],
          ["/saml/none/start", "SAML"]
        ] as const) {
          const { message } = yield* get(path).pipe(refused(404))
          assert.strictEqual(message, `Sign-in with ${name} is off on this server`)
        }
        const { text } = yield* call("admin", "GET", `/v1/orgs/${organization}/sso`).pipe(has(200))
        assert.deepStrictEqual(JSON.parse(text).items, [])
      })
    )
  },
  { oidc: NodeOidc.layer({ allowedPrivateHosts: ["127.0.0.1"] }), oidcProviders: [company], signInWays: ["password"] }
)
