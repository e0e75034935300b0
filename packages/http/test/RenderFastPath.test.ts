/** Renders that are answered with less around them: nobody can tell them from those that are answered by the router. */
import { gunzipSync, gzipSync } from "node:zlib"
import { assert } from "@effect/vitest"
import type { TokenScope } from "@lectern/core/token/TokenScope"
import { Tokens } from "@lectern/core/token/Tokens"
import { Compressors } from "@lectern/http/server/Compression"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { type CompletedRequest, Observers } from "@lectern/http/server/Observation"
import { RequestsPerMinute } from "@lectern/http/server/RateLimit"
import * as RenderFastPath from "@lectern/http/server/RenderFastPath"
import * as RequestBody from "@lectern/http/server/RequestBody"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { Harness, onMemory } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { createSpace } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const host = "127.0.0.1"

type Headers = Readonly<Record<string, string>>

const bytesOf = (body: unknown) =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))

const headersFor = (token: string, body: Uint8Array, more: Headers = {}): Headers => ({
  host,
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "content-length": String(body.length),
  ...more
})

/** Headers without what is another each time. */
const steady = (headers: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...headers].filter(([name]) => name !== "x-request-id").sort(([one], [other]) => (one < other ? -1 : 1))
  )

/** An application, asked ahead of its router and by it. */
const bothWays = Effect.gen(function* () {
  const app = yield* HttpApp.make
  const byRouter = yield* WebHandler.make(app)
  return {
    app,
    ahead: Effect.fnUntraced(function* (url: string, headers: Headers, body: Uint8Array) {
      const render = app.handleShort({ method: "POST", url, headers }, {}, () => "192.0.2.1")
      assert.isDefined(render)
      const { response, headers: more } = yield* render!(body)
      const answer = HttpServerResponse.toWeb(HttpServerResponse.setHeaders(response, more))
      const text = Buffer.from(yield* Effect.promise(() => answer.arrayBuffer()))
      return { status: answer.status, headers: steady(answer.headers), text }
    }),
    byRouter: (url: string, headers: Headers, body: Uint8Array) =>
      Effect.promise(async () => {
        const init = { method: "POST", headers, body: body as BodyInit }
        const answer = await byRouter(new Request(`http://${host}${url}`, init))
        return {
          status: answer.status,
          headers: steady(answer.headers),
          text: Buffer.from(await answer.arrayBuffer())
        }
      })
  }
})

const script = program(`
  if (event.type !== "ui_render") return new Response()
  if (event.props.refuse) return Response.json({ error: "Not like this" }, { status: 422 })
  if (event.props.fail) throw new Error("no")
  return Response.json({ type: "complete", returnValue: "x".repeat(event.props.length ?? 1) })`)

const tokenOf = Effect.fnUntraced(function* (
  person: "admin" | "read" | "outsider",
  options: { readonly scopes?: ReadonlyArray<TokenScope> } = {}
) {
  const { users } = yield* Harness
  return Redacted.value((yield* (yield* Tokens).create(users[person], options)).token)
})

