import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import type { HostLogger } from "@lectern/core/HostLogger"
import * as Core from "@lectern/core/Lectern"
import * as Fetch from "@lectern/http/fetch"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"

const healthz = () => new Request("http://localhost/healthz")

it("answers requests of an instance that was opened without Effect", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { fetch, close } = await Fetch.fetchHandler(lectern)
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

it("answers what runs, and 503 to what comes once it is closed", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { fetch, close } = await Fetch.fetchHandler(lectern)
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
  }).pipe(Effect.provide(Core.layer().pipe(Layer.provideMerge(MemoryStorage.testLayer))))
)

it("logs to the host, and goes by its clock", async () => {
  const entries: Array<Parameters<HostLogger>> = []
  let now = Date.UTC(2030, 0, 1)
  const lectern = await MemoryLectern.open({
    background: false,
    logger: (...entry) => entries.push(entry),
    clock: () => now
  })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { token } = await lectern.tokens.create(ada, { expires: "1 hour" })
  const { fetch, close } = await Fetch.fetchHandler(lectern, {
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
