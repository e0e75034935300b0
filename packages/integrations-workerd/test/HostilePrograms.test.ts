/** Programs that ask for too much, in a real `workerd`: each ends with a reason, and the next event is answered. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  IntegrationRuntime,
  maxResponseBytes,
  maxSubrequests,
  type Program,
  RunFailed,
  bufferedRun
} from "@lectern/core/integration/IntegrationRuntime"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"
import { delivery, eachWay, saidWell, script, setAnew } from "./SpoilingPrograms.ts"

const program = (name: string, body: string) =>
  programOf(
    name,
    `export default { async fetch(request) { const form = await request.formData(); const event = JSON.parse(form.get("event")); ${body} } }`
  )

const run = Effect.fnUntraced(function* (wanted: Program, event: unknown = {}) {
  const runtime = yield* IntegrationRuntime
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const answer = yield* runtime.run(wanted, { event: JSON.stringify(event), environment: "{}" })
      let size = 0
      let text = ""
      yield* Stream.runForEach(answer.body, (chunk) =>
        Effect.sync(() => {
          size += chunk.byteLength
          if (text.length < 1000) text += new TextDecoder().decode(chunk)
        })
      )
      return { status: answer.status, size, text, ...(yield* answer.trace) }
    })
  )
})

/** A server on this machine, which these programs may reach. */
const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const asked: Array<string> = []
    const server = createServer((request, answer) => {
      asked.push(request.url ?? "")
      if (request.url === "/loop") answer.writeHead(302, { location: "/loop" }).end()
      else if (request.url === "/headers") answer.end(Object.keys(request.headers).join())
      else answer.end("fine")
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

layer(WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"], responseTimeout: { minutes: 5 } }), {
  excludeTestServices: true
})("Programs that ask for too much", (it) => {
  it.effect("make no more requests for one event than they may, and as many again for the next", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* server
      const many = program(
        "many",
        `let fine = 0, refused = 0;
         for (let i = 0; i < event.times; i += 100) {
           const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(event.url).then(async (r) => [r.status, await r.text()], () => [0])));
           for (const [status] of answers) { if (status === 200) fine++; else refused++; }
         }
         return Response.json({ fine, refused })`
      )
      for (const times of [10_000, 100]) {
        const { text } = yield* run(many, { url, times })
        assert.deepStrictEqual(JSON.parse(text), { fine: maxSubrequests, refused: times - maxSubrequests })
      }
      assert.strictEqual(asked.length, 2 * maxSubrequests)
    })
  )

  it.effect("leave each event at the same time the requests of its own, wherever those are led to", () =>
    Effect.gen(function* () {
      const { url } = yield* server
      const storming = program(
        "storms",
        `const ask = async (url) => { try { const r = await fetch(url); await r.text(); return r.status === 200 } catch { return false } };
         const asked = [];
         for (let i = 0; i < event.times; i += 50) asked.push(...await Promise.all(Array.from({ length: 50 }, () => ask(event.url))));
         if (event.waits) { await scheduler.wait(event.waits); for (let i = 0; i < ${maxSubrequests}; i++) asked.push(await ask(event.url)) }
         return new Response(String(asked.filter((fine) => fine).length))`
      )
      const storms = [run(storming, { url, times: 500 }), run(storming, { url: `${url}/loop`, times: 500 })]
      const quiet = run(storming, { url, times: 0, waits: 200 })
      const answers = yield* Effect.all([...storms, quiet], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ text, exceededLimit }) => [text, exceededLimit]),
        [
          [String(maxSubrequests), true],
          ["0", true],
          [String(maxSubrequests), false]
        ]
      )
      const told = yield* run(program("told", `return await fetch(event.url)`), { url: `${url}/headers` })
      assert.notInclude(told.text, "x-lectern")
    })
  )

  it.effect("leave each event its requests where another opens what can carry no header", () =>
    Effect.gen(function* () {
      const { url } = yield* server
      const opening = program(
        "opens",
        `await scheduler.wait(event.after);
         for (let i = 0; i < event.opens; i++) { new EventSource(event.url + "/source"); new WebSocket(event.url.replace("http", "ws") + "/socket?" + i) }
         await scheduler.wait(event.waits);
         let fine = 0; for (let i = 0; i < ${maxSubrequests}; i++) { const answer = await fetch(event.url); await answer.text(); if (answer.status === 200) fine++ }
         return new Response(String(fine))`
      )
      const answers = yield* Effect.all(
        [
          run(opening, { url, after: 0, opens: 0, waits: 600 }),
          run(opening, { url, after: 100, opens: 20, waits: 500 }),
          run(opening, { url, after: 100, opens: 10, waits: 500 })
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ text }) => Number(text)),
        [maxSubrequests, maxSubrequests - 40, maxSubrequests - 20]
      )
    })
  )

  it.effect("go in no circle of redirects for ever", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* server
      const loop = program("circle", `const r = await fetch(event.url); return new Response(String(r.status))`)
      const answer = yield* run(loop, { url: `${url}/loop` })
      assert.strictEqual(answer.status, 500)
      assert.isNotEmpty(answer.logs)
      assert.isAtMost(asked.length, maxSubrequests)
      assert.strictEqual((yield* run(loop, { url })).text, "200")
    })
  )

  it.effect("answer no gigabyte", () =>
    Effect.gen(function* () {
      const large = program(
        "large",
        `if (event.type !== "large") return new Response("fine");
         const part = new Uint8Array(1024 * 1024); let left = 1024;
         return new Response(new ReadableStream({ pull: (controller) => { if (left-- > 0) controller.enqueue(part.slice()); else controller.close() } }))`
      )
      const failure = yield* Effect.flip(run(large, { type: "large" }))
      assert.strictEqual(failure._tag === "RunFailed" && failure.reason, "too-large")
      assert.include(failure.message, `${maxResponseBytes / 1024 / 1024} MiB`)
      assert.strictEqual((yield* run(large)).text, "fine")
    })
  )

  it.effect("answer with no head of a megabyte, which ends nothing else that they do", () =>
    Effect.gen(function* () {
      const heads = program(
        "heads",
        `if (event.waits) { await scheduler.wait(300); return new Response("fine") }
         const headers = {}; for (let i = 0; i < event.many; i++) headers["x-" + i] = "a".repeat(1000); return new Response("large", { headers })`
      )
      const large = (many: number) =>
        run(heads, { many }).pipe(
          Effect.map(({ status, logs }) => `${status} ${logs.map(({ message }) => message).join()}`),
          Effect.catch((failure) => Effect.succeed(failure.message))
        )
      const [waited, ...failures] = yield* Effect.all(
        [Effect.map(run(heads, { waits: true }), ({ text }) => text), large(70), large(1000)],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(waited, "fine")
      for (const failure of failures) assert.match(failure, /headers/)
      assert.strictEqual((yield* run(heads, { many: 60 })).text, "large")
    })
  )

  it.effect("say that a tunnel is gone where nobody listens at its other end", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(server)
      const developed = { ...program("developed", `return new Response("published")`), tunnelUrl: url }
      const failure = yield* Effect.flip(run(developed))
      assert.strictEqual(failure._tag === "RunFailed" && failure.reason, "unreachable")
      assert.match(failure.message, /tunnel can't be reached/)
    })
  )
})

