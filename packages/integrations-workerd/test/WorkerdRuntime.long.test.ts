/** A worker that is busy for long: what it keeps of each event must not come to more memory than it may have. */
import { IntegrationRuntime } from "@lectern/core/integration/IntegrationRuntime"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"

const events = 25_000

const script = `let count = 0
export default { fetch: async (request) => {
  const form = await request.formData()
  return Response.json({ count: ++count, size: form.get("environment").length })
} }`

layer(WorkerdRuntime.layer(), { excludeTestServices: true })("A worker that is busy", (it) => {
  it.effect("answers all events in one process", () =>
    Effect.gen(function* () {
      const runtime = yield* IntegrationRuntime
      const program = programOf("busy", script)
      const environment = JSON.stringify({ filler: "x".repeat(3_000) })
      let last = 0
      const one = Effect.scoped(
        Effect.gen(function* () {
          const answer = yield* runtime.run(program, { event: "{}", environment })
          const text = yield* Stream.mkString(Stream.decodeText(answer.body))
          last = Math.max(last, JSON.parse(text).count)
          assert.deepStrictEqual((yield* answer.trace).logs, [])
        })
      )
      yield* Effect.replicateEffect(one, events, { concurrency: 64, discard: true })
      assert.strictEqual(last, events)
    })
  )
})
