/** Programs of strangers in a real `workerd`: what they answer, log and reach, and what they may not. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { IntegrationRuntime, type Program, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import type { RunLog } from "@lectern/core/integration/RunLog"
import type { StorageError } from "@lectern/core/storage/Storage"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, References, Stream } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"

const opened = new Set<Server>()

/** A server on loopback that no program may reach, and how often it was asked. */
const secretServer = Effect.promise(async () => {
  let asked = 0
  const server = createServer((_, answer) => {
    asked++
    answer.end("secret")
  })
  opened.add(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return { server, port: (server.address() as AddressInfo).port, asked: () => asked }
})

const program = (name: string, body: string, runtime: "v1" | "v2" = "v2", version = 1) =>
  programOf(
    name,
    runtime === "v2"
      ? `export default { async fetch(request, env, ctx) { const form = await request.formData(); const event = JSON.parse(form.get("event")); ${body} } }`
      : body,
    { runtime, version }
  )

const run = Effect.fnUntraced(function* (wanted: Program, event: unknown = {}, body?: Uint8Array) {
  const runtime = yield* IntegrationRuntime
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const delivery = { event: JSON.stringify(event), environment: "{}", ...(body && { body }) }
      const answer = yield* runtime.run(wanted, delivery)
      const text = yield* Stream.mkString(Stream.decodeText(answer.body))
      return { ...answer, text, ...(yield* answer.trace) }
    })
  )
})

