/** Answers that are kept: for whom, until when, and that nobody can tell one from an answer that is made anew. */
import { assert } from "@effect/vitest"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserId } from "@lectern/core/user/User"
import { MountedApp } from "@lectern/http/server/MountedApp"
import { HostAuthentication } from "@lectern/http/server/HostAuthentication"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { type CompletedRequest, Observers } from "@lectern/http/server/Observation"
import { RequestsPerMinute } from "@lectern/http/server/RateLimit"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as WebHandler from "@lectern/http/server/WebHandler"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Clock, Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Harness, has, onMemory } from "../Harness.ts"
import { reads, visit } from "../AudienceSites.ts"
import { runs } from "../../../core/test/Runs.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "../Steps.ts"

const host = "127.0.0.1"

const mebibyte = 1024 * 1024

/** An application that is told to keep answers, and whose host says by a cookie who asks. */
const signingIn = Effect.gen(function* () {
  const app = yield* HttpApp.make.pipe(
    Effect.provideService(ResponseCacheOptions, { bytes: mebibyte, admitFirst: true }),
    Effect.provideService(HostAuthentication, ({ headers: { cookie = "" } }) =>
      Effect.succeed(cookie === "" ? undefined : { type: "user", user: UserId.make(cookie) })
    )
  )
  const answer = yield* WebHandler.make(app)
  return (cookie: string, url: string) =>
    Effect.promise(async () => {
      // A token that another shows as well must make no difference.
      const headers = { cookie, authorization: "Bearer of-many" }
      const response = await answer(new Request(`http://${host}${url}`, { headers }))
      return { status: response.status, text: await response.text() }
    })
})

/** An application that keeps answers, asked by tokens. */
const keeping = Effect.fnUntraced(function* (bytes = mebibyte, atOnce = true) {
  const app = yield* Effect.provideService(HttpApp.make, ResponseCacheOptions, { bytes, admitFirst: atOnce })
  const answer = yield* WebHandler.make(app)
  const headersOf = (token: string, more: Record<string, string> = {}) => ({
    authorization: `Bearer ${token}`,
    ...more
  })
  return {
    ask: (token: string, url: string, more?: Record<string, string>) =>
      Effect.promise(async () => {
        const response = await answer(new Request(`http://${host}${url}`, { headers: headersOf(token, more) }))
        return {
          status: response.status,
          headers: Object.fromEntries([...response.headers].filter(([name]) => name !== "x-request-id")),
          id: response.headers.get("x-request-id"),
          text: await response.text()
        }
      }),
    isKept: (token: string, url: string, more?: Record<string, string>) =>
      !Effect.isEffect(
        app.respond(WebHandler.serverRequest(new Request(`http://${host}${url}`, { headers: headersOf(token, more) })))
      )
  }
})

const newToken = Effect.fnUntraced(function* (
  person: "admin" | "read",
  options: { readonly expires?: DurationLike } = {}
) {
  const { users } = yield* Harness
  const { token, info } = yield* (yield* Tokens).create(users[person], options)
  return { token: Redacted.value(token), id: info.id }
})

