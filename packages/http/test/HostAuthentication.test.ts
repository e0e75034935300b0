/** A host's own sign-in, asked before tokens: who sends a request, whatever it shows beside. */
import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { LastSeen } from "@lectern/core/user/LastSeen"
import { UserId } from "@lectern/core/user/User"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Fetch from "@lectern/http/fetch"
import { HostAuthentication } from "@lectern/http/server/HostAuthentication"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { type CompletedRequest, Observers } from "@lectern/http/server/Observation"
import { RequestsPerMinute } from "@lectern/http/server/RateLimit"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Effect, Logger } from "effect"
import { Harness, has, onMemory } from "./Harness.ts"
import { createSpace } from "./Steps.ts"

const base = "http://localhost"

/** The user whom the cookie of a request names. */
const byCookie = (request: Request): string | undefined =>
  /session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1]

const as = (user: string, more: RequestInit = {}): RequestInit => ({
  ...more,
  headers: { cookie: `session=${user}`, ...(more.headers as Record<string, string>) }
})

const opened = async (authenticate: NonNullable<Fetch.ApiOptions["authenticate"]>) => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map(async (name) => (await lectern.users.create({ email: `${name}@example.com` })).id)
  )
  const acme = await lectern.organizations.create({ title: "Acme" }, ada!)
  const { fetch, close } = await Fetch.apiHandler(lectern, { authenticate })
  const ask = (path: string, init?: RequestInit) => fetch(new Request(base + path, init))
  return {
    lectern,
    ask,
    ada: ada!,
    bob: bob!,
    acme,
    close: async () => {
      await close()
      await lectern.close()
    }
  }
}

it("asks as whoever the host says, and else as the token's", async () => {
  const { lectern, ask, ada, bob, acme, close } = await opened(async (request) => byCookie(request))
  assert.deepInclude(await (await ask("/v1/user", as(ada))).json(), { id: ada })
  assert.strictEqual((await ask(`/v1/orgs/${acme.id}`, as(ada))).status, 200)
  assert.strictEqual((await ask(`/v1/orgs/${acme.id}`, as(bob))).status, 404)
  assert.strictEqual((await ask("/v1/user")).status, 401)
  assert.strictEqual((await ask("/v1/user", as("nobody-of-ours"))).status >= 400, true)

  const { token } = await lectern.tokens.create(bob)
  const authorization = `Bearer ${token}`
  assert.deepInclude(await (await ask("/v1/user", { headers: { authorization } })).json(), { id: bob })
  // The host is asked first, so it may also say whose a token is that looks like one of Lectern's.
  assert.deepInclude(await (await ask("/v1/user", as(ada, { headers: { authorization } }))).json(), { id: ada })
  await close()
})

it("takes an actor for a user, and asks where nobody needs to be known", async () => {
  let asked = 0
  const { ask, ada, acme, close } = await opened((request) => {
    asked++
    const user = byCookie(request)
    return user === undefined ? undefined : { type: "user", user: UserId.make(user) }
  })
  const title = "Handbook".repeat(10_000)
  const headers = { "content-type": "application/json", "content-length": String(title.length + 12) }
  const large = { method: "POST", headers, body: JSON.stringify({ title }) }
  // Refused for its title, so its body was read: that of somebody unknown is not.
  assert.strictEqual((await ask(`/v1/orgs/${acme.id}/spaces`, as(ada, large))).status, 400)
  assert.strictEqual(asked, 1)
  assert.strictEqual((await ask(`/v1/orgs/${acme.id}/spaces`, large)).status, 401)
  asked = 0
  assert.strictEqual((await ask("/healthz", as(ada))).status, 200)
  assert.strictEqual(asked, 0, "a path that is anyone's")
  assert.strictEqual((await ask("/v1/integrations", as(ada))).status, 200)
  assert.strictEqual(asked, 1, "once for each request")
  await close()
})

for (const [how, authenticate] of [
  [
    "throws",
    () => {
      throw new Error("the session store is down at secret-host")
    }
  ],
  ["rejects", () => Promise.reject(new Error("the session store is down at secret-host"))]
] as const) {
  onMemory(`A sign-in that ${how}`, (it) => {
    it.effect("is a 500 that tells nothing, and is logged", () =>
      Effect.gen(function* () {
        const logged: Array<string> = []
        const logger = Logger.make(({ message, cause }) => {
          logged.push(`${String(message)} ${cause.reasons.map(String).join()}`)
        })
        const answer = yield* Effect.gen(function* () {
          const app = yield* HttpApp.make
          return yield* WebHandler.make(app)
        }).pipe(
          Effect.provideService(HostAuthentication, () => Effect.promise(async () => authenticate())),
          Effect.provideService(RequestsPerMinute, () => 5),
          Effect.provide(Logger.layer([logger]))
        )
        const response = yield* Effect.promise(() => answer(new Request(`${base}/v1/user`)))
        assert.strictEqual(response.status, 500)
        assert.strictEqual(response.headers.get("x-ratelimit-remaining"), "4")
        const text = yield* Effect.promise(() => response.text())
        assert.notInclude(text, "secret-host")
        assert.include(JSON.parse(text).error.message, "Internal server error")
        assert.strictEqual(logged.length, 1)
        assert.include(logged[0], "secret-host")
      })
    )
  })
}