layer(WorkerdRuntime.layer({ maxProcesses: 3, responseTimeout: { minutes: 1 } }), { excludeTestServices: true })(
  "WorkerdRuntime",
  (it) => {
    it.effect("gives a module its event, and keeps what it logs behind its answer too", () =>
      Effect.gen(function* () {
        const wanted = program(
          "logs",
          `console.log("seen", event); ctx.waitUntil((async () => { await scheduler.wait(50); console.error("later") })());
         const sent = form.get("fetch-body"); return new Response("fine " + (sent ? await sent.text() : ""), { status: 202, headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-env", String(Object.keys(env))]] })`
        )
        const answer = yield* run(wanted, { type: "task" }, new TextEncoder().encode("body"))
        assert.strictEqual(answer.status, 202)
        assert.strictEqual(answer.text, "fine body")
        assert.deepStrictEqual(
          answer.headers.filter(([name]) => name === "set-cookie").map(([, value]) => value),
          ["a=1", "b=2"]
        )
        assert.deepStrictEqual(
          answer.logs.map(({ level, message }) => [level, message]),
          [
            ["info", 'seen {"type":"task"}'],
            ["error", "later"]
          ]
        )
        assert.notInclude(
          answer.headers.map(([name]) => name),
          "x-lectern-run"
        )
      })
    )

    it.effect("keeps what fails where nobody waits for it, each with the event that it belongs to", () =>
      Effect.gen(function* () {
        const wanted = program(
          "fails-apart",
          `ctx.waitUntil((async () => { await scheduler.wait(20); throw new Error("behind " + event.n) })());
           setTimeout((...given) => { throw new Error("timed " + given) }, 5, event.n, "given");
           queueMicrotask(() => { throw new Error("soon " + event.n) });
           setTimeout(() => { throw new Error("timed behind " + event.n) }, 18);
           (async () => { await scheduler.wait(10); throw new Error("unhandled " + event.n) })();
           const handled = Promise.reject(new Error("handled")); handled.catch(() => {});
           await scheduler.wait(15); return new Response("fine")`
        )
        const answers = yield* Effect.all([run(wanted, { n: 1 }), run(wanted, { n: 2 })], { concurrency: "unbounded" })
        for (const [i, { text, logs }] of answers.entries()) {
          assert.strictEqual(text, "fine")
          assert.deepStrictEqual(
            logs.map(({ level, message }) => [level, message.split("\n")[0]]),
            [
              ["error", `Error: soon ${i + 1}`],
              ["error", `Error: timed ${i + 1},given`],
              ["error", `Error: unhandled ${i + 1}`],
              ["error", `Error: timed behind ${i + 1}`],
              ["error", `Error: behind ${i + 1}`]
            ]
          )
        }
      })
    )

    it.effect("knows by its own word alone that a script is done", () =>
      Effect.gen(function* () {
        const wanted = program(
          "done",
          `if (event.later) ctx.waitUntil((async () => { await scheduler.wait(50); console.log("later") })());
         if (event.now) console.log("now");
         return new Response("fine", { headers: { "x-lectern-answered": "0" } })`
        )
        const seen: Array<unknown> = []
        for (const event of [{}, { now: true }, { later: true }]) {
          const { isDone, headers, logs } = yield* run(wanted, event)
          seen.push([isDone, logs.map(({ message }) => message)])
          assert.notInclude(
            headers.map(([name]) => name),
            "x-lectern-answered"
          )
        }
        assert.deepStrictEqual(seen, [
          [true, []],
          [false, ["now"]],
          [false, ["later"]]
        ])
      })
    )

    it.effect("gives an answer in one go, within a bound, and goes on where it is longer or not read", () =>
      Effect.gen(function* () {
        const wanted = program(
          "in-one-go",
          `const { readable, writable } = new TransformStream();
         const writer = writable.getWriter();
         const bytes = new TextEncoder().encode("0123456789");
         const writing = async () => { for (let i = 0; i < event.times; i++) { await writer.write(bytes); await scheduler.wait(1) } await writer.close() };
         ctx.waitUntil(writing().catch(() => {}));
         return new Response(event.times === 0 ? null : readable)`
        )
        const { run: begin, runBuffered } = yield* IntegrationRuntime
        assert.isDefined(runBuffered)
        const deliveryOf = (times: number) => ({ event: JSON.stringify({ times }), environment: "{}" })
        const ways: ReadonlyArray<(times: number) => Effect.Effect<Uint8Array, RunFailed | StorageError>> = [
          (times) => Effect.scoped(Effect.flatMap(begin(wanted, deliveryOf(times)), ({ bytes }) => bytes(50))),
          (times) =>
            Effect.flatMap(runBuffered!(wanted, deliveryOf(times), 50), ({ body }) =>
              body instanceof RunFailed ? Effect.fail(body) : Effect.succeed(body)
            )
        ]
        for (const read of ways) {
          const text = (times: number) => Effect.map(read(times), (bytes) => new TextDecoder().decode(bytes))
          assert.strictEqual(yield* text(0), "")
          assert.strictEqual(yield* text(5), "0123456789".repeat(5))
          assert.strictEqual((yield* Effect.flip(read(6)))._tag, "RunFailed")
          assert.strictEqual((yield* Effect.scoped(begin(wanted, deliveryOf(3)))).status, 200)
          // One that is given up is cancelled, whenever its answer comes.
          yield* Fiber.interrupt(yield* Effect.forkChild(read(3), { startImmediately: true }))
          assert.strictEqual(yield* text(1), "0123456789")
        }
      })
    )

    it.effect("gives a long answer whole, in one go and as a stream, however late it is read", () =>
      Effect.gen(function* () {
        const wanted = program("long", `return new Response("0123456789".repeat(100_000))`)
        const { run: begin } = yield* IntegrationRuntime
        for (const way of ["bytes", "stream"] as const) {
          const size = yield* Effect.scoped(
            Effect.gen(function* () {
              const { body, bytes } = yield* begin(wanted, { event: "{}", environment: "{}" })
              // What is asked meanwhile is answered, and this answer waits for whoever reads it.
              assert.strictEqual((yield* run(wanted)).text.length, 1_000_000)
              if (way === "bytes") return (yield* bytes(1_000_000)).byteLength
              return yield* Stream.runFold(
                body,
                () => 0,
                (sum, chunk) => sum + chunk.byteLength
              )
            })
          )
          assert.strictEqual(size, 1_000_000, way)
        }
      })
    )

    it.effect("has a cache that keeps nothing", () =>
      Effect.gen(function* () {
        const wanted = program(
          "caches",
          `const key = "https://cache.example.com/key";
           const named = await caches.open("named");
           const seen = [];
           for (const cache of [caches.default, named]) {
             await cache.put(key, new Response("x".repeat(100000), { headers: { "cache-control": "max-age=60" } }));
             seen.push((await cache.match(key)) === undefined, await cache.delete(key));
           }
           return Response.json(seen)`
        )
        const { status, text, logs } = yield* run(wanted)
        assert.deepStrictEqual([status, text, logs], [200, "[true,false,true,false]", []])
      })
    )

    it.effect("gives a classic script its event", () =>
      Effect.gen(function* () {
        const classic = `addEventListener("fetch", (event) => { console.warn("classic"); event.respondWith((async () => new Response((await event.request.formData()).get("event")))()) })`
        const answer = yield* run(program("classic", classic, "v1"), { type: "x" })
        assert.strictEqual(answer.text, '{"type":"x"}')
        assert.deepStrictEqual(
          answer.logs.map(({ level, message }) => [level, message]),
          [["warn", "classic"]]
        )
      })
    )

    it.effect("runs the version that is asked for", () =>
      Effect.gen(function* () {
        const version = (n: number) => program("versions", `return new Response("${n}")`, "v2", n)
        assert.strictEqual((yield* run(version(1))).text, "1")
        assert.strictEqual((yield* run(version(2))).text, "2")
        assert.strictEqual((yield* run(version(2))).text, "2")
      })
    )

    it.effect("answers 500 for what throws, with what it threw in the logs, and says why it can't be started", () =>
      Effect.gen(function* () {
        const thrown = yield* run(program("throws", `throw new Error("no luck")`))
        assert.strictEqual(thrown.status, 500)
        assert.include(thrown.logs[0]?.message, "no luck")
        const unloadable = yield* run({
          ...program("unloadable", ""),
          script: Effect.succeed("throw new Error('top')")
        })
        assert.strictEqual(unloadable.status, 500)
        assert.deepStrictEqual(
          unloadable.logs.map(({ message }) => message.split("\n")[0]),
          ["Error: top"]
        )
        const broken = yield* Effect.flip(run({ ...program("broken", ""), script: Effect.succeed("export default {") }))
        // It may have ended before it was asked.
        assert.include(["crashed", "unreachable"], broken._tag === "RunFailed" ? broken.reason : broken._tag)
        assert.match(broken.message, /SyntaxError/)
      })
    )

    it.effect("ends what takes more memory than it may, on the heap and beside it, and runs the next event", () =>
      Effect.gen(function* () {
        const told: Array<unknown> = []
        const telling = Logger.layer([
          Logger.make(
            ({ message, fiber }) =>
              void told.push([message, fiber.getRef(References.CurrentLogAnnotations)["integration"]])
          )
        ])
        yield* Effect.gen(function* () {
          for (const [name, take] of [
            ["heap", "const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random()))"],
            ["buffers", "const kept = []; for (;;) { kept.push(new Uint8Array(1e7).fill(1)); await scheduler.wait(1) }"]
          ] as const) {
            const wanted = program(name, `if (event.type === "take") { ${take} } return new Response("fine")`)
            const failure = yield* Effect.flip(run(wanted, { type: "take" }))
            assert.strictEqual(failure._tag === "RunFailed" && failure.reason, "too-large", name)
            assert.strictEqual((yield* run(wanted)).text, "fine")
          }
          // A busy machine takes seconds to give so much.
        }).pipe(Effect.provide(Layer.provide(WorkerdRuntime.layer(), telling)))
        // Whoever runs the server learns which it was.
        assert.deepStrictEqual(
          told,
          ["heap", "buffers"].map((name) => [
            ["The process of an integration was killed: It took more memory than it may"],
            name
          ])
        )
      })
    )

    it.effect("reaches nothing private", () =>
      Effect.gen(function* () {
        const secret = yield* secretServer
        const { port } = secret
        const reach = program(
          "reach",
          `const r = await fetch(event.url); return new Response(r.status + " " + (await r.text()))`
        )
        for (const url of [
          `http://127.0.0.1:${port}/`,
          `http://localhost:${port}/`,
          `http://[::1]:${port}/`,
          "http://169.254.169.254/latest/meta-data/",
          "http://metadata.google.internal/",
          "http://10.0.0.1/",
          "http://0.0.0.0/"
        ]) {
          const { text } = yield* run(reach, { url })
          assert.match(text, /^(403|502) /, url)
        }
        assert.strictEqual(secret.asked(), 0)
        secret.server.close()
      })
    )

    it.effect("asks no tunnel that leads to a private network", () =>
      Effect.gen(function* () {
        const secret = yield* secretServer
        const { port } = secret
        const developed = { ...program("developed", `return new Response("published")`) }
        for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
          const failure = yield* Effect.flip(run({ ...developed, tunnelUrl: `http://${host}:${port}/` }))
          assert.strictEqual(failure._tag === "RunFailed" && failure.reason, "unreachable", host)
          assert.match(failure.message, /private network/, host)
        }
        assert.strictEqual(secret.asked(), 0)
        const runtime = WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"] })
        const allowed = run({ ...developed, tunnelUrl: `http://127.0.0.1:${port}/` }).pipe(Effect.provide(runtime))
        assert.strictEqual((yield* allowed).text, "secret")
        assert.strictEqual(secret.asked(), 1)
        secret.server.close()
      })
    )

    it.effect("bounds requests and logs of one event", () =>
      Effect.gen(function* () {
        const many = program(
          "many",
          `let refused = 0; for (let i = 0; i < 60; i++) { const r = await fetch("http://10.0.0.1/"); if (r.status === 429) refused++; await r.text() }
         for (let i = 0; i < 100000; i++) console.log("line " + i); return new Response(String(refused))`
        )
        const answer = yield* run(many)
        const lines = answer.logs.filter(({ level }) => level === "info")
        assert.isAbove(lines.length, 10)
        assert.isAtMost(lines.length, 1000)
        assert.deepStrictEqual(
          answer.logs.filter(({ level }) => level === "error").map(({ message }) => message),
          [
            "10.0.0.1 is on a private network, which this server does not fetch from",
            "The program exceeded the log limit of 1000 lines and 64 KiB"
          ]
        )
        assert.isTrue(answer.exceededLimit)
        assert.isAtMost(JSON.stringify(answer.logs).length, 256 * 1024)
      })
    )

    it.effect("bounds one long line as it does many short ones, and keeps what there is room for", () =>
      Effect.gen(function* () {
        const long = program(
          "long-line",
          `console.log("x".repeat(event.length)); console.log(""); return new Response()`
        )
        const seen = ({
          logs,
          exceededLimit
        }: {
          readonly logs: ReadonlyArray<RunLog>
          readonly exceededLimit: boolean
        }) => ({
          exceededLimit,
          logs: logs.map(({ message }) => (message.startsWith("x") ? message.length : message))
        })
        assert.deepStrictEqual(seen(yield* run(long, { length: 65_536 })), { exceededLimit: false, logs: [65_536, ""] })
        for (const length of [65_537, 10_000_000]) {
          const message = "The program exceeded the log limit of 1000 lines and 64 KiB"
          assert.deepStrictEqual(seen(yield* run(long, { length })), { exceededLimit: true, logs: [65_536, message] })
        }
      })
    )
  }
)

