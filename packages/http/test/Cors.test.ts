/** Which pages of other origins a browser lets read what is answered. */
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { CorsOrigins, openOperations } from "@lectern/http/server/Cors"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { visit } from "./AudienceSites.ts"
import { endpoints } from "./Endpoints.ts"
import { Harness, has, onMemory, refused } from "./Harness.ts"

const origin = "https://app.example.com"
const preflight = (method: string, from = origin) => ({
  origin: from,
  "access-control-request-method": method,
  "access-control-request-headers": "authorization,if-none-match"
})

/** The application with these origins named, over the services around it. */
const serving = Effect.fnUntraced(function* (origins: ReadonlyArray<string>) {
  const app = yield* Effect.provideService(HttpApp.make, CorsOrigins, origins)
  const fetch = yield* WebHandler.make(app)
  return (method: string, path: string, headers: Record<string, string>) =>
    Effect.promise(() => fetch(new Request(`http://127.0.0.1:4000${path}`, { method, headers })))
})

onMemory("CORS", (it) => {
  it.effect("lets pages of any origin read what a visitor may, and files behind signed URLs", () =>
    Effect.gen(function* () {
      const { call, send } = yield* Harness
      const site = yield* visit("public")
      const path = `/v1/spaces/${site.space}/content/pages`
      const answer = yield* call({ token: site.apiToken }, "GET", path, undefined, { origin }).pipe(has(200))
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      assert.include(answer.headers.get("access-control-expose-headers") ?? "", "ETag")
      assert.include(answer.headers.get("access-control-expose-headers") ?? "", "X-Request-Id")
      assert.isNull(answer.headers.get("access-control-allow-credentials"))
      assert.include(answer.headers.get("vary") ?? "", "Origin")
      for (const name of openOperations) {
        const { segments } = endpoints.find((endpoint) => endpoint.name === name)!
        const address = segments.map((segment) => (segment.startsWith(":") ? "x" : segment)).join("/")
        const { headers } = yield* send(address, { method: "OPTIONS", headers: preflight("GET") }).pipe(has(204))
        assert.strictEqual(headers.get("access-control-allow-origin"), "*", name)
        assert.strictEqual(headers.get("access-control-allow-methods"), "GET, HEAD", name)
        assert.match(headers.get("access-control-allow-headers") ?? "", /Authorization.*If-None-Match/)
        assert.strictEqual(headers.get("access-control-max-age"), "600")
        // A refusal can be read as well.
        const refusal = yield* send(address, { method: "GET", headers: { origin } })
        assert.isAtLeast(refusal.status, 400)
        assert.strictEqual(refusal.headers.get("access-control-allow-origin"), "*", name)
      }
    })
  )

  it.effect("lets them neither write nor read anything else, unless the operator says so", () =>
    Effect.gen(function* () {
      const { call, organization, send } = yield* Harness
      for (const [method, path] of [
        ["GET", `/v1/orgs/${organization}/members`],
        ["PATCH", "/v1/spaces/x"],
        ["POST", "/v1/urls/published"]
      ] as const) {
        const { headers } = yield* send(path, { method: "OPTIONS", headers: preflight(method) }).pipe(has(405))
        assert.isNull(headers.get("access-control-allow-origin"))
      }
      const members = yield* call("admin", "GET", `/v1/orgs/${organization}/members`, undefined, { origin }).pipe(
        has(200)
      )
      assert.isNull(members.headers.get("access-control-allow-origin"))
      // What is no preflight, or for nothing that is there, is answered as ever.
      yield* send("/v1/spaces/x", { method: "OPTIONS", headers: { origin } }).pipe(refused(405))
      yield* send("/v1/nothing", { method: "OPTIONS", headers: preflight("GET") }).pipe(refused(404))
    })
  )

  it.effect("lets those origins in that the operator names, and tells each of itself alone", () =>
    Effect.gen(function* () {
      const ask = yield* serving([origin, "https://other.example.com"])
      const path = "/v1/orgs/x/members"
      const granted = yield* ask("OPTIONS", "/v1/spaces/x", preflight("PATCH"))
      assert.strictEqual(granted.status, 204)
      assert.strictEqual(granted.headers.get("access-control-allow-origin"), origin)
      assert.strictEqual(granted.headers.get("access-control-allow-methods"), "GET, PATCH, DELETE, HEAD")
      assert.include(granted.headers.get("vary") ?? "", "Origin")
      const unauthorized = yield* ask("GET", path, { origin })
      assert.strictEqual(unauthorized.status, 401)
      assert.strictEqual(unauthorized.headers.get("access-control-allow-origin"), origin)
      for (const from of ["https://app.example.com.evil.com", "http://app.example.com", "null", ""]) {
        assert.isNull((yield* ask("GET", path, { origin: from })).headers.get("access-control-allow-origin"))
        assert.strictEqual((yield* ask("OPTIONS", path, preflight("GET", from))).status, 405)
      }
    })
  )

  it.effect("lets all of them in where the operator says *", () =>
    Effect.gen(function* () {
      const ask = yield* serving(["*"])
      const answer = yield* ask("GET", "/v1/orgs/x/members", { origin })
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual((yield* ask("OPTIONS", "/v1/spaces/x", preflight("DELETE"))).status, 204)
    })
  )
})
