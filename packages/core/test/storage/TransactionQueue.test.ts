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
  const steps: Array<string> = []
  const saved: Array<number> = []
  const step = (name: string) => void steps.push(name)
  const queue = yield* TransactionQueue.make({
    begin: () => step("begin"),
    savepoint: (depth) => {
      step("savepoint")
      saved[depth] = written.length
    },
    release: () => step("release"),
    rollbackTo: (depth) => {
      step("rollback to")
      written.length = saved[depth]!
    },
    check: () => {},
    commit: () => {
      step("commit")
      committed = [...written]
    },
    flush: (done) => void unsecured.push(done),
    rollback: () => {
      step("rollback")
      written = [...committed]
    },
    generation: () => committed.length,
    failure: (thrown) => (thrown instanceof StorageError || thrown instanceof UniqueConflict ? thrown : undefined)
  })
  return {
    steps,
    unsecured,
    add: (text: string) => queue.transaction(queue.write(() => void written.push(text))),
    write: (text: string) => queue.write(() => void written.push(text)),
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

  it.live("takes one that is alone without a savepoint, and undoes it with all that it wrote", () =>
    Effect.gen(function* () {
      const { read, steps, transaction, unsecured, write } = yield* store
      const refused = (text: string) => Effect.exit(transaction(Effect.andThen(write(text), Effect.fail("refused"))))
      const nested = Effect.andThen(write("kept"), refused("inside"))
      const run = Effect.fnUntraced(function* (...bodies: ReadonlyArray<Effect.Effect<unknown, unknown>>) {
        steps.length = 0
        const fibers = yield* Effect.forEach(bodies, (body) => Effect.forkChild(body))
        yield* until(() => unsecured.length === 1)
        unsecured.shift()!()
        yield* Effect.forEach(fibers, Fiber.await)
        return steps.join()
      })
      assert.strictEqual(yield* run(refused("alone")), "begin,rollback")
      assert.deepStrictEqual(yield* read, [])
      assert.strictEqual(yield* run(transaction(nested)), "begin,savepoint,rollback to,commit")
      assert.deepStrictEqual(yield* read, ["kept"])
      assert.strictEqual(
        yield* run(refused("first"), transaction(Effect.void), refused("last")),
        "begin,savepoint,rollback to,savepoint,release,savepoint,rollback to,commit"
      )
      assert.deepStrictEqual(yield* read, ["kept"])
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
