import { once } from "node:events"
import { request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Listener from "../src/Listener.ts"

describe("Listener", () => {
  it.live("ends at once where there never is an application, whoever waits for one", () =>
    Effect.gen(function* () {
      let hungUp: Promise<unknown> = Promise.resolve()
      const started = Effect.gen(function* () {
        const { port } = yield* Listener.make({ host: "127.0.0.1", port: 0 })
        const waiting = request({ port, host: "127.0.0.1", headers: { expect: "100-continue" } })
        hungUp = once(waiting, "error")
        waiting.flushHeaders()
        // The server says this when it has the request.
        yield* Effect.promise(() => once(waiting, "continue"))
        return yield* Effect.die("the data can't be opened")
      })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Effect.scoped(started))))
      yield* Effect.promise(() => hungUp)
    })
  )

  it.live("keeps connections for longer than the proxies in front of it do", () =>
    Effect.gen(function* () {
      const { port, serve } = yield* Listener.make({ host: "127.0.0.1", port: 0 })
      yield* serve(Effect.succeed(HttpServerResponse.empty()))
      const { headers } = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`))
      assert.isAbove(Number(/^timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1]), 60)
    }).pipe(Effect.scoped)
  )
})
