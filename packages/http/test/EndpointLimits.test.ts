/**
 * Requests of strangers to integrations are bounded, at once and in a minute: no reader takes a process, or
 * the server, for itself.
 */
import * as IntegrationsApp from "@lectern/http/server/IntegrationsApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { onMemory } from "./Harness.ts"
import { freshName, program, publishIntegration } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** The application as one process has it: asks an integration from an address, and gives status and headers. */
const endpoints = (limit: number) =>
  Effect.gen(function* () {
    const app = yield* IntegrationsApp.make
    const fetch = yield* WebHandler.make({
      respond: (request) =>
        app(request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers["x-test-address"]) }))
    })
    return async (name: string, { path = "", address = "192.0.2.1", signal = new AbortController().signal } = {}) => {
      const url = `http://127.0.0.1:4001/v1/integrations/${name}/integration${path}`
      const response = await fetch(new Request(url, { headers: { "x-test-address": address }, signal }))
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }).pipe(Effect.provideService(IntegrationsApp.EndpointRequestsPerMinute, () => limit))

onMemory(
  "The endpoints of integrations",
  (it) => {
    it.effect("answer 32 requests of one at once, whoever asks, and those of others meanwhile", () =>
      Effect.gen(function* () {
        const [slow, other] = [yield* freshName, yield* freshName]
        yield* publishIntegration(slow, {
          script: program(
            `if (event.request.url.endsWith("/wait")) await globalThis.released; return new Response("fine")`
          )
        })
        yield* publishIntegration(other, { script: program(`return new Response("other")`) })
        const released = Promise.withResolvers<void>()
        Object.assign(globalThis, { released: released.promise })
        const ask = yield* endpoints(0)
        yield* Effect.promise(async () => {
          const asked = Array.from({ length: 32 }, () => ask(slow, { path: "/wait" }))
          // A name is told apart without regard to case.
          for (const name of [slow, slow.toUpperCase()]) {
            const refused = await ask(name)
            assert.strictEqual(refused.status, 503)
            assert.strictEqual(refused.headers.get("retry-after"), "1")
            assert.match(refused.text, /already handles 32 requests/)
          }
          assert.strictEqual((await ask(other)).text, "other")
          released.resolve()
          for (const { status } of await Promise.all(asked)) assert.strictEqual(status, 200)
          assert.strictEqual((await ask(slow)).text, "fine")
        })
        Reflect.deleteProperty(globalThis, "released")
      })
    )

    it.effect(
      "let an integration end what it has begun for callers who hang up, which keep their places until then",
      () =>
        Effect.gen(function* () {
          const name = yield* freshName
          const [begun, released, ended] = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
          Object.assign(globalThis, { steps: { begun, released, ended, left: 32 } })
          yield* publishIntegration(name, {
            script: program(`
            if (!event.request.url.endsWith("/wait")) return new Response("fine")
            if (--steps.left === 0) steps.begun.resolve()
            await steps.released.promise
            if (++steps.left === 32) steps.ended.resolve()
            return new Response("late")
          `)
          })
          const ask = yield* endpoints(0)
          const callers = new AbortController()
          yield* Effect.promise(async () => {
            const asked = Array.from({ length: 32 }, () => ask(name, { path: "/wait", signal: callers.signal }))
            await begun!.promise
            callers.abort()
            assert.strictEqual((await ask(name)).status, 503)
            released!.resolve()
            await ended!.promise
            await Promise.allSettled(asked)
          })
          Reflect.deleteProperty(globalThis, "steps")
        })
    )

    it.effect("take bodies of 8 MiB, and no longer ones", () =>
      Effect.gen(function* () {
        const name = yield* freshName
        yield* publishIntegration(name, {
          script: program(`return new Response(String((await form.get("fetch-body").arrayBuffer()).byteLength))`)
        })
        const url = `http://127.0.0.1:4001/v1/integrations/${name}/integration`
        const mebibytes = 8 * 1024 * 1024
        const whole = yield* outside(url, { method: "POST", body: new Uint8Array(mebibytes) })
        assert.strictEqual(whole.text, String(mebibytes))
        const longer = yield* outside(url, { method: "POST", body: new Uint8Array(mebibytes + 1) })
        assert.strictEqual(longer.status, 413)
        assert.match(longer.text, /larger than 8 MiB/)
      })
    )

    it.effect("take no body for what is not there", () =>
      Effect.gen(function* () {
        const app = yield* IntegrationsApp.make
        const fetch = yield* WebHandler.make({ respond: app })
        const name = yield* freshName
        yield* publishIntegration(name, { script: program(`return new Response("fine")`) })
        let taken = 0
        const send = async (path: string) => {
          const body = new ReadableStream<Uint8Array>(
            {
              pull: (sent) => {
                if (taken++ === 3) sent.close()
                else sent.enqueue(new Uint8Array(16))
              }
            },
            { highWaterMark: 0 }
          )
          const url = `http://127.0.0.1:4001/v1/integrations/${path}`
          const init = { method: "POST", body, duplex: "half" }
          return (await fetch(new Request(url, init))).status
        }
        yield* Effect.promise(async () => {
          for (const path of ["none/integration", `${name}/installations/none`, `${name}/elsewhere`]) {
            assert.strictEqual(await send(path), 404)
            assert.strictEqual(taken, 0, path)
          }
          assert.strictEqual(await send(`${name}/integration`), 200)
          assert.strictEqual(taken, 4)
        })
      })
    )

    it.effect("answer an address so often in a minute, where that is set", () =>
      Effect.gen(function* () {
        const name = yield* freshName
        yield* publishIntegration(name, { script: program(`return new Response("fine")`) })
        const ask = yield* endpoints(2)
        yield* Effect.promise(async () => {
          for (const status of [200, 200, 429]) assert.strictEqual((await ask(name)).status, status)
          const refused = await ask("none")
          assert.strictEqual(refused.status, 429)
          assert.strictEqual(refused.headers.get("retry-after"), "60")
          assert.isNotNull(refused.headers.get("x-request-id"))
        })
        // Whoever has one address of IPv6 has 64 bits of them.
        yield* Effect.promise(async () => {
          for (const [end, status] of [200, 200, 429].entries()) {
            assert.strictEqual((await ask(name, { address: `2001:db8::${end}` })).status, status)
          }
          assert.strictEqual((await ask(name, { address: "2001:db8:0:1::" })).status, 200)
        })
        yield* TestClock.adjust("1 minute")
        const again = yield* Effect.promise(() => ask(name))
        assert.strictEqual(again.status, 200)
      })
    )

    it.effect("answer all who ask one integration 20 times as often as one address, and those who ask another", () =>
      Effect.gen(function* () {
        const [busy, other] = [yield* freshName, yield* freshName]
        for (const name of [busy, other]) {
          yield* publishIntegration(name, { script: program(`return new Response("fine")`) })
        }
        const limit = 2
        const ask = yield* endpoints(limit)
        const asking = Effect.promise(async () => {
          for (let i = 0; i < 20 * limit; i++) {
            assert.strictEqual((await ask(busy, { address: `192.0.2.${i}` })).status, 200)
          }
          // A name is told apart without regard to case, and whoever is refused here is not refused elsewhere.
          for (const name of [busy, busy.toUpperCase()]) {
            const refused = await ask(name, { address: `198.51.100.${name === busy ? 1 : 2}` })
            assert.strictEqual(refused.status, 429)
            assert.strictEqual(refused.headers.get("retry-after"), "60")
            assert.match(refused.text, /More than 40 requests in a minute/)
          }
          assert.strictEqual((await ask(other, { address: "198.51.100.1" })).status, 200)
        })
        yield* asking
        yield* TestClock.adjust("59 seconds")
        const late = yield* Effect.promise(() => ask(busy, { address: "203.0.113.1" }))
        assert.strictEqual(late.status, 429)
        assert.strictEqual(late.headers.get("retry-after"), "1")
        yield* TestClock.adjust("1 second")
        yield* asking
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
