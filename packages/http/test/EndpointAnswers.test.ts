/** Answers of programs at their endpoints, as strangers get them. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { policyOf } from "../src/server/EndpointPolicy.ts"
import { onMemory } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import { ErrorBody } from "./Shapes.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Answer of a program with this body. */
const answer = Effect.fnUntraced(function* (body: string, more: Record<string, unknown> = {}) {
  const { path } = yield* installed({ script: program(body), ...more })
  return yield* outside(`http://127.0.0.1:4001${path}/page`)
})

onMemory(
  "Answers at endpoints",
  (it) => {
    it.effect("have their own policy beside that of the manifest", () =>
      Effect.gen(function* () {
        const name = "content-security-policy"
        const { headers } = yield* answer(`return new Response("", { headers: { "${name}": "default-src 'none'" } })`, {
          contentSecurityPolicy: "img-src *"
        })
        assert.strictEqual(headers.get(name), `${policyOf("img-src *", [])}, default-src 'none'`)
      })
    )

    it.effect("are an error like any other where the program threw, and its own where it says 500", () =>
      Effect.gen(function* () {
        const thrown = yield* answer(
          `return new Response(null, { status: 500, headers: { "x-lectern-uncaught": "1" } })`
        )
        assert.strictEqual(thrown.status, 500)
        assert.strictEqual(thrown.headers.get("content-type"), "application/json")
        assert.isFalse(thrown.headers.has("x-lectern-uncaught"))
        const { error } = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(thrown.text))
        assert.deepInclude(error, { code: 500, message: "The integration failed: its logs say why" })
        const said = yield* answer(`return new Response("mine", { status: 500 })`)
        assert.deepStrictEqual([said.status, said.text], [500, "mine"])
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
