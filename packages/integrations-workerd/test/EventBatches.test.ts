/** Events that a real `workerd` is asked for in one request: each is answered, bounded and given up by itself. */
import { IntegrationRuntime, maxLogs, type Program, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import type { PendingEvent } from "../src/EventResponse.ts"
import { EventBatches } from "../src/EventBatches.ts"
import type { BufferedBody } from "../src/BatchResponse.ts"
import { programOf } from "./ProgramSteps.ts"

/** Handles an event as `event.do` says. */
const script = `
class Own extends Response {}
const cookies = [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-own", "1"]];
const gigabyte = () => {
  const part = new Uint8Array(1024 * 1024);
  let left = 1024;
  return new ReadableStream({ pull: (controller) => { if (left-- > 0) controller.enqueue(part.slice()); else controller.close() } });
}
const endless = () => new ReadableStream({
  pull: async (controller) => { await scheduler.wait(20); controller.enqueue(new Uint8Array(1)) },
  cancel: () => { globalThis.cancelled = true }
})
const ways = {
  json: ({ event }) => Response.json({ event }, { status: 201 }),
  typed: () => Response.json([], { headers: { "content-type": "application/x-own" } }),
  cookies: () => new Response("größer", { headers: cookies }),
  bytes: () => new Response(new Uint8Array([1, 0, 255])),
  empty: () => new Response(null, { status: 204 }),
  own: () => new Own("own"),
  stream: () => new Response(new ReadableStream({ start: (controller) => { controller.enqueue(new TextEncoder().encode("a stream")); controller.close() } })),
  changed: () => { const answer = new Response("x"); answer.headers.set("x-changed", "1"); return answer },
  same: () => Response.json([new Response("").constructor === Response, Response.json(1) instanceof Response, Response.error() instanceof Response]),
  redirect: () => Response.redirect("https://example.com/", 303),
  text: async ({ before }) => new Response((await before.text()).replaceAll(/----lectern-[-\\w]+/g, "-")),
  again: async ({ before }) => new Response((await before.formData()).get("environment")),
  names: ({ request }) => new Response([...request.headers.keys()].filter((name) => name !== "content-length").join()),
  log: ({ event }) => { console.log("said", event.n); return new Response("said") },
  later: ({ event, ctx }) => {
    ctx.waitUntil(scheduler.wait(30).then(() => console.warn("later", event.n)));
    return new Response("soon")
  },
  throw: () => { throw new Error("no luck") },
  nothing: () => undefined,
  read: async () => { const answer = new Response("read"); await answer.text(); return answer },
  headers: () => new Response("long", { headers: { "x-long": "x".repeat(70_000) } }),
  shout: () => { for (let i = 0; i < 100_000; i++) console.log("line", i); return new Response("shouted") },
  gigabyte: () => new Response(gigabyte()),
  long: () => new Response("x".repeat(1_000)),
  large: () => new Response("x".repeat(900_000)),
  bad: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue("no bytes") })),
  failing: () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("no more")) })),
  endless: () => new Response(endless()),
  slow: async () => { await scheduler.wait(300); return new Response("slow") },
  never: () => new Promise(() => {}),
  loop: () => { for (;;) {} },
  heap: () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random())) },
  give: () => { globalThis.given = scheduler.wait(1).then(() => "given"); return new Response("gave") },
  take: async () => new Response(await globalThis.given),
  count: () => new Response(String(globalThis.count = (globalThis.count ?? 0) + 1)),
  cancelled: () => new Response(String(globalThis.cancelled)),
  spoil: () => { Array.prototype.join = () => "[0]"; return new Response("spoilt") }
}
export default { async fetch(request, env, ctx) {
  const before = request.clone()
  const event = JSON.parse((await request.formData()).get("event"))
  return ways[event.do]({ event, request, before, ctx })
} }`

const program = (name: string, text = script) => programOf(name, text)

type Way = string
const deliveryOf = (way: Way, n: number) => ({
  event: JSON.stringify({ do: way, n }),
  environment: `{"of":"${"ü".repeat(10)}"}`
})

const decoder = new TextDecoder()
const maxBytes = 1024 * 1024

/** All that came of an event; `order` notes when. */
const asked = Effect.fnUntraced(function* (wanted: Program, way: Way, n: number, limit: number, order?: Array<Way>) {
  const { runBuffered } = yield* IntegrationRuntime
  const result = yield* Effect.result(runBuffered!(wanted, deliveryOf(way, n), limit))
  order?.push(way)
  if (Result.isFailure(result)) {
    return result.failure instanceof RunFailed ? { failed: result.failure.reason } : assert.fail("Storage failed")
  }
  const { status, headers, body, trace } = result.success
  const { logs, exceededLimit } = yield* trace
  return {
    status,
    headers: headers.filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/.test(name)),
    body: body instanceof RunFailed ? { failed: body.reason } : decoder.decode(body),
    logs: logs.map(({ level, message }) => [level, message.split("\n")[0]]),
    exceededLimit
  }
})

