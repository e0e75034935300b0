/**
 * Signing on by OpenID Connect through the whole application, with a real provider on loopback: what a browser is sent,
 * what it comes back with, what it gets, and how its session ends.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { NodeOidc } from "../../services-node/src/oidc/NodeOidc.ts"
import { CookieJar, type OidcServer, startOidcServer } from "../../services-node/test/OidcServer.ts"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { OidcProvider, SsoSession } from "./SignOnShapes.ts"

let server: OidcServer
/** A provider whose ID tokens contain no claims about the person. */
let terse: OidcServer

beforeAll(async () => {
  server = await startOidcServer()
  terse = await startOidcServer({ claimsInIdToken: false })
})
afterAll(() => Promise.all([server.close(), terse.close()]))

const ada = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" }
beforeEach(() => {
  server.account = ada
})

const secret = "a secret of the client that is long enough"

let clients = 0

const makeProvider = Effect.fnUntraced(function* (input: object = {}, at: OidcServer = server) {
  const { call, organization } = yield* Harness
  const clientID = `lectern-${clients++}`
  const body = { label: "Company", issuer: at.issuer, clientID, clientSecret: secret, defaultRole: "edit", ...input }
  const provider = yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, body).pipe(answers(201, OidcProvider))
  const { service } = provider
  at.register({
    client_id: clientID,
    client_secret: secret,
    redirect_uris: [service.redirectURL],
    post_logout_redirect_uris: [service.postLogoutRedirectURL],
    backchannel_logout_uri: service.backchannelLogoutURL,
    backchannel_logout_session_required: true,
    scope: "openid email profile groups"
  })
  return provider
})

type Provider = typeof OidcProvider.Type

const get = Effect.fnUntraced(function* (url: string, headers: Record<string, string> = {}) {
  return yield* (yield* Harness).send(url, { method: "GET", headers })
})

const post = Effect.fnUntraced(function* (url: string, fields: Record<string, string>, headers: object = {}) {
  const body = new URLSearchParams(fields).toString()
  const type = { "content-type": "application/x-www-form-urlencoded" }
  return yield* (yield* Harness).send(url, { method: "POST", headers: { ...type, ...headers }, body })
})

const lectern = "http://127.0.0.1:4000"

/** Sends a browser to the provider and back. Returns the URL at which it arrives. */
const visit = Effect.fnUntraced(function* ({ service }: Provider, jar: CookieJar, query = "") {
  const started = yield* get(service.startURL + query, { cookie: jar.header(lectern) }).pipe(has(302))
  jar.keep(lectern, started.headers)
  return yield* Effect.promise(() => jar.visit(started.headers.get("location") ?? ""))
})

const arrive = (url: string, jar: CookieJar, headers: object = { accept: "application/json" }) =>
  get(url, { cookie: jar.header(lectern), ...headers })

const signOn = Effect.fnUntraced(function* (provider: Provider, jar = new CookieJar()) {
  return yield* arrive(yield* visit(provider, jar), jar).pipe(answers(200, SsoSession))
})

const me = (token: string) => Effect.flatMap(Harness, ({ call }) => call({ token }, "GET", "/v1/user"))

/** The provider's clock is the machine's. */
const now = Effect.suspend(() => TestClock.setTime(Date.now()))

