/** Answers that many ask for while the first one is made, as they do behind each write. */
import { MountedApp } from "@lectern/http/server/MountedApp"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { assert } from "@effect/vitest"
import { Clock, Effect, Latch, Queue } from "effect"
import { HttpServerResponse } from "effect/http"
import { onMemory } from "../Harness.ts"

/** Pages that are made once their latch is opened; `begun` has one for each that is. */
const pages = Effect.gen(function* () {
  const begun = yield* Queue.unbounded<Latch.Latch>()
  let number = 0
  const beside: MountedApp = {
    route: "page",
    select: ({ url }) => ({
      cacheKey: "",
      respond: Effect.gen(function* () {
        const latch = Latch.makeUnsafe(false)
        const text = `${url} ${++number}`
        yield* Queue.offer(begun, latch)
        yield* latch.await
        if (url.includes("clock")) yield* Clock.currentTimeMillis
        return HttpServerResponse.text(text)
      })
    }),
    renderError: (_request, response) => Effect.succeed(response),
    cacheHitListener: () => undefined
  }
  const app = yield* HttpApp.make.pipe(
    Effect.provideService(MountedApp, beside),
    Effect.provideService(ResponseCacheOptions, { bytes: 1_000_000 })
  )
  const fetch = yield* WebHandler.make(app)
  const ask = async (path: string, signal?: AbortSignal) => {
    const response = await fetch(new Request(`http://127.0.0.1:4000${path}`, { ...(signal && { signal }) }))
    return { text: await response.text(), id: response.headers.get("x-request-id") }
  }
  return { begun, ask }
})

onMemory("Answers that several wait for", (it) => {
  it.effect("are made once, and each has an id of its own", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* pages
      const asked = Array.from({ length: 20 }, () => ask("/a"))
      const latch = yield* Queue.take(begun)
      const other = ask("/b")
      ;(yield* Queue.take(begun)).openUnsafe()
      assert.strictEqual((yield* Effect.promise(() => other)).text, "/b 2")
      latch.openUnsafe()
      const answers = yield* Effect.promise(() => Promise.all(asked))
      assert.deepStrictEqual(new Set(answers.map(({ text }) => text)), new Set(["/a 1"]))
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 20)
    })
  )

  it.effect("are made by the next where whoever asked first has hung up", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* pages
      const hangUp = new AbortController()
      void ask("/a", hangUp.signal)
      yield* Queue.take(begun)
      const others = [ask("/a"), ask("/a")]
      hangUp.abort()
      ;(yield* Queue.take(begun)).openUnsafe()
      const answers = yield* Effect.promise(() => Promise.all(others))
      assert.deepStrictEqual(
        answers.map(({ text }) => text),
        ["/a 2", "/a 2"]
      )
    })
  )

  it.effect("are waited for once where they can't be kept, and no more", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* pages
      const asked = [ask("/clock"), ask("/clock"), ask("/clock")]
      ;(yield* Queue.take(begun)).openUnsafe()
      for (const latch of yield* Queue.takeBetween(begun, 2, 2)) latch.openUnsafe()
      yield* Effect.promise(() => Promise.all(asked))
      const again = [ask("/clock"), ask("/clock")]
      for (const latch of yield* Queue.takeBetween(begun, 2, 2)) latch.openUnsafe()
      const texts = (yield* Effect.promise(() => Promise.all(again))).map(({ text }) => text)
      assert.sameMembers(texts, ["/clock 4", "/clock 5"])
    })
  )
})
