/**
 * How a fuzzer runs: a property of scripts, each tried over the real handler.
 *
 * What fails is made smaller for as long as there is time: after 15 minutes it is told as small as
 * it came by then, and what has not answered by then is told to hang.
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