onEachAdapter(
  "Signing on by OpenID Connect",
  (it) => {
    it.effect("takes a browser through the provider and back", () =>
      Effect.gen(function* () {
        yield* now
        const { call, organization } = yield* Harness
        const provider = yield* makeProvider()
        const session = yield* signOn(provider)
        assert.strictEqual(session.email, "ada@example.com")
        const { token } = session
        const user = yield* me(token).pipe(answers(200, Shapes.User))
        assert.deepInclude(user, { id: session.user, displayName: "Ada Lovelace" })
        const member = yield* call({ token }, "GET", `/v1/orgs/${organization}/members/${session.user}`).pipe(
          answers(200, Shapes.Member)
        )
        assert.deepInclude(member, { role: "edit", sso: true })
        yield* call({ token }, "GET", `/v1/orgs/${organization}/oidc`).pipe(refused(403))
        yield* call({ token }, "POST", "/v1/orgs", { title: "Own" }).pipe(refused(403))
      })
    )

    it.effect("returns to where the browser was, with the cookie of a session", () =>
      Effect.gen(function* () {
        yield* now
        const provider = yield* makeProvider()
        const jar = new CookieJar()
        const returned = yield* arrive(yield* visit(provider, jar, "?returnTo=/app"), jar, {
          accept: "text/html"
        }).pipe(has(303))
        assert.strictEqual(returned.headers.get("location"), `${lectern}/app`)
        const [cookie = ""] = returned.headers.getSetCookie()
        const [, token = ""] =
          /^lectern_session=(lectern_[\w-]{43}); Path=\/; .*HttpOnly; SameSite=Lax/.exec(cookie) ?? []
        yield* me(token).pipe(has(200))
        yield* get(`${provider.service.startURL}?returnTo=//evil.example`).pipe(refused(400))
        const shown = yield* arrive(yield* visit(provider, jar), jar, { accept: "text/html" }).pipe(has(200))
        assert.match(shown.text, /<code>lectern_[\w-]{43}<\/code>/)
        assert.strictEqual(shown.headers.get("cache-control"), "no-store")
        assert.strictEqual(shown.headers.get("referrer-policy"), "no-referrer")
      })
    )

    it.effect("reads the user info if the ID token says nothing about the person", () =>
      Effect.gen(function* () {
        yield* now
        terse.account = { sub: "grace", email: "grace@example.com", email_verified: true, groups: ["staff"] }
        const input = {
          scopes: ["openid", "email", "groups"],
          groupsClaim: "groups",
          groups: [{ group: "staff", role: "review" }]
        }
        const session = yield* signOn(yield* makeProvider(input, terse))
        assert.strictEqual(session.email, "grace@example.com")
        const { call, organization } = yield* Harness
        const path = `/v1/orgs/${organization}/members/${session.user}`
        assert.strictEqual((yield* call("admin", "GET", path).pipe(answers(200, Shapes.Member))).role, "review")
        terse.account = { sub: "eve", email: "eve@example.com", email_verified: false }
        const jar = new CookieJar()
        yield* arrive(yield* visit(yield* makeProvider({}, terse), jar), jar).pipe(refused(403))
      })
    )

    it.effect("refuses unverified people, people whom the provider refuses, and a wrong client secret", () =>
      Effect.gen(function* () {
        yield* now
        const { call, organization } = yield* Harness
        const members = Effect.map(
          call("admin", "GET", `/v1/orgs/${organization}/members`).pipe(answers(200, Shapes.listOf(Shapes.Member))),
          ({ count }) => count
        )
        const before = yield* members
        const provider = yield* makeProvider()
        const refusedWith = Effect.fnUntraced(function* (message: string, status = 403) {
          const jar = new CookieJar()
          const { message: said } = yield* arrive(yield* visit(provider, jar), jar).pipe(refused(status))
          assert.include(said, message)
        })
        server.account = { sub: "eve", email: "eve@example.com", email_verified: false }
        yield* refusedWith("does not state that the email address is verified")
        server.account = { sub: "eve" }
        yield* refusedWith("no email address")
        server.account = undefined
        yield* refusedWith("access_denied")
        server.account = { ...ada, sub: "mallory", email: "mallory@example.com" }
        yield* call("admin", "PATCH", `/v1/orgs/${organization}/oidc/${provider.id}`, { clientSecret: "wrong" }).pipe(
          has(200)
        )
        yield* refusedWith("does not accept the client id and the client secret", 502)
        assert.strictEqual(yield* members, before)
      })
    )

    it.effect("accepts a response once, from the browser that asked, for the provider that it asked", () =>
      Effect.gen(function* () {
        yield* now
        const provider = yield* makeProvider()
        const other = yield* makeProvider()
        const [victim, attacker] = [new CookieJar(), new CookieJar()]
        const attackersUrl = yield* visit(provider, attacker)
        // Sign-in CSRF: the attacker's response in the browser of someone else.
        yield* arrive(attackersUrl, new CookieJar()).pipe(refused(403))
        yield* get(provider.service.startURL, {}).pipe(has(302))
        const victimsUrl = new URL(yield* visit(provider, victim))
        yield* arrive(attackersUrl, victim).pipe(refused(403))
        // Injection of a code: PKCE binds it to the request of the other browser.
        const mixed = new URL(victimsUrl)
        mixed.searchParams.set("code", new URL(attackersUrl).searchParams.get("code")!)
        yield* arrive(mixed.href, victim).pipe(refused(403))
        // A response for another provider, and one that names another issuer.
        yield* arrive(victimsUrl.href.replace(provider.id, other.id), victim).pipe(refused(403))
        const otherIssuer = new URL(victimsUrl)
        assert.strictEqual(otherIssuer.searchParams.get("iss"), server.issuer)
        otherIssuer.searchParams.set("iss", "https://other.example.com")
        yield* arrive(otherIssuer.href, victim).pipe(refused(403))
        const noIssuer = new URL(victimsUrl)
        noIssuer.searchParams.delete("iss")
        yield* arrive(noIssuer.href, victim).pipe(refused(403))
        for (const [name, value] of [
          ["state", "x"],
          ["state", ""],
          ["code", ""]
        ] as const) {
          const changed = new URL(victimsUrl)
          changed.searchParams.set(name, value)
          yield* arrive(changed.href, victim).pipe(refused(403))
        }
        const fresh = yield* visit(provider, victim)
        yield* arrive(fresh, victim).pipe(has(200))
        const again = yield* arrive(fresh, victim).pipe(refused(403))
        assert.include(again.message, "already used")
      })
    )

    it.effect("ends a request after 15 minutes", () =>
      Effect.gen(function* () {
        yield* now
        const provider = yield* makeProvider()
        const jar = new CookieJar()
        const url = yield* visit(provider, jar)
        yield* TestClock.adjust("16 minutes")
        const { message } = yield* arrive(url, jar).pipe(refused(403))
        assert.include(message, "has expired")
      })
    )

    it.effect("signs out here and at the provider, and only from its own pages", () =>
      Effect.gen(function* () {
        yield* now
        const provider = yield* makeProvider()
        const jar = new CookieJar()
        const { token } = yield* signOn(provider, jar)
        const path = `/oidc/${provider.id}/sign-out`
        const cookie = `lectern_session=${token}`
        yield* post(path, {}, { cookie, origin: "https://evil.example" }).pipe(refused(403))
        yield* post(path, {}, { cookie, origin: lectern, "sec-fetch-site": "same-site" }).pipe(refused(403))
        yield* me(token).pipe(has(200))
        const out = yield* post(path, {}, { cookie, origin: lectern }).pipe(has(303))
        assert.match(out.headers.getSetCookie()[0]!, /^lectern_session=; .*Max-Age=0/)
        yield* me(token).pipe(refused(401))
        const url = new URL(out.headers.get("location")!)
        assert.strictEqual(url.origin, server.issuer)
        const asked = yield* Effect.promise(() => fetch(url, { headers: { cookie: jar.header(server.issuer) } }))
        assert.strictEqual(asked.status, 200, "the provider accepts the ID token and the return URL")
        const signedOut = yield* get(provider.service.postLogoutRedirectURL).pipe(has(200))
        assert.include(signedOut.text, "You are signed out")
        const nobody = yield* post(path, {}, { origin: lectern }).pipe(has(303))
        assert.strictEqual(nobody.headers.get("location"), provider.service.postLogoutRedirectURL)
      })
    )

    it.effect("ends sessions that the provider reports, by itself and through the browser", () =>
      Effect.gen(function* () {
        yield* now
        const { send } = yield* Harness
        const provider = yield* makeProvider()
        const jar = new CookieJar()
        const first = yield* signOn(provider, jar)
        const second = yield* signOn(provider)
        const delivered: Array<readonly [string, string]> = []
        server.deliver = async (url, form) => {
          delivered.push([url, form])
          return 200
        }
        // The user signs out at the provider.
        const end = new URL(`${server.issuer}/session/end`)
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
        const [url, form] = delivered.find(([url]) => url === provider.service.backchannelLogoutURL)!
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const report = (body: string, to = url) => send(to, { method: "POST", headers, body })
        yield* me(first.token).pipe(has(200))
        const other = yield* makeProvider()
        yield* report(form, other.service.backchannelLogoutURL).pipe(refused(400))
        const ended = yield* report(form).pipe(has(200))
        assert.strictEqual(ended.headers.get("cache-control"), "no-store")
        yield* me(first.token).pipe(refused(401))
        yield* me(second.token).pipe(has(200))
        yield* report(form).pipe(refused(400))
        for (const wrong of ["", "logout_token=x", `logout_token=${"x".repeat(20_000)}`]) {
          yield* report(wrong).pipe(refused(400))
        }
        yield* report("x".repeat(600_000)).pipe(refused(413))

        const front = (query: object) =>
          get(`${provider.service.frontchannelLogoutURL}?${new URLSearchParams({ ...query })}`)
        yield* front({}).pipe(refused(403))
        yield* front({ iss: "https://other.example.com", sid: "x" }).pipe(refused(403))
        const framed = yield* front({ iss: server.issuer, sid: "x" }).pipe(has(200))
        assert.include(framed.headers.get("content-security-policy"), `frame-ancestors ${server.issuer}`)
        yield* me(second.token).pipe(has(200))
      })
    )

    it.effect("says what is missing", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const pending = yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, { label: "New" }).pipe(
          answers(201, OidcProvider)
        )
        yield* get(pending.service.startURL).pipe(refused(409))
        yield* get(pending.service.redirectURL).pipe(refused(409))
        for (const path of ["start", "callback", "frontchannel-logout"])
          yield* get(`/oidc/none/${path}`).pipe(refused(404))
        yield* post("/oidc/none/backchannel-logout", {}).pipe(refused(404))
        const internal = { label: "L", issuer: "https://169.254.169.254", clientID: "x" }
        const { issues } = yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, internal).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.issuer")
        const gone = yield* makeProvider({ issuer: `${server.issuer}/none` })
        yield* get(gone.service.startURL).pipe(refused(502))
      })
    )
  },
  { oidc: NodeOidc.layer({ allowedPrivateHosts: ["127.0.0.1"] }) }
)
