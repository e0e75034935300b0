/** A store that makes durable in the background what it has committed: who wrote waits, and nobody else. */
import { assert, describe, it } from "@effect/vitest"
import { StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { Effect, Exit, Fiber } from "effect"

/** A store that is one list of texts. */
const store = Effect.gen(function* () {
  let written: Array<string> = []
  let committed: ReadonlyArray<string> = []
  const unsecured: Array<(failure?: StorageError) => void> = []
  const queue = yield* TransactionQueue.make({
    begin: () => {},
    savepoint: () => {},
    release: () => {},
    rollbackTo: () => {},
    check: () => {},
    commit: () => {
      committed = [...written]
    },
    secure: (done) => void unsecured.push(done),
    rollback: () => {
      written = [...committed]
    },
    generation: () => committed.length,
    failure: (thrown) => (thrown instanceof StorageError || thrown instanceof UniqueConflict ? thrown : undefined)
  })
  return {
    unsecured,
    add: (text: string) => queue.transaction(queue.write(() => void written.push(text))),
    afterCommit: queue.afterCommit,
    transaction: queue.transaction,
    read: queue.read(() => committed)
  }
})

/** Waits for a commit whose durability is asked for. */
const until = (isThere: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isThere() ? Effect.void : Effect.andThen(Effect.yieldNow, until(isThere))))

describe("TransactionQueue", () => {
  it.live("answers once what was written is durable; others read it and write on top of it meanwhile", () =>
    Effect.gen(function* () {
      const { add, afterCommit, read, transaction, unsecured } = yield* store
      let isTold = false
      const told = afterCommit(Effect.sync(() => void (isTold = true)))
      const first = yield* Effect.forkChild(transaction(Effect.andThen(add("first"), told)))
      yield* until(() => unsecured.length === 1)
      const second = yield* Effect.forkChild(add("second"))
      yield* until(() => unsecured.length === 2)
      assert.isTrue(isTold, "caches hear of a commit at once")
      assert.deepStrictEqual(yield* read, ["first", "second"])
      assert.isUndefined(first.pollUnsafe())
      unsecured[0]!()
      yield* Fiber.join(first)
      assert.isUndefined(second.pollUnsafe())
      unsecured[1]!()
      yield* Fiber.join(second)
    })
  )

  it.live("fails whoever wrote what is not durable", () =>
    Effect.gen(function* () {
      const { add, unsecured } = yield* store
      const writing = yield* Effect.forkChild(Effect.exit(add("lost")))
      yield* until(() => unsecured.length === 1)
      const lost = new StorageError({ reason: "damaged", message: "The disk is gone" })
      unsecured[0]!(lost)
      assert.deepStrictEqual(yield* Fiber.join(writing), Exit.fail(lost))
    })
  )
})