onMemory("A host's sign-in", (it) => {
  const cookied = (options: { readonly limit?: number; readonly told?: Array<CompletedRequest> } = {}) =>
    Effect.flatMap(HttpApp.make, WebHandler.make).pipe(
      Effect.provideService(HostAuthentication, ({ source }) =>
        Effect.map(Effect.yieldNow, () => {
          const user = byCookie(source as Request)
          return user === undefined ? undefined : { type: "user", user: UserId.make(user) }
        })
      ),
      Effect.provideService(ResponseCacheOptions, { bytes: 1024 * 1024, admitFirst: true }),
      Effect.provideService(RequestsPerMinute, () => options.limit ?? 0),
      Effect.provideService(
        Observers,
        options.told === undefined ? [] : [(one: CompletedRequest) => options.told!.push(one)]
      ),
      Effect.map(
        (answer) => (user: string, path: string, headers?: Record<string, string>) =>
          Effect.promise(() =>
            answer(new Request(base + path, as(user, { headers: { host: "localhost", ...headers } })))
          )
      )
    )

  it.effect("gives each of many users at once its own answers to the same URLs, whatever token they show", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const space = yield* createSpace()
      yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, { defaultLevel: null }).pipe(has(200))
      const ask = yield* cookied()
      const urls = ["/v1/user", "/v1/orgs", `/v1/orgs/${organization}/spaces`, `/v1/spaces/${space.id}`]
      const asked = Array.from({ length: 6 }, () =>
        urls.flatMap((url) => [users.admin, users.read, users.outsider].map((user) => ({ url, user })))
      ).flat()
      const answers = yield* Effect.forEach(
        asked,
        ({ url, user }) =>
          Effect.flatMap(ask(user, url, { authorization: "Bearer the-same" }), (response) =>
            Effect.promise(async () => ({ url, user, status: response.status, text: await response.text() }))
          ),
        { concurrency: 12 }
      )
      const of = (user: string, url: string) =>
        new Set(
          answers
            .filter((one) => one.user === user && one.url === url)
            .map(({ status, text }) => `${status} ${status === 200 ? text : ""}`)
        )
      for (const url of urls)
        for (const user of [users.admin, users.read, users.outsider]) assert.strictEqual(of(user, url).size, 1, url)
      for (const user of [users.admin, users.read, users.outsider])
        assert.include([...of(user, "/v1/user")][0], `"id":"${user}"`)
      assert.include([...of(users.admin, `/v1/spaces/${space.id}`)][0], "200")
      assert.include([...of(users.read, `/v1/spaces/${space.id}`)][0], "404")
      assert.include([...of(users.admin, `/v1/orgs/${organization}/spaces`)][0], space.id)
      assert.notInclude([...of(users.read, `/v1/orgs/${organization}/spaces`)][0], space.id)
    })
  )

  it.effect("counts each user, tells of it, and notes when it was there", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const told: Array<CompletedRequest> = []
      const ask = yield* cookied({ limit: 2, told })
      const left = (response: Response) => response.headers.get("x-ratelimit-remaining")
      assert.strictEqual(left(yield* ask(users.admin, "/v1/user")), "1")
      assert.strictEqual(left(yield* ask(users.read, "/v1/user")), "1")
      assert.strictEqual(left(yield* ask(users.admin, "/v1/user", { authorization: "Bearer another" })), "0")
      assert.strictEqual((yield* ask(users.admin, "/v1/user")).status, 429)
      assert.deepStrictEqual(
        told.map(({ actor, status }) => [actor, status]),
        [
          [users.admin, 200],
          [users.read, 200],
          [users.admin, 200],
          [undefined, 429]
        ]
      )
      yield* (yield* LastSeen).flush
      const member = yield* call("admin", "GET", `/v1/orgs/${organization}/members/${users.read}`).pipe(has(200))
      assert.strictEqual(JSON.parse(member.text).lastSeenAt, "2026-01-01T00:00:00.000Z")
    })
  )

  it.effect("makes answers private that say nothing of it", () =>
    Effect.gen(function* () {
      const { users } = yield* Harness
      const ask = yield* cookied()
      const header = (response: Response) => response.headers.get("cache-control")
      assert.strictEqual(header(yield* ask(users.admin, "/v1/user")), "private, no-cache")
    })
  )
})
