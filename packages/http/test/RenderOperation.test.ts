/** Renders, whose payload the service validates itself: they are answered like other operations, whatever is sent. */
import { gunzipSync, gzipSync } from "node:zlib"
import { assert } from "@effect/vitest"
import type { TokenScope } from "@lectern/core/token/TokenScope"
import { Tokens } from "@lectern/core/token/Tokens"
import { Compressors } from "@lectern/http/server/Compression"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { type CompletedRequest, Observers } from "@lectern/http/server/Observation"
import { RequestsPerMinute } from "@lectern/http/server/RateLimit"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Effect, Option, Redacted } from "effect"
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

/** Returns a function that sends a render from an address. */
const renders = Effect.gen(function* () {
  const { respond } = yield* HttpApp.make
  const fetch = yield* WebHandler.make({
    respond: (request) => respond(request.modify({ remoteAddress: Option.some("192.0.2.1") }))
  })
  return (url: string, headers: Headers, body: Uint8Array) =>
    Effect.promise(async () => {
      const init = { method: "POST", headers, body: body as BodyInit }
      const answer = await fetch(new Request(`http://${host}${url}`, init))
      return { status: answer.status, headers: steady(answer.headers), text: Buffer.from(await answer.arrayBuffer()) }
    })
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
  "Renders of integrations",
  (it) => {
    it.effect("are answered like other operations, whatever is sent by whom", () =>
      Effect.gen(function* () {
        const send = yield* renders
        const { id: space } = yield* createSpace()
        const { name } = yield* installed({ script, scopes: ["space:content:read"] })
        const request = { componentId: "card", props: {}, context: { type: "document", spaceId: space } }
        const deep = `${"[".repeat(300)}${"]".repeat(300)}`
        const cases: ReadonlyArray<readonly [unknown, number, string]> = [
          [request, 200, "complete"],
          [{ ...request, props: { length: 5_000 }, unknown: true }, 200, "xxxxx"],
          [{ ...request, props: { refuse: true } }, 400, "Not like this"],
          [{ ...request, props: { fail: true } }, 502, "Error: no"],
          [{ ...request, context: { type: "document", spaceId: "none" } }, 404, "no space none"],
          [{ ...request, context: { type: "elsewhere" } }, 400, "body.context.type: Expected"],
          [{ ...request, componentId: "" }, 400, "body.componentId: Expected at least 1 character"],
          [{ ...request, componentId: 1, props: [], state: "none" }, 400, "body.componentId: Expected string"],
          [{ props: {} }, 400, "body.componentId: Missing key"],
          [[], 400, "body: Expected object"],
          ["null", 400, "body: Expected object"],
          ["{", 400, "not valid JSON"],
          [deep, 400, "levels deep"],
          [new Uint8Array([0x22, 0xff, 0x22]), 400, "not valid UTF-8"]
        ]
        const url = `/v1/integrations/${name}/render`
        const admin = yield* tokenOf("admin")
        const sent: ReadonlyArray<readonly [string, string, unknown, number, string, Headers?]> = [
          ...cases.map(([body, status, text]) => [admin, url, body, status, text] as const),
          [admin, `/v1/integrations/${name.toUpperCase()}/render`, request, 200, "complete"],
          [admin, "/v1/integrations/nothing-there/render", request, 404, "no integration nothing-there"],
          [yield* tokenOf("read"), url, request, 200, "complete"],
          [yield* tokenOf("outsider"), url, request, 404, `no space ${space}`],
          [yield* tokenOf("admin", { scopes: ["space:review"] }), url, request, 403, "a token needs"],
          [yield* tokenOf("admin", { scopes: ["space:content:read"] }), url, request, 200, "complete"],
          ["nobody", url, request, 401, "needs a valid token"],
          ["nobody", url, "{", 400, "not valid JSON"],
          [admin, url, { ...request, props: { length: 5_000 } }, 200, "xxxxx", { "accept-encoding": "gzip" }]
        ]
        for (const [token, path, body, status, part, more] of sent) {
          const bytes = bytesOf(body)
          const answer = yield* send(path, headersFor(token, bytes, more), bytes)
          const text = String(more === undefined ? answer.text : gunzipSync(answer.text))
          assert.strictEqual(answer.status, status, text)
          assert.include(text, part)
          if (status === 200) assert.strictEqual(answer.headers["cache-control"], "no-store")
        }
      }).pipe(Effect.provideService(Compressors, { gzip: (bytes) => Promise.resolve(new Uint8Array(gzipSync(bytes))) }))
    )

    it.effect("are counted and told of like all others", () =>
      Effect.gen(function* () {
        const seen: Array<CompletedRequest> = []
        const send = yield* renders.pipe(
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
        for (let i = 0; i < 3; i++) statuses.push((yield* send(url, headers, body)).status)
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
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
