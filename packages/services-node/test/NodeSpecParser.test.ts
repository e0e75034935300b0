/** The thread that reads specs: the same answers as without it, in bounds, and nobody waits for it. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { assert, describe, it } from "@effect/vitest"
import { SpecParser } from "@lectern/core/openapi/SpecParser"
import { NodeSpecParser, type NodeSpecParserOptions } from "@lectern/services-node/openapi/NodeSpecParser"
import { Effect, Fiber } from "effect"
import { billionLaughs, large, small, swagger, yaml } from "../../core/test/openapi/SpecTexts.ts"

const encoder = new TextEncoder()

const parsing = (text: string | Uint8Array, options?: NodeSpecParserOptions) =>
  SpecParser.use(({ parse }) => parse(typeof text === "string" ? encoder.encode(text) : text)).pipe(
    Effect.provide(NodeSpecParser.layer(options))
  )

describe("NodeSpecParser", () => {
  it.live("answers as the core does", () =>
    Effect.gen(function* () {
      for (const text of [small(), yaml, JSON.stringify(swagger), "<html>", billionLaughs(), "", "[".repeat(1000)]) {
        const there = yield* Effect.result(parsing(text))
        const here = yield* SpecParser.use(({ parse }) => parse(encoder.encode(text))).pipe(
          Effect.provide(SpecParser.layer),
          Effect.result
        )
        assert.deepStrictEqual(there, here)
      }
    })
  )

  it.live("ends what takes too long or too much, and goes on", () =>
    Effect.gen(function* () {
      const late = yield* Effect.flip(parsing(small(), { timeout: "1 millis" }))
      assert.match(late.messages[0]!, /longer than 1ms/)
      const much = yield* Effect.flip(parsing(`x:\n${"  - {a: b, c: d}\n".repeat(400_000)}`, { maxMemory: 48 }))
      assert.match(much.messages[0]!, /memory/)
      yield* parsing(small())
    })
  )

  it.live("stops where nobody waits any more", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(parsing(large(1024 * 1024)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
    })
  )

  it.live("lets others work while it reads 5 MB", () =>
    Effect.gen(function* () {
      const bytes = encoder.encode(large(5 * 1024 * 1024))
      assert.isAbove(bytes.length, 5 * 1024 * 1024)
      const delay = monitorEventLoopDelay({ resolution: 1 })
      let turns = 0
      const turning = setInterval(() => turns++, 1)
      delay.enable()
      const { version } = yield* parsing(bytes)
      delay.disable()
      clearInterval(turning)
      assert.strictEqual(version, "3.0.3")
      // What is told of is not how fast this machine is, but that the thread is another one.
      assert.isAbove(turns, 20)
      console.log(`The longest delay while a spec of 5 MB was read: ${(delay.max / 1e6).toFixed(1)} ms`)
    })
  )
})
