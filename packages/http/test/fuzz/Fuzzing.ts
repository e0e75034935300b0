/**
 * Runs a property of scripts on the real handler.
 *
 * A failing script is shrunk for at most 15 minutes; then the smallest one so far is reported. A script that has not
 * finished by then is reported as hanging.
 */
import type { Vitest } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Services } from "../Harness.ts"

const limits = { includeErrorInReport: true, interruptAfterTimeLimit: 900_000, markInterruptAsFailure: true }

export const fuzz = <Script>(
  it: Vitest.MethodsNonLive<Services>,
  name: string,
  scripts: fc.Arbitrary<Script>,
  runs: fc.Parameters<[Script]>,
  run: (script: Script) => Effect.Effect<void, never, Services>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const property = fc.asyncProperty(scripts, (script) => Effect.runPromiseWith(context)(run(script)))
      yield* Effect.promise(() => fc.assert(property, { ...limits, ...runs }))
    })
  )
