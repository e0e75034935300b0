/** Integrations for which there is no room: whoever asks is told when to ask again, and nothing is recorded of it. */
import { IntegrationRuntime } from "@lectern/core/integration/IntegrationRuntime"
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { StorageError } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import LZString from "lz-string"
import { answers, Harness, onMemory } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import { listOf } from "./Shapes.ts"
import { createSpace } from "./Steps.ts"

const message = "Too many integrations are at work: try again in a moment"

const full = () => Effect.fail(new StorageError({ reason: "busy", message }))

const runtime = Layer.succeed(
  IntegrationRuntime,
  IntegrationRuntime.of({ isAvailable: true, stop: () => Effect.void, run: full, runBuffered: full })
)

onMemory(
  "Integrations for which there is no room",
  (it) => {
    it.effect("are to be asked again in 5 seconds", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: spaceId } = yield* createSpace()
        const { name } = yield* installed()
        const answered = yield* outside(`http://127.0.0.1:4001/v1/integrations/${name}/integration/x`)
        assert.deepStrictEqual([answered.status, answered.headers.get("retry-after")], [503, "5"])
        assert.include(answered.text, message)
        const render = `/v1/integrations/${name}/render`
        const request = { componentId: "any", props: {}, context: { type: "document", spaceId } }
        const packed = LZString.compressToEncodedURIComponent(JSON.stringify(request))
        for (const asked of [
          call("read", "POST", render, request),
          call("read", "GET", `${render}?request=${packed}`)
        ]) {
          const { status, headers, text } = yield* asked
          assert.deepStrictEqual([status, headers.get("retry-after")], [503, "5"])
          assert.include(text, message)
        }
        yield* (yield* IntegrationRecords).flush
        const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events`).pipe(
          answers(200, listOf(Shapes.IntegrationEvent))
        )
        assert.isEmpty(items)
      })
    )
  },
  { integrationRuntime: runtime }
)