onMemory("Response cache", (it) => {
  it.effect("gives again what it gave to a token for a URL and these headers, with an id of its own", () =>
    Effect.gen(function* () {
      const { organization } = yield* Harness
      const space = yield* createSpace()
      const page = (yield* publish(space.id, [insertPage("Guide", "Text.")])).idOf("Guide")
      const { token } = yield* newToken("admin")
      const { token: other } = yield* newToken("admin")
      const { ask, isKept } = yield* keeping()
      for (const url of [
        "/v1/user",
        `/v1/orgs/${organization}/spaces?limit=2`,
        `/v1/spaces/${space.id}`,
        `/v1/spaces/${space.id}/content/pages`,
        `/v1/spaces/${space.id}/content/page/${page}`,
        `/v1/spaces/${space.id}/content/page/${page}?format=markdown`
      ]) {
        assert.isFalse(isKept(token, url), url)
        const first = yield* ask(token, url)
        assert.strictEqual(first.status, 200)
        assert.isTrue(isKept(token, url), url)
        const again = yield* ask(token, url)
        assert.deepStrictEqual({ ...again, id: "" }, { ...first, id: "" })
        assert.notStrictEqual(again.id, first.id)
        assert.isFalse(isKept(other, url), url)
        for (const more of [{ origin: "https://a.example" }, { range: "bytes=0-1" }, { "if-none-match": '"a"' }])
          assert.isFalse(isKept(token, url, more), url)
      }
      const page304 = `/v1/spaces/${space.id}/content/page/${page}`
      const { headers } = yield* ask(token, page304)
      const known = { "if-none-match": headers["etag"]! }
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* ask(token, page304, known)).status, 304)
      assert.isTrue(isKept(token, page304, known))
    })
  )

  it.effect("keeps nothing that is refused, that others draw, or that has no end of its own", () =>
    Effect.gen(function* () {
      const { organization } = yield* Harness
      const { token } = yield* newToken("read")
      const { ask, isKept } = yield* keeping()
      for (const url of [
        "/v1/spaces/nowhere",
        "/healthz",
        "/v1/integrations",
        `/v1/orgs/${organization}/sites?limit=x`
      ]) {
        yield* ask(token, url)
        assert.isFalse(isKept(token, url), url)
      }
      assert.isFalse(isKept("nobody", "/v1/user"))
    })
  )

  it.effect("gives nothing of the interface at a host of what is beside", () =>
    Effect.gen(function* () {
      const { token } = yield* newToken("read")
      const site = "site.example"
      const beside: MountedApp = {
        route: "site",
        select: ({ headers }) =>
          headers["host"] === site
            ? { cacheKey: undefined, respond: Effect.succeed(HttpServerResponse.text("a page")) }
            : undefined,
        renderError: (_request, response) => Effect.succeed(response),
        cacheHitListener: () => undefined
      }
      const { ask, isKept } = yield* Effect.provideService(keeping(), MountedApp, beside)
      assert.strictEqual((yield* ask(token, "/v1/user")).status, 200)
      assert.isTrue(isKept(token, "/v1/user"))
      assert.isFalse(isKept(token, "/v1/user", { host: site }))
    })
  )

  it.effect("ends with a commit, with the token, and when the time has come that counted", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const url = `/v1/spaces/${id}`
      const { ask, isKept } = yield* keeping()
      const hour = 3_600_000
      yield* TestClock.setTime(Math.ceil((yield* Clock.currentTimeMillis) / hour) * hour)
      const { token, id: tokenId } = yield* newToken("admin", { expires: { minutes: 50 } })
      yield* ask(token, url)
      // That somebody was there is written once an hour.
      yield* TestClock.adjust("1 minute")
      yield* call("admin", "PATCH", url, { title: "Another" }).pipe(has(200))
      assert.isFalse(isKept(token, url))
      assert.include((yield* ask(token, url)).text, "Another")
      assert.isTrue(isKept(token, url))

      yield* TestClock.adjust("48 minutes")
      assert.isTrue(isKept(token, url))
      yield* TestClock.adjust("1 minutes")
      assert.isFalse(isKept(token, url))
      assert.strictEqual((yield* ask(token, url)).status, 401)

      const lasting = yield* newToken("admin")
      yield* ask(lasting.token, url)
      assert.isTrue(isKept(lasting.token, url))
      yield* (yield* Tokens).revoke(lasting.id)
      assert.strictEqual((yield* ask(lasting.token, url)).status, 401)
      yield* (yield* Tokens).revoke(tokenId)
    })
  )

  it.effect("goes on through writes of what an answer was not read from", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const [space, other] = [yield* createSpace(), yield* createSpace()]
      const page = (yield* publish(space.id, [insertPage("Guide", "Text.")])).idOf("Guide")
      const site = yield* visit("public")
      const { token } = yield* newToken("admin")
      const { ask, isKept } = yield* keeping()
      yield* call("admin", "PATCH", `/v1/spaces/${other.id}`, { title: "Other" }).pipe(has(200))
      const asked = [
        [token, "/v1/user"],
        [token, `/v1/spaces/${space.id}`],
        [token, `/v1/spaces/${space.id}/content/pages`],
        [token, `/v1/spaces/${space.id}/content/page/${page}`],
        [token, `/v1/orgs/${organization}/members/${users.read}`],
        [site.apiToken, `/v1/orgs/${organization}/sites/${site.id}/published`]
      ] as const
      // What is read with a visitor's token for the first time looks at the clock.
      for (const [by, url] of [...asked, ...asked]) assert.strictEqual((yield* ask(by, url)).status, 200)
      yield* call("admin", "PATCH", `/v1/spaces/${other.id}`, { title: "Another" }).pipe(has(200))
      yield* publish(other.id, [insertPage("New", "Text.")])
      yield* call("admin", "POST", `/v1/spaces/${other.id}/comments`, { body: { markdown: "A word" } }).pipe(has(200))
      yield* newToken("read")
      const insights = `/v1/orgs/${organization}/sites/${site.id}/insights/events`
      const view = {
        type: "page_view",
        session: { sessionId: "s", visitorId: "v" },
        location: { url: "https://a.example/" }
      }
      yield* call("admin", "POST", insights, { events: [view] })
      for (const [by, url] of asked) assert.isTrue(isKept(by, url), url)
      yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, { title: "This one" }).pipe(has(200))
      assert.isFalse(isKept(token, `/v1/spaces/${space.id}`))
      assert.isTrue(isKept(token, "/v1/user"))
    })
  )

  it.effect("holds what was used last, within its bytes", () =>
    Effect.gen(function* () {
      const { token } = yield* newToken("admin")
      const spaces = yield* Effect.forEach(Array.from({ length: 12 }), () => createSpace())
      const { ask, isKept } = yield* keeping(20_000)
      for (const { id } of spaces) yield* ask(token, `/v1/spaces/${id}`)
      const held = spaces.filter(({ id }) => isKept(token, `/v1/spaces/${id}`)).length
      assert.isTrue(held > 2 && held < 12, `${held}`)
      assert.isTrue(isKept(token, `/v1/spaces/${spaces.at(-1)!.id}`))
    })
  )

  it.effect("holds nothing of an answer that another has taken the place of", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { token } = yield* newToken("admin")
      const [still, changing] = [yield* createSpace(), yield* createSpace()].map(({ id }) => `/v1/spaces/${id}`)
      const { ask, isKept } = yield* keeping(20_000)
      yield* ask(token, still!)
      for (let n = 0; n < 40; n++) {
        yield* call("admin", "PATCH", changing!, { title: `Title ${n}` }).pipe(has(200))
        yield* ask(token, changing!)
        assert.isTrue(isKept(token, changing!), `${n}`)
      }
      assert.isTrue(isKept(token, still!))
    })
  )

  it.effect("keeps what a token asks for again, unless it is told to keep all", () =>
    Effect.gen(function* () {
      const { token } = yield* newToken("admin")
      const { token: other } = yield* newToken("admin")
      const { ask, isKept } = yield* keeping(mebibyte, false)
      yield* ask(token, "/v1/user")
      yield* ask(other, "/v1/user")
      assert.isFalse(isKept(other, "/v1/orgs"))
      yield* ask(token, "/v1/user")
      assert.isTrue(isKept(token, "/v1/user"))
    })
  )

  it.effect("keeps ever more rarely what never holds until it is asked again, and at once what did", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const url = `/v1/spaces/${id}`
      const told: Array<CompletedRequest> = []
      const { ask } = yield* keeping(mebibyte, false).pipe(
        Effect.provideService(Observers, [(answered: CompletedRequest) => told.push(answered)])
      )
      let titles = 0
      const askBehindChange = Effect.fnUntraced(function* (token: string) {
        const title = `Title ${titles++}`
        yield* call("admin", "PATCH", url, { title }).pipe(has(200))
        assert.include((yield* ask(token, url)).text, title)
      })
      const isKeptBehind = Effect.fnUntraced(function* (token: string, changes: number) {
        for (let n = 0; n < changes; n++) yield* askBehindChange(token)
        yield* ask(token, url)
        return told.at(-1)!.isCacheHit
      })
      const kept: Array<number> = []
      for (const changes of [1, 2, 3, 4, 6, 7, 8, 14, 15, 16, 30, 31]) {
        const { token } = yield* newToken("admin")
        yield* ask(token, url)
        yield* ask(token, url)
        if (!(yield* isKeptBehind(token, changes))) continue
        kept.push(changes)
        assert.isTrue(yield* isKeptBehind(token, 1))
      }
      assert.deepStrictEqual(kept, [1, 3, 7, 15, 31])
    })
  )

  it.effect("counts and tells of each request", () =>
    Effect.gen(function* () {
      const { users } = yield* Harness
      const { token } = yield* newToken("read")
      const told: Array<CompletedRequest> = []
      const { ask, isKept } = yield* keeping().pipe(
        Effect.provideService(RequestsPerMinute, () => 3),
        Effect.provideService(Observers, [(answered: CompletedRequest) => told.push(answered)])
      )
      const answers = yield* Effect.forEach([1, 2, 3], () => ask(token, "/v1/user"))
      assert.deepStrictEqual(
        answers.map(({ headers }) => headers["x-ratelimit-remaining"]),
        ["2", "1", "0"]
      )
      const over = yield* ask(token, "/v1/user")
      assert.strictEqual(over.status, 429)
      assert.include(over.text, "More than 3 requests")
      assert.isTrue(isKept(token, "/v1/user"))
      assert.deepStrictEqual(
        told.slice(0, 4).map(({ route, status, actor, isCacheHit: isKept }) => ({ route, status, actor, isKept })),
        [200, 200, 200, 429].map((status, n) => ({
          route: "/v1/user",
          status,
          actor: users.read,
          isKept: n === 1 || n === 2
        }))
      )
      assert.deepStrictEqual(
        told.slice(0, 4).map(({ requestId }) => requestId),
        [...answers, over].map(({ id }) => id)
      )
    })
  )

  it.effect("answers any reads between any writes as it would without it", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const space = yield* createSpace()
      const page = (yield* publish(space.id, [insertPage("Guide", "## Part\n\nText.")])).idOf("Guide")
      const site = yield* visit("public")
      const members = yield* Effect.forEach(["admin", "read"] as const, (person) => newToken(person))
      const tokens = [...members.map(({ token }) => token), site.apiToken, "lectern_none"]
      const draft = yield* openChangeRequest(space.id)
      const content = `/v1/spaces/${space.id}/content`
      const urls = [
        "/v1/user",
        "/v1/orgs",
        `/v1/orgs/${organization}/members?limit=3`,
        `/v1/orgs/${organization}/spaces`,
        `/v1/orgs/${organization}/sites/${site.id}/published`,
        `/v1/orgs/${organization}/sites/${site.id}/structure`,
        `/v1/spaces/${space.id}`,
        content,
        `${content}/pages`,
        `${content}/page/${page}?format=document`,
        `${content}/page/${page}/document`,
        `/v1/spaces/${space.id}/change-requests/${draft.id}/content/page/${page}`,
        `/v1/spaces/${space.id}/change-requests?limit=5`,
        `/v1/spaces/${space.id}/comments`,
        ...(yield* reads(site.id, site.space, site.page)).map((path) => `/v1${path}`)
      ]
      const writes = [
        call("admin", "PATCH", `/v1/spaces/${space.id}`, { title: "One" }),
        call("admin", "PATCH", `/v1/spaces/${space.id}`, { title: "Two", defaultLevel: null }),
        call("admin", "PATCH", `/v1/spaces/${space.id}`, { defaultLevel: "inherit" }),
        call("admin", "PATCH", `/v1/orgs/${organization}/sites/${site.id}`, { title: "Site" }),
        call("admin", "PATCH", `/v1/orgs/${organization}/members/${users.read}`, { role: "comment" }),
        call("admin", "POST", `/v1/spaces/${space.id}/comments`, { body: { markdown: "A word" } }),
        call("admin", "POST", `/v1/spaces/${space.id}/change-requests/${draft.id}/content`, {
          changes: [{ operation: "update_page", page, title: "Other" }]
        }),
        call("admin", "DELETE", `/v1/spaces/${space.id}`),
        call("admin", "POST", `/v1/spaces/${space.id}/restore`)
      ]
      const without = yield* keeping(0)
      const cached = yield* keeping()
      const sparing = yield* keeping(mebibyte, false)
      const signedIn = yield* signingIn
      const cookies = new Map([
        [members[0]!.token, users.admin],
        [members[1]!.token, users.read]
      ])
      let hits = 0
      const read = fc.record({ token: fc.constantFrom(...tokens), url: fc.constantFrom(...urls) })
      const step = fc.oneof(
        { weight: 12, arbitrary: fc.record({ read, compressed: fc.boolean() }) },
        { weight: 2, arbitrary: fc.record({ write: fc.nat(writes.length - 1) }) },
        { weight: 1, arbitrary: fc.record({ minutes: fc.integer({ min: 1, max: 40 }) }) }
      )
      const scripts = fc.sample(fc.array(step, { minLength: 300, maxLength: 300, size: "max" }), runs(1, 5))
      for (const one of scripts.flat()) {
        if ("minutes" in one) yield* TestClock.adjust(one.minutes * 60_000)
        else if ("write" in one) yield* writes[one.write]!
        else {
          const { token, url } = one.read
          const headers = one.compressed ? { "accept-encoding": "br" } : {}
          const expected = yield* without.ask(token, url, headers)
          for (let i = 0; i < 2; i++) {
            if (cached.isKept(token, url, headers)) hits++
            for (const { ask } of [cached, sparing]) {
              const answer = yield* ask(token, url, headers)
              assert.deepStrictEqual({ ...answer, id: "" }, { ...expected, id: "" }, url)
            }
          }
          const cookie = cookies.get(token)
          if (cookie !== undefined && !one.compressed) {
            const { status, text } = expected
            assert.deepStrictEqual(yield* signedIn(cookie, url), { status, text }, url)
          }
        }
      }
      assert.isAbove(hits, 100)
    })
  )
})
