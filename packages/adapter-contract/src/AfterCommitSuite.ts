/** Suite of `afterCommit`: when hooks run, in which order, and when they do not run. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { suite } from "./Harness.ts"
import { items } from "./Invented.ts"

export const afterCommitSuite = suite("afterCommit", (scenario) => {
  scenario("runs at once outside a transaction", () =>
    Effect.gen(function* () {
      const { storage } = yield* items
      const runLog: Array<string> = []
      yield* storage.afterCommit(Effect.sync(() => void runLog.push("now")))
      assert.deepStrictEqual(runLog, ["now"])
    })
  )

  scenario("runs in order when the writes can be read, before the caller goes on", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const runLog: Array<string> = []
      const hook = (name: string) =>
        storage.afterCommit(
          Effect.orDie(Effect.map(repository.count({}), (count) => void runLog.push(`${name} ${count}`)))
        )
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* hook("first")
          yield* repository.insert({ id: "a" })
          yield* storage.transaction(hook("inner"))
          yield* hook("last")
          assert.deepStrictEqual(runLog, [])
        })
      )
      assert.deepStrictEqual(runLog, ["first 1", "inner 1", "last 1"])
    })
  )

  scenario("doesn't run for what is rolled back", () =>
    Effect.gen(function* () {
      const { storage } = yield* items
      const runLog: Array<string> = []
      const hook = (name: string) => storage.afterCommit(Effect.sync(() => void runLog.push(name)))
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* hook("outer")
          yield* Effect.ignore(storage.transaction(Effect.andThen(hook("inner"), Effect.fail("inner"))))
          yield* storage.transaction(hook("kept"))
        })
      )
      assert.deepStrictEqual(runLog, ["outer", "kept"])
      yield* Effect.ignore(storage.transaction(Effect.andThen(storage.transaction(hook("lost")), Effect.fail("outer"))))
      assert.deepStrictEqual(runLog, ["outer", "kept"])
    })
  )

  scenario("may wait, and the caller waits for it", () =>
    Effect.gen(function* () {
      const { storage } = yield* items
      const runLog: Array<string> = []
      const slow = Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => void runLog.push("slow"))
      )
      yield* storage.transaction(storage.afterCommit(slow))
      assert.deepStrictEqual(runLog, ["slow"])
    })
  )

  scenario("runs the others where one dies, and the caller succeeds: it was committed", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const runLog: Array<string> = []
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "a" })
          yield* storage.afterCommit(Effect.die("broken"))
          yield* storage.afterCommit(Effect.sync(() => void runLog.push("other")))
        })
      )
      assert.deepStrictEqual(runLog, ["other"])
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )
})
