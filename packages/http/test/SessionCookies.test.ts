/** Sessions of browsers as credentials of the API: accepted from pages of the server's own origin, and from no other. */
import { Sessions } from "@lectern/core/token/Sessions"
import { isOwnRequest } from "@lectern/core/token/SessionCookie"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as Exchange from "@lectern/exchange/Exchange"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { SessionCookies, sessionsAt } from "@lectern/http/server/SessionCookies"
import * as WebHandler from "@lectern/http/server/WebHandler"
import * as Lectern from "@lectern/core/Lectern"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"

const publicUrl = "https://docs.example.com"

const instance = Lectern.layer({ extensions: [Exchange.extension()] }).pipe(Layer.provideMerge(MemoryStorage.testLayer))

const harness = Effect.gen(function* () {
  const app = yield* Effect.provideService(HttpApp.make, SessionCookies, sessionsAt(publicUrl))
  const fetch = yield* WebHandler.make(app)
  const { id } = yield* (yield* Users).create({ email: "ada@example.com" })
  const { token } = yield* (yield* Sessions).start(id, { method: "password" })
  const send = (method: string, path: string, headers: Record<string, string>) =>
    Effect.promise(() => fetch(new Request(publicUrl + path, { method, headers })))
  return { user: id, cookie: `__Host-lectern_session=${Redacted.value(token)}`, send }
})

const same = { "sec-fetch-site": "same-origin" }

describe("SessionCookies", () => {
  it.effect("read with a cookie, and write only from a page of the server", () =>
    Effect.gen(function* () {
      const { cookie, send } = yield* harness
      const statusOf = (method: string, path: string, headers: Record<string, string>) =>
        Effect.map(send(method, path, { cookie, ...headers }), ({ status }) => status)
      assert.strictEqual(yield* statusOf("GET", "/v1/user", {}), 200)
      assert.strictEqual(yield* statusOf("GET", "/v1/user", same), 200)
      for (const site of ["same-site", "cross-site"])
        assert.strictEqual(yield* statusOf("GET", "/v1/user", { "sec-fetch-site": site }), 401)
      const end = (headers: Record<string, string>) => statusOf("DELETE", "/v1/user/sessions/unknown", headers)
      assert.strictEqual(yield* end({}), 401)
      assert.strictEqual(yield* end({ origin: "https://evil.example" }), 401)
      assert.strictEqual(yield* end({ origin: "null" }), 401)
      assert.strictEqual(yield* end({ "sec-fetch-site": "none" }), 401)
      assert.strictEqual(yield* end({ origin: "https://docs.example.com:8443" }), 401)
      assert.strictEqual(yield* end(same), 204)
      assert.strictEqual(yield* end({ origin: publicUrl }), 204)
    }).pipe(Effect.scoped, Effect.provide(instance))
  )

  it.effect("lose to any Authorization header, and are never stored by a shared cache", () =>
    Effect.gen(function* () {
      const { cookie, send } = yield* harness
      const ofToken = yield* send("GET", "/v1/user", { cookie, authorization: "Bearer unknown", ...same })
      assert.strictEqual(ofToken.status, 401)
      const ofOther = yield* send("GET", "/v1/user", { cookie, authorization: "Basic eDp5", ...same })
      assert.strictEqual(ofOther.status, 401)
      const ofCookie = yield* send("GET", "/v1/user", { cookie, ...same })
      assert.strictEqual(ofCookie.headers.get("cache-control"), "private, no-cache")
    }).pipe(Effect.scoped, Effect.provide(instance))
  )

  it.effect("of ended sessions count as no sender where none is needed", () =>
    Effect.gen(function* () {
      const { user, cookie, send } = yield* harness
      yield* (yield* Sessions).endAll(user)
      assert.strictEqual((yield* send("GET", "/v1/user", { cookie, ...same })).status, 401)
      const found = yield* send("GET", `/v1/urls/published?url=https://a.example.invalid/`, { cookie, ...same })
      assert.strictEqual(found.status, 404)
    }).pipe(Effect.scoped, Effect.provide(instance))
  )

  it.effect("are ignored by default", () =>
    Effect.gen(function* () {
      const fetch = yield* WebHandler.make(yield* HttpApp.make)
      const { cookie } = yield* harness
      const headers = { cookie, ...same }
      const { status } = yield* Effect.promise(() => fetch(new Request(`${publicUrl}/v1/user`, { headers })))
      assert.strictEqual(status, 401)
    }).pipe(Effect.scoped, Effect.provide(instance))
  )

  it("compare the whole origin", () => {
    const write = (origin: string) => isOwnRequest("http://docs.intern:8080", { method: "POST", headers: { origin } })
    assert.isTrue(write("http://docs.intern:8080"))
    for (const origin of ["http://docs.intern", "https://docs.intern:8080", "http://docs.intern:8080.evil.example", ""])
      assert.isFalse(write(origin))
  })
})
