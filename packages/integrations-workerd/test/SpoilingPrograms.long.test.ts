/** Each part of the platform that a program sets anew with its first event, whichever way it is asked. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { eachWay, saidWell, script, setAnew } from "./SpoilingPrograms.ts"

layer(WorkerdRuntime.layer({ responseTimeout: { seconds: 5 } }), { excludeTestServices: true })(
  "Programs that change what their answers are given with, as they answer",
  (it) => {
    for (const [name, change] of Object.entries(setAnew)) {
      it.effect(`are answered, and what they log is known, where they set ${name} anew`, () =>
        Effect.gen(function* () {
          const answers = yield* eachWay(`${name}-event`, script("", change), "apart")
          assert.deepStrictEqual(answers, saidWell)
        })
      )
    }
  }
)
