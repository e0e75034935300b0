/** Requests for each caller and minute, where the operator sets a limit. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Tokens } from "@lectern/core/token/Tokens"
import * as Lectern from "@lectern/core/Lectern"
import * as Exchange from "@lectern/exchange/Exchange"
import * as RateLimit from "@lectern/http/server/RateLimit"
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { Harness, has, refused } from "./Harness.ts"

const limit = 3

const layer = Harness.layer.pipe(
  Layer.provideMerge(
    Lectern.layer({ extensions: [Exchange.extension()] }).pipe(Layer.provideMerge(MemoryStorage.testLayer))
  ),
  Layer.provide(Layer.succeed(RateLimit.RequestsPerMinute, () => limit))
)

describe("RateLimit", () => {
  it.effect("counts each token for itself, says what is left, and begins anew after a minute", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const now = 1_767_225_600
      for (const remaining of ["2", "1", "0"]) {
        const { headers } = yield* call("admin", "GET", "/v1/user").pipe(has(200))
        assert.strictEqual(headers.get("x-ratelimit-limit"), String(limit))
        assert.strictEqual(headers.get("x-ratelimit-remaining"), remaining)
        assert.isAtLeast(Number(headers.get("x-ratelimit-reset")), now)
        yield* TestClock.adjust("10 seconds")
      }
      const over = yield* call("admin", "GET", "/v1/user")
      assert.strictEqual(over.status, 429)
      assert.strictEqual(over.headers.get("retry-after"), "30")
      assert.strictEqual(over.headers.get("x-ratelimit-remaining"), "0")
      assert.isNotNull(over.headers.get("x-request-id"))
      assert.deepStrictEqual(JSON.parse(over.text).error.code, 429)

      yield* call("read", "GET", "/v1/user").pipe(has(200))
      // What is refused or not there counts as well, and whoever has no token has a count of its own.
      for (const path of ["/v1/user", "/v1/nothing", "/v1/orgs"]) {
        const { headers } = yield* call("nobody", "GET", path)
        assert.strictEqual(headers.get("x-ratelimit-limit"), String(limit))
      }
      yield* call("nobody", "GET", "/v1/user").pipe(refused(429))
      for (let i = 0; i < 2 * limit; i++) yield* call("nobody", "GET", "/healthz").pipe(has(200))

      yield* TestClock.adjust("30 seconds")
      const { headers } = yield* call("admin", "GET", "/v1/user").pipe(has(200))
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "2")
    }).pipe(Effect.provide(layer))
  )

  it.effect("begins anew where the clock was ahead, and is set back", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const start = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(start + Duration.toMillis("3650 days"))
      for (let i = 0; i < limit; i++) yield* call("nobody", "GET", "/v1/user")
      yield* call("nobody", "GET", "/v1/user").pipe(refused(429))
      yield* TestClock.setTime(start)
      const { status, headers } = yield* call("nobody", "GET", "/v1/user")
      assert.strictEqual(status, 401)
      assert.strictEqual(headers.get("x-ratelimit-reset"), String(start / 1000 + 60))
    }).pipe(Effect.provide(layer))
  )

  it.effect("counts whoever has no token by its address, whatever it shows for one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (let i = 0; i < limit; i++) yield* call({ token: `lectern_${i}` }, "GET", "/v1/user").pipe(refused(401))
      yield* call({ token: "lectern_another" }, "GET", "/v1/user").pipe(refused(429))
      yield* call("nobody", "GET", "/v1/user").pipe(refused(429))
      // Who has a token is not held up by that.
      yield* call("read", "GET", "/v1/user").pipe(has(200))
    }).pipe(Effect.provide(layer))
  )

  it.effect("counts addresses of IPv6 by their first 64 bits", () =>
    Effect.gen(function* () {
      const { request } = yield* RateLimit.make.pipe(Effect.provideService(RateLimit.RequestsPerMinute, () => limit))
      const refused = (address: string) =>
        Effect.map(
          request({
            url: "/v1/user",
            headers: {},
            remoteAddress: Option.some(address)
          } as unknown as HttpServerRequest.HttpServerRequest),
          (counted) => counted?.refused !== undefined
        )
      for (let i = 0; i < limit; i++) assert.isFalse(yield* refused(`2001:db8::${i}`))
      assert.isTrue(yield* refused("2001:db8::ffff"))
      assert.isFalse(yield* refused("2001:db8:0:1::"))
    }).pipe(Effect.provide(layer))
  )

  it.effect("knows a token however the header spells it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const user = (yield* Harness).users.read
      const { token } = yield* (yield* Tokens).create(user)
      const spelled = (scheme: string) =>
        call("nobody", "GET", "/v1/user", undefined, { authorization: `${scheme}${Redacted.value(token)}` })
      for (const scheme of ["Bearer ", "bearer ", "BEARER "]) yield* spelled(scheme).pipe(has(200))
      for (const scheme of ["Bearer ", "beareR ", "Bearer   "]) yield* spelled(scheme).pipe(refused(429))
    }).pipe(Effect.provide(layer))
  )
})
