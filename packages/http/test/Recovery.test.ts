/** Faults of our own once a request was answered: the client is told, and so is the log. */
import { MountedApp } from "@lectern/http/server/MountedApp"
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { assert } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { HttpServerResponse } from "effect/http"
import { onMemory } from "./Harness.ts"

const failing: MountedApp = {
  route: "beside",
  select: ({ url }) =>
    url.startsWith("/beside")
      ? { cacheKey: undefined, respond: Effect.succeed(HttpServerResponse.text("Here")) }
      : undefined,
  renderError: (_, response) => Effect.succeed(response),
  cacheHitListener: () => {
    throw new Error("Nobody can be told")
  }
}

onMemory("A fault behind an answer", (it) => {
  it.effect("is a 500 that names its request, which the log tells of", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const app = yield* Effect.provideService(HttpApp.make, MountedApp, failing)
      const logging = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
      const fetch = yield* Effect.provide(WebHandler.make(app), logging)
      const response = yield* Effect.promise(() => fetch(new Request("http://127.0.0.1:4000/beside/page?secret=1")))
      assert.strictEqual(response.status, 500)
      const { error } = (yield* Effect.promise(() => response.json())) as { error: { requestId?: string } }
      const [line, ...more] = lines.filter((one) => one.includes("A request failed"))
      assert.isEmpty(more)
      const logged = JSON.parse(line!)
      assert.include(line!, "Nobody can be told")
      assert.notInclude(line!, "secret=1")
      assert.strictEqual(logged.annotations.path, "/beside/page")
      assert.strictEqual(logged.annotations.request, error.requestId)
    })
  )
})
