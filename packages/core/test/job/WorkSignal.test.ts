/** Signals that wake loops after a commit. */
import { assert } from "@effect/vitest"
import { WorkSignal } from "@lectern/core/job/WorkSignal"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { onEveryStore, soon } from "./WorkerSteps.ts"

onEveryStore("A signal of work", (test) => {
  test(
    "opens with the commit, and not after a rollback",
    Effect.gen(function* () {
      const storage = yield* Storage
      const signal = new WorkSignal()
      const { next } = signal
      yield* Effect.flip(storage.transaction(Effect.andThen(signal.announce(storage), Effect.fail("no" as const))))
      assert.isFalse(next.isOpen())
      yield* storage.transaction(signal.announce(storage))
      assert.isTrue(next.isOpen())
      assert.isFalse(signal.next.isOpen())
    })
  )

  test(
    "wakes every loop once, also one that starts to wait after it opened",
    Effect.gen(function* () {
      const signal = new WorkSignal()
      const woken: Array<string> = []
      const wait = (name: string, { next } = signal) =>
        Effect.andThen(
          next.await,
          Effect.sync(() => void woken.push(name))
        )
      const late = wait("late")
      yield* Effect.forkScoped(wait("first"))
      yield* Effect.forkScoped(wait("second"))
      yield* soon
      assert.deepStrictEqual(woken, [])
      yield* signal.open
      yield* soon
      yield* late
      assert.sameMembers(woken, ["first", "second", "late"])
      const again = yield* Effect.forkScoped(wait("again"))
      yield* soon
      assert.isUndefined(again.pollUnsafe())
    })
  )
})
