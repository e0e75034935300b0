import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import type { HostLogger } from "@lectern/core/HostLogger"
import * as Core from "@lectern/core/Lectern"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Fetch from "@lectern/http/fetch"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerRequest } from "effect/http"

const healthz = () => new Request("http://localhost/healthz")

it("answers requests of an instance that was opened without Effect", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  const { fetch, close } = await Fetch.apiHandler(lectern)
  assert.strictEqual((await fetch(healthz())).status, 200)

  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { token } = await lectern.tokens.create(ada)
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const me = await fetch(new Request("http://localhost/v1/user", { headers }))
  assert.deepInclude(await me.json(), { object: "user", id: ada })
  const patch = { method: "PATCH", headers, body: '{"displayName":"Ada"}' }
  const hungUp = new Request("http://localhost/v1/user", { ...patch, signal: AbortSignal.abort() })
  assert.strictEqual((await fetch(hungUp)).status, 499)
  assert.notStrictEqual((await lectern.users.get(ada)).displayName, "Ada")
  assert.strictEqual((await fetch(new Request("http://localhost/v1/user", patch))).status, 200)

  await close()
  await lectern.close()
})

it("is mounted at a path of the host", async () => {
  const publicUrl = "https://acme.com/api/lectern"
  const lectern = await MemoryLectern.open({ publicUrl, extensions: [Exchange.extension()] })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const urls: Array<string> = []
  const { fetch, close } = await Fetch.apiHandler(lectern, {
    at: "/api/lectern",
    authenticate: ({ url }) => {
      urls.push(url)
      return ada
    }
  })
  const ask = (path: string, init?: RequestInit) => fetch(new Request(`https://acme.com${path}`, init))
  for (const path of ["/", "/v1/user", "/api/lecterns/v1/user", "/api/v1/user"]) assert.isUndefined(await ask(path))
  assert.deepInclude(await (await ask("/api/lectern/v1/user?a=1"))?.json(), { id: ada })
  assert.deepStrictEqual(urls, ["https://acme.com/api/lectern/v1/user?a=1"])
  assert.strictEqual((await ask("/api/lectern/healthz"))?.status, 200)
  for (const path of ["/api/lectern", "/api/lectern/", "/api/lectern?a=1", "/api/lectern/nothing"])
    assert.strictEqual((await ask(path))?.status, 404, path)
  const { id: acme } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { urls: links } = await (await ask(`/api/lectern/v1/orgs/${acme}`))!.json()
  assert.strictEqual(links.location, `${publicUrl}/v1/orgs/${acme}`)
  const invalid: unknown = await Fetch.apiHandler(lectern, { at: "api" }).catch((error: unknown) => error)
  assert.propertyVal(invalid, "name", "InvalidInput")
  const unknown: unknown = await Fetch.apiHandler(lectern, { path: "/api" } as never).catch((error: unknown) => error)
  assert.include((unknown as Error).message, "path: Unknown option. Options: at, authenticate")
  await close()
  await lectern.close()
})

it("answers what runs, and 503 to what comes once it is closed", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  const { fetch, close } = await Fetch.apiHandler(lectern)
  const answers: Array<string> = []
  const running = fetch(healthz()).then(({ status }) => answers.push(`answered ${status}`))
  const closing = close().then(() => answers.push("closed"))
  const late = await fetch(healthz())
  assert.strictEqual(late.status, 503)
  assert.deepStrictEqual(await late.json(), { error: { code: 503, message: "The server is stopping" } })
  await Promise.all([running, closing])
  assert.deepStrictEqual(answers, ["answered 200", "closed"])
  assert.isDefined(await lectern.organizations.list({}), "Lectern itself is still open")
  await lectern.close()
})

it.effect("is closed with its scope", () =>
  Effect.gen(function* () {
    const { fetch } = yield* Fetch.make.pipe(
      Effect.tap(({ fetch }) => Effect.promise(async () => assert.strictEqual((await fetch(healthz())).status, 200))),
      Effect.scoped
    )
    assert.strictEqual((yield* Effect.promise(() => fetch(healthz()))).status, 503)
  }).pipe(
    Effect.provide(Core.layer({ extensions: [Exchange.extension()] }).pipe(Layer.provideMerge(MemoryStorage.testLayer)))
  )
)

it("logs to the host, and goes by its clock", async () => {
  const entries: Array<Parameters<HostLogger>> = []
  let now = Date.UTC(2030, 0, 1)
  const lectern = await MemoryLectern.open({
    extensions: [Exchange.extension()],
    background: false,
    logger: (...entry) => entries.push(entry),
    clock: () => now
  })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { token } = await lectern.tokens.create(ada, { expires: { hours: 1 } })
  const { fetch, close } = await Fetch.apiHandler(lectern, {
    authenticate: ({ headers }) => {
      if (headers.has("cookie")) throw new Error("no sessions today")
      return undefined
    }
  })
  const user = (headers: HeadersInit) => fetch(new Request("http://localhost/v1/user", { headers }))
  const authorization = `Bearer ${token}`
  assert.strictEqual((await user({ authorization })).status, 200)
  now += 60 * 60 * 1000
  assert.strictEqual((await user({ authorization })).status, 401)
  const failed = await user({ cookie: "session=1" })
  assert.strictEqual(failed.status, 500)
  const [level, message, { error, request, path }] = entries[0]!
  assert.deepStrictEqual(
    [entries.length, level, message, request, path],
    [1, "error", "A request failed", failed.headers.get("x-request-id"), "/v1/user"]
  )
  assert.include(String(error), "no sessions today")
  await close()
  await lectern.close()
})

it.effect("is an application for a server of Effect, with cached responses", () =>
  Effect.gen(function* () {
    const app = yield* Effect.provideService(HttpApp.make, ResponseCacheOptions, { bytes: 100_000, admitFirst: true })
    const user = yield* (yield* Users).create({ email: "ada@example.com" })
    const { token } = yield* (yield* Tokens).create(user.id)
    const fetch = HttpEffect.toWebHandler(HttpApp.toHttpEffect(app))
    const headers = { authorization: `Bearer ${Redacted.value(token)}`, host: "127.0.0.1" }
    const read = () =>
      Effect.promise(async () => {
        const response = await fetch(new Request("http://127.0.0.1/v1/user", { headers }))
        return [response.status, response.headers.get("content-type"), ((await response.json()) as { id: string }).id]
      })
    const first = yield* read()
    assert.deepStrictEqual(first, [200, "application/json", user.id])
    assert.deepStrictEqual(yield* read(), first)
    const isCached = !Effect.isEffect(
      app.respond(HttpServerRequest.fromWeb(new Request("http://127.0.0.1/v1/user", { headers })))
    )
    assert.isTrue(isCached)
  }).pipe(
    Effect.provideService(CurrentActor, host),
    Effect.scoped,
    Effect.provide(Core.layer({ extensions: [Exchange.extension()] }).pipe(Layer.provideMerge(MemoryStorage.testLayer)))
  )
)