it("leaves no server open", () => {
  for (const server of opened) assert.isFalse(server.listening)
})

layer(WorkerdRuntime.layer({ responseTimeout: { seconds: 3 } }), { excludeTestServices: true })(
  "A worker that never answers",
  (it) => {
    it.effect("is ended while others answer, and its next event is run", () =>
      Effect.gen(function* () {
        const looping = program(
          "loops",
          `if (event.type === "loop") { console.log("here"); for (;;) {} } return new Response("fine")`
        )
        const other = program("other", `return new Response("other")`)
        const failing = yield* Effect.forkChild(Effect.flip(run(looping, { type: "loop" })))
        for (let i = 0; i < 5; i++) assert.strictEqual((yield* run(other)).text, "other")
        const failure = yield* Fiber.join(failing)
        if (failure._tag !== "RunFailed") return assert.fail("It did not fail")
        assert.strictEqual(failure.reason, "timed-out")
        assert.deepStrictEqual(
          failure.logs.map(({ message }) => message),
          ["here"]
        )
        assert.strictEqual((yield* run(looping)).text, "fine")
      })
    )

    it.effect("is begun once for those that come at once behind it", () =>
      Effect.gen(function* () {
        const wanted = program(
          "begun-again",
          `if (event.loop) for (;;) {}
           return new Response(String(globalThis.count = (globalThis.count ?? 0) + 1))`
        )
        yield* Effect.flip(run(wanted, { loop: true }))
        const answers = yield* Effect.all([run(wanted), run(wanted), run(wanted)], { concurrency: "unbounded" })
        assert.sameMembers(
          answers.map(({ text }) => text),
          ["1", "2", "3"]
        )
      })
    )
  }
)
