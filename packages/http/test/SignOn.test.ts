/**
 * Signing on through the whole application, with answers of a real identity provider: what a browser
 * is sent, what it comes back with, and what it gets.
 */
import { createHash } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { beforeAll } from "vitest"
import {
  encoded,
  type Keys,
  makeKeys,
  readRequest,
  respond,
  type Wanted
} from "../../services-node/test/IdentityProvider.ts"
import { NodeSaml } from "../../services-node/src/saml/NodeSaml.ts"
import { wrapped } from "../../services-node/test/Wrapping.ts"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { SamlProvider, SsoSession } from "./SignOnShapes.ts"

let keys: Keys

beforeAll(async () => {
  keys = await makeKeys()
})

const issuer = "https://idp.example.com"
const json = { accept: "application/json" }

const makeProvider = Effect.fnUntraced(function* (input: object = {}) {
  const { call, organization } = yield* Harness
  const complete = { ssoURL: `${issuer}/sso`, entityID: issuer, certificate: keys.certificate, defaultRole: "edit" }
  const body = { label: "Company", ...complete, ...input }
  return yield* call("admin", "POST", `/v1/orgs/${organization}/saml`, body).pipe(answers(201, SamlProvider))
})

type Provider = typeof SamlProvider.Type

const get = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  return yield* (yield* Harness).send(path, { method: "GET", headers })
})

const post = Effect.fnUntraced(function* (path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields).toString()
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  return yield* (yield* Harness).send(path, { method: "POST", headers, body })
})

/** Sends a browser off, and gives what it keeps and what it asks for. */
const start = Effect.fnUntraced(function* ({ service }: Provider, query = "") {
  const answer = yield* get(service.startURL + query).pipe(has(302))
  const [set = ""] = answer.headers.getSetCookie()
  const asked = yield* Effect.promise(() => readRequest(answer.headers.get("location") ?? ""))
  return { answer, set, cookie: set.split(";")[0]!, request: asked.id, asked }
})

/** Response that the identity provider posts. */
const response = ({ service }: Provider, inResponseTo: string, wanted: Partial<Wanted> = {}) =>
  Effect.promise(() =>
    respond({ keys, issuer, acsURL: service.acsURL, audience: service.entityID, inResponseTo, ...wanted })
  )

const receive = ({ service }: Provider, xml: string) =>
  post(service.acsURL, { SAMLResponse: encoded(xml), RelayState: "https://evil.example/" })

const signOn = Effect.fnUntraced(function* (provider: Provider, wanted: Partial<Wanted> = {}) {
  const { cookie, request } = yield* start(provider)
  const received = yield* receive(provider, yield* response(provider, request, wanted)).pipe(has(303))
  const headers = { cookie, ...json }
  return yield* get(received.headers.get("location") ?? "", headers).pipe(answers(200, SsoSession))
})

/** The identity provider's clock is the machine's. */
const now = Effect.suspend(() => TestClock.setTime(Date.now()))

