/** Programs that ask for too much, in a real `workerd`: each ends with a reason, and the next event is answered. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  IntegrationRuntime,
  maxAnswerBytes,
  maxSubrequests,
  type Program,
  RunFailed,
  whole
} from "@lectern/core/integration/IntegrationRuntime"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"

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
      else answer.end("fine")
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

layer(WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"], answerTimeout: "10 seconds" }), {
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
      assert.include(failure.message, `${maxAnswerBytes / 1024 / 1024} MiB`)
      assert.strictEqual((yield* run(large)).text, "fine")
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

layer(WorkerdRuntime.layer({ answerTimeout: "1 second" }), { excludeTestServices: true })(
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
          whole(runtime)(endless, { event: "{}", environment: "{}" }, 1024 * 1024),
          (body) => Effect.succeed({ body })
        )
        if (!(body instanceof RunFailed)) return assert.fail("it ended")
        assert.strictEqual(body.reason, "timed-out")
      })
    )
  }
)