/** Parts of the language that a program spoils, so that the entry can't go on. */
const spoilt = {
  iterator: `Array.prototype[Symbol.iterator] = () => { throw new Error("mine") }`,
  map: `Array.prototype.map = () => { throw new Error("mine") }`,
  thenable: `Object.prototype.then = () => {}`,
  prototype: `Object.prototype.toJSON = () => "mine"`
}

/** Parts of the language that lines are written with, each spoilt in a program's own way. */
const spoiltLines = {
  iterator: spoilt.iterator,
  next: `Object.getPrototypeOf([][Symbol.iterator]()).next = () => { throw new Error("mine") }`,
  pop: `Object.defineProperty(Array.prototype, "pop", { get: () => () => "mine", configurable: true })`,
  none: `delete Array.prototype.pop`
}

/** Answers that can't be given, and what is said of them. */
const ungivable = {
  websocket: [
    "const [near] = Object.values(new WebSocketPair()); return new Response(null, { status: 101, webSocket: near })",
    /WebSocket/
  ],
  nothing: ["return undefined", /no response/],
  proxy: ["return new Proxy(new Response(), {})", /no response/],
  error: ["return Response.error()", /no response/],
  read: ["const answer = new Response('x'); await answer.text(); return answer", /already read/],
  locked: ["const answer = new Response('x'); answer.body.getReader(); return answer", /already read/],
  never: ["return new Promise(() => {})", /would never answer/],
  unsayable: [
    "throw { get stack() { throw new Error('mine') }, toString() { throw new Error('mine') } }",
    /can't be written/
  ]
} as const

