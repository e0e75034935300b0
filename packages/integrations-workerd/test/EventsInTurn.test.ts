/** Several events that a real `workerd` is given in one go: each is answered, bounded and given up by itself. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type EventResult, IntegrationRuntime, maxSubrequests } from "@lectern/core/integration/IntegrationRuntime"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { deliveriesOf, inTurn, program, seen } from "./InTurnSteps.ts"

/** A server on this machine, which these programs may reach, as the interface too. */
const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((_, answer) => answer.end("fine"))
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    return { server, port, url: `http://127.0.0.1:${port}/` }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

layer(WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"] }), { excludeTestServices: true })(
  "Events that a program is given in turn",
  (it) => {
    it.effect("come to what each comes to by itself, however it ends, and in their order", () =>
      Effect.gen(function* () {
        const events = [
          { says: "first" },
          { do: "later", says: "second" },
          { do: "throw", says: "third" },
          { status: 406 },
          { do: "stream" },
          { do: "later", status: 500 },
          { says: "x".repeat(100_000) }
        ]
        const { heard, failure } = yield* inTurn(program("alike"), [...events, { do: "told" }])
        assert.isUndefined(failure)
        assert.deepStrictEqual(seen(heard.pop()!).logs, [["info", "0,1,2,3,4,5,6,7"]])
        const { run } = yield* IntegrationRuntime
        const alone = yield* Effect.forEach(deliveriesOf(events), (delivery) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { status, trace } = yield* run(program("alone"), delivery)
              return { status, ...(yield* trace) }
            })
          )
        )
        assert.deepStrictEqual(heard.map(seen), alone.map(seen))
      })
    )

    it.effect("fail where they answer nothing, and are given to a classic script", () =>
      Effect.gen(function* () {
        const { heard } = yield* inTurn(program("nothing"), [{ do: "nothing" }, {}])
        assert.deepStrictEqual(
          heard.map(({ status }) => status),
          [500, 200]
        )
        const classic = yield* inTurn(program("classic", "v1"), [{}, {}])
        assert.deepStrictEqual(
          classic.heard.map((answer) => seen(answer).logs),
          [[["info", '{"n":0}']], [["info", '{"n":1}']]]
        )
      })
    )

    it.effect("go on behind one that nothing would ever answer", () =>
      Effect.gen(function* () {
        const wanted = program("never")
        const { heard, failure } = yield* inTurn(wanted, [{}, { do: "never", says: "here" }, {}])
        assert.isUndefined(failure)
        assert.deepStrictEqual(heard.map(seen), [
          { status: 200, exceededLimit: false, logs: [] },
          {
            status: 500,
            exceededLimit: false,
            logs: [
              ["info", "here 1"],
              ["error", "It would never answer"]
            ]
          }
        ])
        const after = yield* inTurn(wanted, [{}, { do: "told" }])
        assert.deepStrictEqual(seen(after.heard[1]!).logs, [["info", "0,1,0,1"]])
      })
    )

    it.effect("are over once all were heard, whatever a script does to keep the entry from its own answer", () =>
      Effect.gen(function* () {
        const { heard, failure } = yield* inTurn(program("keeps"), [{}, { do: "keep" }])
        assert.isUndefined(failure)
        assert.deepStrictEqual(
          heard.map(({ status }) => status),
          [200, 500]
        )
      })
    )

    it.effect("may each make as many requests as one, and none more", () =>
      Effect.gen(function* () {
        const { url } = yield* server
        const ask = (times: number) => ({ do: "ask", url, times })
        const events = [ask(maxSubrequests), ask(maxSubrequests), ask(maxSubrequests + 1)]
        const heard: Array<EventResult> = []
        // They may take longer than what is given in one go lasts.
        while (heard.length < events.length) {
          const next = yield* inTurn(program("asks"), events.slice(heard.length))
          assert.isUndefined(next.failure)
          heard.push(...next.heard)
        }
        assert.deepStrictEqual(
          heard.map(({ exceededLimit }) => exceededLimit),
          [false, false, true]
        )
      })
    )

    it.effect(
      "end behind one that changed something through the interface, since the next one's environment may have",
      () =>
        Effect.gen(function* () {
          const { url, port } = yield* server
          const api = { url: "http://interface.example/", at: { host: "127.0.0.1", port } }
          const ask = (url: string, method: string) => ({ do: "ask", url, method })
          const events = [ask(url, "POST"), ask(api.url, "GET"), ask(api.url, "PATCH"), {}, {}]
          const { heard, failure } = yield* inTurn(program("changes"), events).pipe(
            Effect.provide(WorkerdRuntime.layer({ api, allowedPrivateHosts: ["127.0.0.1"] }))
          )
          assert.isUndefined(failure)
          assert.strictEqual(heard.length, 3)
        })
    )
  }
)
