/** Events that a real `workerd` is given in one go, of which one takes more than it may: that one has failed, and no other. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { inTurn, program, seen } from "./InTurnSteps.ts"

const ends = Effect.fnUntraced(function* (what: string, reason: string) {
  const wanted = program(`ends-${what}`)
  const events = [{}, { says: "fine" }, { do: what, says: "here" }, { says: "behind" }]
  const { heard, failure } = yield* inTurn(wanted, events)
  assert.deepStrictEqual(heard.map(seen), [
    { status: 200, exceededLimit: false, logs: [] },
    { status: 200, exceededLimit: false, logs: [["info", "fine 1"]] }
  ])
  if (failure?._tag !== "RunFailed") return assert.fail("It did not fail")
  assert.strictEqual(failure.reason, reason, what)
  assert.deepStrictEqual(
    failure.logs.map(({ message }) => message),
    ["here 2"]
  )
  // Nothing behind it was begun.
  const after = yield* inTurn(wanted, [{}, { do: "told" }])
  assert.deepStrictEqual(seen(after.heard[1]!).logs, [["info", "0,1"]])
})

it.live("An event of several ends with the one that loops or takes too long", () =>
  Effect.all([ends("loop", "timed-out"), ends("wait", "timed-out")], { concurrency: 2 }).pipe(
    Effect.provide(WorkerdRuntime.layer({ responseTimeout: "3 seconds" }))
  )
)

it.live("An event of several ends with the one that takes too much", () =>
  ends("heap", "too-large").pipe(Effect.provide(WorkerdRuntime.layer()))
)

it.live("Events of a program that takes long are not all given in one go", () =>
  Effect.gen(function* () {
    const { heard, failure } = yield* inTurn(
      program("slow"),
      Array.from({ length: 4 }, () => ({ do: "slow" }))
    )
    assert.isUndefined(failure)
    assert.isAtLeast(heard.length, 1)
    assert.isAtMost(heard.length, 2)
  }).pipe(Effect.provide(WorkerdRuntime.layer()))
)