layer(WorkerdRuntime.layer({ responseTimeout: { minutes: 1 } }), { excludeTestServices: true })(
  "Programs that change what their answers are given with",
  (it) => {
    for (const [name, change] of Object.entries(setAnew)) {
      it.effect(`are answered, and what they log is known, where they set ${name} anew as they are loaded`, () =>
        Effect.gen(function* () {
          const answers = yield* eachWay(`${name}-top`, script(change, ""), "one")
          assert.deepStrictEqual(answers, saidWell)
        })
      )
    }

    it.effect("have answers of their own, or failed events that say why", () =>
      Effect.gen(function* () {
        let count = 0
        for (const [name, change] of Object.entries(spoilt)) {
          const answers = yield* eachWay(`spoilt-${name}`, script(`${change}; log = () => {}`, ""), "apart")
          for (const [is, said] of answers) {
            if (is === 200) continue
            count++
            assert.strictEqual(is, "crashed", name)
            assert.match(String(said), /The program has changed built-in objects/, name)
          }
        }
        assert.isAbove(count, 4)
      })
    )

    /** One event by itself, and what comes of it once the program is done with it. */
    const once = Effect.fnUntraced(function* (name: string, top: string, within: string) {
      const text = script(top, within).replace("(request)", "(request, env, context)")
      return yield* run(programOf(name.toLowerCase(), text)).pipe(
        Effect.map(({ status, logs }) => [status, ...logs.map(({ message }) => message)]),
        Effect.catch((failure) => Effect.succeed(["failed", failure.message]))
      )
    })

    it.effect(
      "are done as soon as they say so, and what they log is known, where they spoil what lines are made with",
      () =>
        Effect.gen(function* () {
          for (const [name, change] of Object.entries(spoiltLines)) {
            assert.deepStrictEqual(yield* once(`lines-${name}`, change, ""), [200, "said"])
            const waiting = `context.waitUntil(new Promise((done) => setTimeout(done, 1)).then(() => log("behind"))); ${change}`
            assert.deepStrictEqual(yield* once(`lines-${name}-behind`, "", waiting), [200, "said", "behind"])
          }
        })
    )

    it.effect("fail at once where nothing of what they log could be known", () =>
      Effect.gen(function* () {
        const kept = `Object.defineProperty(Array.prototype, Symbol.iterator, { value: () => {}, writable: false, configurable: false })`
        const [is, said] = yield* once("lines-kept", kept, "")
        assert.strictEqual(is, "failed")
        assert.match(String(said), /The program has changed built-in objects/)
      })
    )

    it.effect("fail with a reason where what they answer can't be given, whichever way they are asked", () =>
      Effect.gen(function* () {
        for (const [name, [body, says]] of Object.entries(ungivable)) {
          const answers = yield* eachWay(`ungivable-${name}`, `export default { async fetch() { ${body} } }`, "one")
          for (const [status, text, log] of answers) {
            assert.deepStrictEqual([status, text], [500, ""], name)
            assert.match(String(log), says, name)
          }
        }
      })
    )

    it.effect("answer with what they fetched as it came, and with nothing of ours", () =>
      Effect.gen(function* () {
        const { url } = yield* server
        const runtime = yield* IntegrationRuntime
        const passing = programOf(
          "passes-on",
          `export default { fetch: () => fetch("${url}/headers", { headers: { "x-own": "1" } }) }`
        )
        const { status, headers, body } = yield* bufferedRun({ run: runtime.run })(passing, delivery, 1024)
        assert.strictEqual(status, 200)
        assert.notInclude(headers.flat().join(), "x-lectern")
        assert.isFalse(body instanceof RunFailed)
      }).pipe(Effect.provide(WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"] })))
    )
  }
)

layer(WorkerdRuntime.layer({ responseTimeout: { seconds: 1 } }), { excludeTestServices: true })(
  "Programs whose answer never ends",
  (it) => {
    it.effect("are waited for no longer than one that never begins", () =>
      Effect.gen(function* () {
        const endless = program(
          "endless",
          `const pull = async (controller) => { await new Promise((done) => setTimeout(done, 20)); controller.enqueue(new Uint8Array(1)); };
           return new Response(new ReadableStream({ pull }))`
        )
        const runtime = yield* IntegrationRuntime
        const { body } = yield* Effect.catch(
          bufferedRun(runtime)(endless, { event: "{}", environment: "{}" }, 1024 * 1024),
          (body) => Effect.succeed({ body })
        )
        if (!(body instanceof RunFailed)) return assert.fail("it ended")
        assert.strictEqual(body.reason, "timed-out")
      })
    )
  }
)
