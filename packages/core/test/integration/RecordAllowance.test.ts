/** Bytes of records that an integration may leave. */
import { assert, describe, it } from "@effect/vitest"
import type { IntegrationKey } from "@lectern/core/integration/Integration"
import { RecordAllowance } from "@lectern/core/integration/RecordAllowance"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const weather = "weather" as IntegrationKey
const mebibyte = 1024 * 1024

const takes = (state: "success" | "failed", payload: number, integration = weather) =>
  Effect.flatMap(RecordAllowance, (allowance) => allowance.charge(integration, state, { payload, logs: [] }))

/** How many of so many records of a mebibyte are allowed, in a row. */
const allowedOf = (count: number, state: "success" | "failed") =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => takes(state, mebibyte)),
    (allowed) => allowed.filter(Boolean).length
  )

describe("RecordAllowance", () => {
  it.effect("is 64 MiB, the last quarter for what failed, and comes back within a day", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* allowedOf(100, "success"), 47)
      assert.strictEqual(yield* allowedOf(100, "failed"), 16)
      assert.isFalse(yield* takes("failed", mebibyte))
      assert.isTrue(yield* takes("success", mebibyte, "news" as IntegrationKey))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* allowedOf(100, "success"), 0)
      assert.strictEqual(yield* allowedOf(100, "failed"), 3)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* allowedOf(100, "success"), 47)
    }).pipe(Effect.provide(RecordAllowance.layer))
  )

  it.effect("counts what is logged, and a little for each", () =>
    Effect.gen(function* () {
      const allowance = yield* RecordAllowance
      const message = "x".repeat(mebibyte)
      const logs = [{ level: "info", message, timestamp: "" } as const]
      let left = 0
      while (yield* allowance.charge(weather, "success", { payload: 0, logs })) left++
      assert.strictEqual(left, 47)
      let small = 0
      while (yield* allowance.charge(weather, "success", { payload: 0, logs: [] })) small++
      assert.isBelow(small, 2 * 2048 + 1)
    }).pipe(Effect.provide(RecordAllowance.layer))
  )
})