const together = (wanted: Program, ways: ReadonlyArray<Way>, limit = maxBytes, order?: Array<Way>) =>
  Effect.forEach(ways, (way, n) => asked(wanted, way, n, limit, order), { concurrency: "unbounded" })

const bodies = (answers: ReadonlyArray<Effect.Success<ReturnType<typeof asked>>>) =>
  answers.map((answer) => ("failed" in answer ? { failed: answer.failed } : answer.body))

describe("Events of one turn", () => {
  it("are asked for as soon as there are eight, so that the program works while more come, and at its end", async () => {
    const sent: Array<number> = []
    const nothing = () => {}
    const events = new EventBatches("id", {
      sendOne: () => sent.push(1),
      send: (_, headers) => sent.push(headers.split(",").length),
      probe: nothing,
      fail: nothing,
      spoilt: nothing
    })
    for (let number = 0; number < 10; number++) {
      const event = {} as PendingEvent<BufferedBody>
      events.add({ number, event, delivery: deliveryOf("count", number), maxBytes, timeout: 1_000 })
    }
    assert.deepStrictEqual(sent, [8])
    await new Promise(setImmediate)
    assert.deepStrictEqual(sent, [8, 2])
  })
})

layer(WorkerdRuntime.layer(), { excludeTestServices: true })("Events that a program is asked for together", (it) => {
  it.effect("share a request", () =>
    Effect.gen(function* () {
      // What one request waits for is nothing that another can wait for.
      assert.deepStrictEqual(bodies(yield* together(program("shared"), ["give", "take"])), ["gave", "given"])
    })
  )

  it.effect("come to what each comes to by itself", () =>
    Effect.gen(function* () {
      const ways = [
        "json",
        "typed",
        "cookies",
        "bytes",
        "empty",
        "own",
        "stream",
        "changed",
        "same",
        "redirect",
        "text",
        "again",
        "names",
        "log",
        "later",
        "throw",
        "bad",
        "json"
      ]
      const alone = yield* Effect.forEach(ways, (way, n) => asked(program("alone"), way, n, maxBytes))
      const answers = yield* together(program("alike"), ways)
      for (const [n, way] of ways.entries()) assert.deepStrictEqual(answers[n], alone[n], way)
      assert.deepStrictEqual(bodies(answers)[ways.indexOf("bad")], { failed: "crashed" })
      // By itself, one that fails before its answer has begun ends its process.
      assert.deepStrictEqual(bodies(yield* together(program("alike"), ["failing", "json"])), [
        { failed: "crashed" },
        '{"event":{"do":"json","n":1}}'
      ])
    })
  )

  it.effect("are given to a classic script", () =>
    Effect.gen(function* () {
      const classic: Program = {
        ...program("classic"),
        runtime: "v1",
        script: Effect.succeed(
          `addEventListener("fetch", (event) => event.respondWith((async () => {
             const { n } = JSON.parse((await event.request.formData()).get("event"));
             console.log("classic", n);
             return new Response("classic " + n)
           })()))`
        )
      }
      const answers = yield* together(classic, ["", ""])
      assert.deepStrictEqual(bodies(answers), ["classic 0", "classic 1"])
      assert.deepStrictEqual(
        answers.map((answer) => "failed" in answer || answer.logs),
        [[["info", "classic 0"]], [["info", "classic 1"]]]
      )
    })
  )

  it.effect("are more than one request takes, and of different programs", () =>
    Effect.gen(function* () {
      const counted = Effect.map(
        together(
          program("many"),
          Array.from({ length: 70 }, () => "count")
        ),
        bodies
      )
      const [one, other] = yield* Effect.all([counted, together(program("other"), ["count", "json"])], {
        concurrency: "unbounded"
      })
      assert.sameMembers(
        one.map((body) => Number(body)),
        Array.from({ length: 70 }, (_, i) => i + 1)
      )
      assert.deepStrictEqual(bodies(other), ["1", '{"event":{"do":"json","n":1}}'])
    })
  )

  it.effect("wait for none of each other, whether it is slow or will never answer", () =>
    Effect.gen(function* () {
      const order: Array<Way> = []
      const ways = ["slow", "never", "json", "count"]
      const answers = yield* together(program("waits"), ways, maxBytes, order)
      assert.deepStrictEqual(order, ["json", "count", "slow", "never"])
      assert.deepStrictEqual(bodies(answers), ["slow", "", '{"event":{"do":"json","n":2}}', "1"])
      const [, never] = answers as [unknown, { readonly status: number; readonly logs: unknown }]
      assert.deepStrictEqual([never.status, never.logs], [500, [["error", "It would never answer"]]])
      // All of them may be of that kind, and the process is still the one that it was.
      const none = yield* together(program("waits"), ["never", "never"])
      assert.deepStrictEqual(bodies(none), ["", ""])
      assert.deepStrictEqual(bodies(yield* together(program("waits"), ["count", "count"])), ["2", "3"])
    })
  )

  it.effect("fail alone where one answers what is none, what is too long, or a gigabyte", () =>
    Effect.gen(function* () {
      const wanted = program("long")
      const ways = ["count", "long", "nothing", "read", "headers", "gigabyte", "count"]
      const answers = yield* together(wanted, ways, 500)
      assert.deepStrictEqual(bodies(answers), ["1", { failed: "too-large" }, "", "", "", { failed: "too-large" }, "2"])
      for (const [at, says] of [
        [2, /no response/],
        [3, /./],
        [4, /headers are too long/]
      ] as const) {
        const answer = answers[at]!
        if ("failed" in answer) return assert.fail(answer.failed)
        assert.strictEqual(answer.status, 500)
        assert.match(answer.logs.flat().join(), says)
      }
      const large = yield* together(wanted, ["large", "large", "large", "count"])
      assert.deepStrictEqual(
        bodies(large).map((body) => String(body).length),
        [900_000, 900_000, 900_000, 1]
      )
      assert.deepStrictEqual(bodies(yield* together(wanted, ["count", "count"])), ["4", "5"])
    })
  )

  it.effect("are bounded each in what they log", () =>
    Effect.gen(function* () {
      const answers = yield* together(program("shouts"), ["shout", "log", "count", "shout"])
      assert.deepStrictEqual(
        answers.map((answer) => "failed" in answer || [answer.exceededLimit, answer.logs.length]),
        [
          [true, maxLogs + 1],
          [false, 1],
          [false, 0],
          [true, maxLogs + 1]
        ]
      )
      assert.deepStrictEqual(bodies(yield* together(program("shouts"), ["count", "count"])), ["2", "3"])
    })
  )

  it.effect("go on where one is given up by whoever asked", () =>
    Effect.gen(function* () {
      const wanted = program("given-up")
      const [fiber, ...others] = yield* Effect.forEach(["slow", "count", "slow"], (way, n) =>
        Effect.forkChild(asked(wanted, way, n, maxBytes), { startImmediately: true })
      )
      yield* Fiber.interrupt(fiber!)
      assert.deepStrictEqual(bodies(yield* Effect.forEach(others, Fiber.join)), ["1", "slow"])
    })
  )

  it.effect("all fail where one ends the process, which is to blame for none of them", () =>
    Effect.gen(function* () {
      const wanted = program("crashes")
      assert.deepStrictEqual(bodies(yield* together(wanted, ["heap", "slow"])), [
        { failed: "crashed" },
        { failed: "crashed" }
      ])
      assert.deepStrictEqual(bodies(yield* together(wanted, ["count", "count"])), ["1", "2"])
    })
  )

  it.effect("all fail where a script has spoilt what they are answered with", () =>
    Effect.gen(function* () {
      const wanted = program("spoils")
      assert.deepStrictEqual(bodies(yield* together(wanted, ["spoil", "count"])), [
        { failed: "crashed" },
        { failed: "crashed" }
      ])
      assert.deepStrictEqual(bodies(yield* together(wanted, ["count", "count"])), ["1", "2"])
    })
  )
})

layer(WorkerdRuntime.layer({ responseTimeout: { seconds: 2 } }), { excludeTestServices: true })(
  "Events that a program is asked for together, of which one takes too long",
  (it) => {
    it.effect("fail together where it stops the process, and it alone is blamed", () =>
      Effect.gen(function* () {
        const wanted = program("hangs")
        const answers = yield* together(wanted, ["loop", "slow", "slow"])
        assert.deepStrictEqual(bodies(answers), [{ failed: "timed-out" }, { failed: "crashed" }, { failed: "crashed" }])
        assert.deepStrictEqual(bodies(yield* together(wanted, ["count", "count"])), ["1", "2"])
      })
    )

    it.effect("are answered where its body never ends, which is given up", () =>
      Effect.gen(function* () {
        const wanted = program("endless")
        const order: Array<Way> = []
        const answers = yield* together(wanted, ["endless", "count"], maxBytes, order)
        assert.deepStrictEqual(order, ["count", "endless"])
        assert.deepStrictEqual(bodies(answers), [{ failed: "timed-out" }, "1"])
        assert.deepStrictEqual(bodies(yield* together(wanted, ["cancelled", "count"])), ["true", "2"])
      })
    )
  }
)
