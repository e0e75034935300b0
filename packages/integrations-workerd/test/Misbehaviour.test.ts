import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Misbehaviour from "@lectern/integrations-workerd/Misbehaviour"
import { failed } from "@lectern/integrations-workerd/ProgramRuns"
import { programOf } from "./ProgramSteps.ts"

describe("Misbehaviour", () => {
  it.effect("of an integration is told once a minute", () => {
    let told = 0
    return Effect.gen(function* () {
      const misbehaved = yield* Misbehaviour.makeReport
      const ended = (name: string) => misbehaved(programOf(name, ""), failed("timed-out", "It took too long"))
      for (let i = 0; i < 100; i++) ended("one")
      assert.strictEqual(told, 1)
      ended("another")
      assert.strictEqual(told, 2)
      yield* TestClock.adjust("59 seconds")
      ended("one")
      assert.strictEqual(told, 2)
      yield* TestClock.adjust("1 second")
      ended("one")
      assert.strictEqual(told, 3)
    }).pipe(Effect.provide(Logger.layer([Logger.make(() => void told++)])))
  })
})