onMemory(
  "Renders ahead of the router",
  (it) => {
    it.effect("are answered as they are by it, whatever is asked by whomever", () =>
      Effect.gen(function* () {
        const { ahead, byRouter } = yield* bothWays
        const { id: space } = yield* createSpace()
        const { name } = yield* installed({ script, scopes: ["space:content:read"] })
        const request = { componentId: "card", props: {}, context: { type: "document", spaceId: space } }
        const deep = `${"[".repeat(300)}${"]".repeat(300)}`
        const bodies: ReadonlyArray<unknown> = [
          request,
          { ...request, props: { length: 5_000 }, unknown: true },
          { ...request, props: { refuse: true } },
          { ...request, props: { fail: true } },
          { ...request, context: { type: "document", spaceId: "none" } },
          { ...request, context: { type: "elsewhere" } },
          { ...request, componentId: "" },
          { ...request, componentId: 1, props: [], state: "none" },
          { props: {} },
          [],
          "null",
          "{",
          deep,
          new Uint8Array([0x22, 0xff, 0x22])
        ]
        const url = `/v1/integrations/${name}/render`
        const admin = yield* tokenOf("admin")
        const asked: Array<readonly [string, string, unknown, Headers?]> = [
          ...bodies.map((body) => [admin, url, body] as const),
          [
            admin,
            url.toUpperCase().replace("/V1/INTEGRATIONS", "/v1/integrations").replace("RENDER", "render"),
            request
          ],
          [admin, "/v1/integrations/nothing-there/render", request],
          [yield* tokenOf("read"), url, request],
          [yield* tokenOf("outsider"), url, request],
          [yield* tokenOf("admin", { scopes: ["space:review"] }), url, request],
          [yield* tokenOf("admin", { scopes: ["space:content:read"] }), url, request],
          ["nobody", url, request],
          ["nobody", url, "{"],
          [admin, url, { ...request, props: { length: 5_000 } }, { "accept-encoding": "gzip" }]
        ]
        const statuses = new Set<number>()
        for (const [token, path, body, more] of asked) {
          const bytes = bytesOf(body)
          const headers = headersFor(token, bytes, more)
          const expected = yield* byRouter(path, headers, bytes)
          assert.deepStrictEqual(yield* ahead(path, headers, bytes), expected, `${path} ${JSON.stringify(body)}`)
          statuses.add(expected.status)
          if (more !== undefined) assert.match(gunzipSync(expected.text).toString(), /x{5000}/)
        }
        for (const status of [200, 400, 401, 403, 404, 502]) assert.include([...statuses], status)
      }).pipe(Effect.provideService(Compressors, { gzip: (bytes) => Promise.resolve(new Uint8Array(gzipSync(bytes))) }))
    )

    it.effect("are counted and told of like all others", () =>
      Effect.gen(function* () {
        const seen: Array<CompletedRequest> = []
        const { ahead } = yield* bothWays.pipe(
          Effect.provideService(RequestsPerMinute, () => 2),
          Effect.provideService(Observers, [(answered: CompletedRequest) => void seen.push(answered)])
        )
        const { users } = yield* Harness
        const { id: space } = yield* createSpace()
        const { name } = yield* installed({ script })
        const body = bytesOf({ componentId: "card", props: {}, context: { type: "document", spaceId: space } })
        const headers = headersFor(yield* tokenOf("admin"), body)
        const url = `/v1/integrations/${name}/render`
        const statuses = []
        for (let i = 0; i < 3; i++) statuses.push((yield* ahead(url, headers, body)).status)
        assert.deepStrictEqual(statuses, [200, 200, 429])
        const { method, route, actor, address } = seen[0]!
        assert.deepStrictEqual(
          { method, route, actor, address, statuses: seen.map(({ status }) => status) },
          {
            method: "POST",
            route: "/v1/integrations/:integrationName/render",
            actor: users.admin,
            address: "192.0.2.1",
            statuses
          }
        )
      })
    )

    it.effect("are like all others where they are unusual", () =>
      Effect.sync(() => {
        const usual = {
          method: "POST",
          url: "/v1/integrations/weather/render",
          headers: headersFor("token", new Uint8Array(10)) as Record<string, string | undefined>
        }
        const isAhead = (asked: typeof usual) =>
          RequestBody.isShort(asked) && RenderFastPath.integrationOf(asked) !== undefined
        assert.isTrue(isAhead(usual))
        const withHeaders = (headers: Record<string, string | undefined>) => ({
          ...usual,
          headers: { ...usual.headers, ...headers }
        })
        for (const unusual of [
          { ...usual, method: "GET" },
          { ...usual, url: "/v1/integrations/weather" },
          { ...usual, url: "/v1/integrations/wea%74her/render" },
          { ...usual, url: "/v1/integrations/weather/render?request=1" },
          withHeaders({ host: undefined }),
          withHeaders({ authorization: undefined }),
          withHeaders({ "content-type": "application/json; charset=utf-8" }),
          withHeaders({ "content-type": undefined }),
          withHeaders({ "content-length": undefined }),
          withHeaders({ "content-length": "0" }),
          withHeaders({ "content-length": "65537" }),
          withHeaders({ "transfer-encoding": "chunked" }),
          withHeaders({ "content-encoding": "gzip" }),
          withHeaders({ expect: "100-continue" }),
          withHeaders({ origin: "https://docs.example.com" })
        ]) {
          assert.isFalse(isAhead(unusual), JSON.stringify(unusual))
        }
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