onEachAdapter(
  "Signing on",
  (it) => {
    it.effect("is set up with a certificate that can be used, and with no other", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const path = `/v1/orgs/${organization}/saml`
        const short = yield* Effect.promise(() => makeKeys(1024))
        const { id } = yield* makeProvider()
        for (const certificate of [
          "notacert",
          "MIIB",
          "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
          `${keys.certificate}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----`,
          keys.certificate.replace(/[A-Za-z]{4}/g, "AAAA"),
          short.certificate
        ]) {
          for (const [method, address] of [
            ["POST", path],
            ["PATCH", `${path}/${id}`]
          ] as const) {
            const body = { label: "Company", certificate }
            const { issues } = yield* call("admin", method, address, body).pipe(refused(400))
            assert.deepStrictEqual(
              issues?.map((issue) => issue.path),
              ["body.certificate"]
            )
            // Who may not enter one is not told about it.
            yield* call("read", method, address, body).pipe(refused(403))
          }
        }
        const plain = keys.certificate.replace(/-----[A-Z ]+-----|\s/g, "")
        for (const certificate of [plain, `${keys.certificate}\n${keys.certificate}`]) {
          yield* call("admin", "PATCH", `${path}/${id}`, { certificate }).pipe(answers(200, SamlProvider))
        }
        const taken = yield* call("admin", "PATCH", `${path}/${id}`, { certificate: null }).pipe(
          answers(200, SamlProvider)
        )
        assert.strictEqual(taken.status, "pending")
      })
    )

    it.effect("goes from the start to a token that works in the organization and nowhere else", () =>
      Effect.gen(function* () {
        yield* now
        const { call, organization, elsewhere, users } = yield* Harness
        const provider = yield* makeProvider()
        const { asked, answer, set } = yield* start(provider)
        assert.strictEqual(asked.issuer, provider.service.entityID)
        assert.strictEqual(asked.assertionConsumerServiceURL, provider.service.acsURL)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.match(set, /^lectern_sign_on=[\w-]{43}\.; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/)

        const attributes = { email: "new@example.com", displayName: "New One" }
        const session = yield* signOn(provider, { nameID: "u1", attributes })
        assert.strictEqual(session.organization, organization)
        assert.strictEqual(
          Date.parse(session.expiresAt),
          (yield* TestClock.testClockWith((clock) => clock.currentTimeMillis)) + 43_200_000
        )
        const token = { token: session.token }
        const me = yield* call(token, "GET", "/v1/user").pipe(answers(200, Shapes.User))
        assert.deepInclude(me, { id: session.user, displayName: "New One", email: "new@example.com" })
        const member = yield* call("admin", "GET", `/v1/orgs/${organization}/members/${me.id}`).pipe(
          answers(200, Shapes.Member)
        )
        assert.deepInclude(member, { role: "edit", sso: true })

        const outsider = yield* signOn(provider, { nameID: "OUTSIDER@example.com" })
        assert.strictEqual(outsider.user, users.outsider)
        const bound = { token: outsider.token }
        yield* call(bound, "GET", `/v1/orgs/${organization}`).pipe(has(200))
        yield* call(bound, "GET", `/v1/orgs/${elsewhere}`).pipe(refused(404))
        yield* call(bound, "POST", `/v1/orgs/${elsewhere}/spaces`).pipe(refused(404))
        yield* call(bound, "POST", "/v1/orgs", { title: "Own" }).pipe(refused(403))
        // What the session makes is of the session, and it sees no other tokens of the user.
        const tokens = "/v1/user/tokens"
        const made = yield* call(bound, "POST", tokens, { name: "Of the session" }).pipe(answers(201, Shapes.MadeToken))
        assert.deepInclude(made, { organization, expiresAt: outsider.expiresAt })
        yield* call(bound, "POST", tokens, { expiresAt: "2100-01-01T00:00:00Z" }).pipe(refused(403))
        const wide = yield* call("outsider", "POST", tokens, {}).pipe(answers(201, Shapes.MadeToken))
        const mine = yield* call(bound, "GET", tokens).pipe(answers(200, Shapes.listOf(Shapes.Token)))
        assert.isTrue(mine.items.every((one) => one.organization === organization))
        assert.strictEqual(mine.count, 1)
        yield* call(bound, "GET", `${tokens}/${wide.id}`).pipe(refused(404))
        yield* call(bound, "DELETE", `${tokens}/${wide.id}`).pipe(has(204))
        yield* call(wide, "GET", `/v1/orgs/${elsewhere}`).pipe(has(200))
        yield* call(made, "GET", `/v1/orgs/${organization}`).pipe(has(200))
        yield* call(made, "GET", `/v1/orgs/${elsewhere}`).pipe(refused(404))
        const list = yield* call(bound, "GET", "/v1/orgs").pipe(answers(200, Shapes.listOf(Shapes.Organization)))
        assert.strictEqual(list.count, 1)
        yield* call("admin", "DELETE", `/v1/orgs/${organization}/members/${users.outsider}`).pipe(has(204))
        for (const ended of [bound, made]) yield* call(ended, "GET", "/v1/user").pipe(refused(401))

        const lasting = yield* call(token, "POST", tokens, {}).pipe(answers(201, Shapes.MadeToken))
        yield* call("admin", "DELETE", `/v1/orgs/${organization}/saml/${provider.id}`).pipe(has(204))
        for (const ended of [token, lasting]) yield* call(ended, "GET", "/v1/user").pipe(refused(401))
        yield* get(provider.service.startURL).pipe(refused(404))
      })
    )

    it.effect("takes a browser back to where it wanted, with a cookie that the interface does not read", () =>
      Effect.gen(function* () {
        yield* now
        const { send } = yield* Harness
        const provider = yield* makeProvider()
        const { cookie, request } = yield* start(provider, "?returnTo=%2Fapp%3Fa%3Db")
        const received = yield* receive(provider, yield* response(provider, request)).pipe(has(303))
        assert.isNull(received.headers.get("set-cookie"))
        const finish = received.headers.get("location") ?? ""
        const returned = yield* get(finish, { cookie, accept: "text/html" }).pipe(has(303))
        assert.strictEqual(returned.headers.get("location"), "http://127.0.0.1:4000/app?a=b")
        const [session = ""] = returned.headers.getSetCookie()
        assert.match(session, /^lectern_session=lectern_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
        const inCookie = session.split(";")[0]!
        yield* send("/v1/user", { method: "GET", headers: { cookie: inCookie } }).pipe(refused(401))
        const authorization = `Bearer ${inCookie.split("=")[1]}`
        yield* send("/v1/user", { method: "GET", headers: { authorization } }).pipe(has(200))
        yield* get(finish, { cookie }).pipe(refused(403))
        for (const place of ["https://evil.example/", "//evil.example", "%2F%5Cevil.example", "javascript:x"]) {
          const { issues } = yield* get(`${provider.service.startURL}?returnTo=${place}`).pipe(refused(400))
          assert.strictEqual(issues?.[0]?.path, "query.returnTo")
        }
      })
    )

    it.effect("shows the token on a page that holds nothing else", () =>
      Effect.gen(function* () {
        yield* now
        const provider = yield* makeProvider()
        const { cookie, request } = yield* start(provider)
        const email = "a&b'<i>@example.com"
        const received = yield* receive(
          provider,
          yield* response(provider, request, { nameID: "x", attributes: { email } })
        )
        const page = yield* get(received.headers.get("location") ?? "", { cookie }).pipe(has(200))
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        const policy = page.headers.get("content-security-policy") ?? ""
        assert.include(policy, "default-src 'none'")
        const [, style = ""] = /<style>(.*)<\/style>/.exec(page.text) ?? []
        assert.include(policy, `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`)
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        assert.match(page.text, /<code>lectern_[\w-]{43}<\/code>/)
        assert.include(page.text, "As a&amp;b&#39;&lt;i&gt;@example.com, until")
      })
    )

    it.effect("tells the identity provider about itself before the provider is complete", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const provider = yield* makeProvider({ ssoURL: undefined })
        const metadata = yield* get(provider.service.entityID).pipe(has(200))
        assert.strictEqual(metadata.headers.get("content-type"), "application/samlmetadata+xml")
        assert.include(metadata.text, `entityID="${provider.service.entityID}"`)
        assert.include(metadata.text, `Location="${provider.service.acsURL}"`)
        yield* get(provider.service.startURL).pipe(refused(409))
        yield* receive(provider, "<x/>").pipe(refused(409))
        for (const path of ["metadata", "start", "finish?code=x"])
          yield* get(`/saml/unknown/${path}`).pipe(refused(404))
        yield* post("/saml/unknown/acs", { SAMLResponse: "x" }).pipe(refused(404))
        yield* call("nobody", "POST", `/saml/${provider.id}/start`).pipe(refused(405))
        yield* call("nobody", "GET", `/saml/${provider.id}/acs`).pipe(refused(405))
      })
    )

    it.effect("refuses what is not this answer, for this browser, this once", () =>
      Effect.gen(function* () {
        yield* now
        const { call, organization } = yield* Harness
        const members = Effect.map(
          call("admin", "GET", `/v1/orgs/${organization}/members`).pipe(answers(200, Shapes.listOf(Shapes.Member))),
          ({ count }) => count
        )
        const before = yield* members
        const provider = yield* makeProvider()
        const second = yield* makeProvider()
        const otherKeys = yield* Effect.promise(() => makeKeys())
        const nameID = "eve@example.com"
        const { request, cookie } = yield* start(provider)
        const wrong: ReadonlyArray<Partial<Wanted>> = [
          { signs: "nothing" },
          { signs: "response" },
          { algorithms: "sha1" },
          { encrypts: true },
          { keys: otherKeys },
          { issuer: "https://other.example.com" },
          { audience: second.service.entityID },
          { recipient: second.service.acsURL },
          { destination: second.service.acsURL },
          { inResponseTo: "_unknown" },
          { inResponseTo: "" },
          { inResponseTo: (yield* start(second)).request }
        ]
        for (const wanted of wrong) {
          yield* receive(provider, yield* response(provider, request, { nameID, ...wanted })).pipe(refused(403))
        }
        yield* receive(provider, yield* response(second, request, { nameID })).pipe(refused(403))
        const good = yield* response(provider, request, { nameID })
        for (const name of ["XSW3", "XSW4", "XSW5", "XSW6", "XSW7", "XSW8"]) {
          yield* receive(provider, wrapped(good, name)).pipe(refused(403))
        }
        const once = yield* receive(provider, good).pipe(has(303))
        yield* receive(provider, good).pipe(refused(403))
        const finish = once.headers.get("location") ?? ""
        yield* get(finish, json).pipe(refused(403))
        yield* get(finish, { ...json, cookie: (yield* start(provider)).cookie }).pipe(refused(403))
        assert.strictEqual(yield* members, before)
        yield* get(finish, { ...json, cookie }).pipe(has(200))
        assert.strictEqual(yield* members, before + 1)

        const late = yield* start(provider)
        const old = yield* response(provider, late.request, { lifetimeInSeconds: 3600 })
        const tooOld = yield* response(provider, late.request, { lifetimeInSeconds: 60 })
        yield* TestClock.adjust("3 minutes")
        yield* receive(provider, tooOld).pipe(refused(403))
        yield* TestClock.adjust("13 minutes")
        yield* receive(provider, old).pipe(refused(403))
      })
    )

    it.effect("takes forms of a bounded size, and nothing else", () =>
      Effect.gen(function* () {
        const { send } = yield* Harness
        const { service } = yield* makeProvider()
        const form = "application/x-www-form-urlencoded"
        const as = (type: string, body: string | Uint8Array) =>
          send(service.acsURL, { method: "POST", headers: { "content-type": type }, body: body as BodyInit })
        yield* as("application/json", "{}").pipe(refused(415))
        yield* as("text/plain", "SAMLResponse=x").pipe(refused(415))
        yield* as(form, "").pipe(refused(403))
        yield* as(form, "SAMLResponse=%ff%00").pipe(refused(403))
        yield* as(form, new Uint8Array([0xff, 0xfe, 0x3d])).pipe(refused(403))
        yield* as(form, "a=b&".repeat(1000)).pipe(refused(403))
        yield* as(form, `SAMLResponse=${"a".repeat(200_000)}`).pipe(refused(403))
        yield* as(form, `SAMLResponse=${"a".repeat(600_000)}`).pipe(refused(413))
      })
    )
  },
  { saml: NodeSaml.layer }
)
