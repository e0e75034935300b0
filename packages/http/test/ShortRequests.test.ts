/** Which requests are answered ahead of the rest. What is answered is the same either way: the harness takes both. */
import { assert, describe, it } from "@effect/vitest"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { MountedApp } from "@lectern/http/server/MountedApp"
import * as RequestBody from "@lectern/http/server/RequestBody"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { onMemory } from "./Harness.ts"

const usual = {
  method: "PATCH",
  url: "/v1/spaces/space",
  headers: { host: "127.0.0.1", "content-type": "application/json", "content-length": "20" } as Record<
    string,
    string | undefined
  >
}

const withHeaders = (headers: Record<string, string | undefined>) => ({
  ...usual,
  headers: { ...usual.headers, ...headers }
})

describe("Short requests", () => {
  for (const asked of [
    usual,
    { ...usual, method: "DELETE" },
    { ...withHeaders({ "content-length": undefined }), method: "GET" },
    withHeaders({ "content-length": undefined, "content-type": undefined }),
    withHeaders({ "content-length": "0" }),
    withHeaders({ "content-length": "65536" }),
    withHeaders({ "content-type": "text/plain" })
  ]) {
    it(`are ${asked.method} ${JSON.stringify(asked.headers)}`, () => assert.isTrue(RequestBody.isShort(asked)))
  }

  for (const asked of [
    { ...usual, method: "GET" },
    { ...usual, url: "/openapi.json" },
    { ...usual, method: "HEAD" },
    { ...usual, method: "OPTIONS" },
    { ...usual, url: undefined },
    { ...usual, method: "POST", url: "/saml/provider/acs" },
    { ...usual, method: "PUT", url: "/v1/orgs/organization/storage/uploads/upload" },
    withHeaders({ host: undefined }),
    withHeaders({ "content-length": "65537" }),
    withHeaders({ "content-length": "99999999999999999999" }),
    withHeaders({ "content-length": undefined, "transfer-encoding": "chunked" }),
    withHeaders({ expect: "100-continue" }),
    withHeaders({ upgrade: "websocket" })
  ]) {
    it(`are not ${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}`, () =>
      assert.isFalse(RequestBody.isShort(asked)))
  }
})

onMemory("Short requests of the application", (it) => {
  const ways = Effect.map(
    HttpApp.make,
    ({ handleShort: short }) =>
      (asked: typeof usual) =>
        short(asked, {}, () => undefined) !== undefined
  )

  it.effect("are those of operations", () =>
    Effect.gen(function* () {
      const isAhead = yield* ways
      assert.isTrue(isAhead(usual))
      assert.isFalse(isAhead({ ...usual, url: "/v1/nothing" }))
      assert.isFalse(isAhead({ ...usual, method: "PUT" }))
    })
  )

  it.effect("are none of what stands beside the interface", () =>
    Effect.gen(function* () {
      const isAhead = yield* ways
      assert.isFalse(isAhead(usual))
    }).pipe(
      Effect.provideService(MountedApp, {
        route: "site",
        handle: () => Effect.succeed(HttpServerResponse.text("a page")),
        renderError: (_, response) => Effect.succeed(response),
        cacheKeyOf: () => undefined,
        cacheHitListener: () => undefined
      })
    )
  )
})
