/** Suite of transactions whose body waits between steps: isolation, and how they end. */
import { assert } from "@effect/vitest"
import { StorageError, transactionLimit, TransactionMisuse } from "@lectern/core/storage/Storage"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { suite } from "./Harness.ts"
import { ids, items } from "./Invented.ts"

const squashed = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

/** Lets other fibers run, and stores that respond in a later turn of the event loop. */
const yields = Effect.repeat(Effect.yieldNow, { times: 50 })

export const stepsSuite = suite("transactions in steps", (scenario) => {
  scenario("see what they wrote, which nobody else does before their end", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const hooks: Array<string> = []
      const generationBefore = yield* storage.generation
      const result = yield* storage.inSteps((step) =>
        Effect.gen(function* () {
          yield* step(repository.insert({ id: "a" }))
          yield* yields
          yield* step(storage.afterCommit(Effect.sync(() => void hooks.push("committed"))))
          yield* step(storage.transaction(repository.insert({ id: "b" })))
          yield* yields
          assert.strictEqual(yield* repository.count({}), 0)
          assert.isUndefined(yield* repository.get({ id: "a" }))
          assert.strictEqual(yield* storage.generation, generationBefore)
          assert.isUndefined(yield* step(storage.generation))
          assert.isEmpty(hooks)
          return yield* step(repository.list({ where: {} }))
        })
      )
      assert.deepStrictEqual(ids(result), ["a", "b"])
      assert.deepStrictEqual(hooks, ["committed"])
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "b"])
      assert.notStrictEqual(yield* storage.generation, generationBefore)
    })
  )

  scenario("make all other writes wait, and none is lost", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        storage.inSteps((step) =>
          Effect.andThen(
            step(repository.insert({ id: "a" })),
            Effect.andThen(Deferred.await(gate), step(repository.insert({ id: "b" })))
          )
        )
      )
      yield* yields
      const otherFibers = yield* Effect.forkChild(
        Effect.all(
          [
            repository.insert({ id: "c" }),
            storage.transaction(Effect.map(repository.count({}), (count) => count)),
            storage.inSteps((step) => step(repository.count({})))
          ],
          { concurrency: "unbounded" }
        )
      )
      yield* yields
      assert.isUndefined(otherFibers.pollUnsafe())
      yield* storage.probe
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      assert.deepStrictEqual((yield* Fiber.join(otherFibers)).slice(1), [3, 3])
    })
  )

  scenario("leave nothing behind when they fail, die or are interrupted", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const insert = repository.insert({ id: "a" })
      const failing = storage.inSteps((step) => Effect.andThen(step(insert), Effect.fail("no" as const)))
      assert.strictEqual(yield* Effect.flip(failing), "no")
      yield* Effect.exit(storage.inSteps((step) => Effect.andThen(step(insert), Effect.die("no"))))
      const stuck = yield* Effect.forkChild(storage.inSteps((step) => Effect.andThen(step(insert), Effect.never)))
      yield* yields
      yield* Fiber.interrupt(stuck)
      assert.strictEqual(yield* repository.count({}), 0)
      yield* insert
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  scenario("go on after a step that failed, which has left nothing", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* storage.inSteps((step) =>
        Effect.gen(function* () {
          yield* step(repository.insert({ id: "a" }))
          const half = Effect.andThen(repository.insert({ id: "b" }), Effect.fail("no" as const))
          assert.strictEqual(yield* Effect.flip(step(half)), "no")
          yield* yields
          yield* step(repository.insert({ id: "c" }))
        })
      )
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "c"])
    })
  )

  for (const [title, isStubborn] of [
    ["where they never end", false],
    ["where they can't be interrupted", true]
  ] as const) {
    scenario(`are rolled back when their time is over, ${title}`, () =>
      Effect.gen(function* () {
        const { repository, storage } = yield* items
        const gate = yield* Deferred.make<void>()
        const lateExit = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
        const waitingSteps = storage.inSteps((step) => {
          const body = Effect.gen(function* () {
            yield* step(repository.insert({ id: "a" }))
            yield* Deferred.await(gate)
            yield* Deferred.succeed(lateExit, yield* Effect.exit(step(repository.insert({ id: "b" }))))
          })
          return isStubborn ? Effect.uninterruptible(body) : body
        })
        const fiber = yield* Effect.forkChild(waitingSteps)
        yield* yields
        const otherFiber = yield* Effect.forkChild(repository.insert({ id: "c" }))
        yield* TestClock.adjust(transactionLimit - 1)
        yield* yields
        assert.isUndefined(otherFiber.pollUnsafe())
        yield* TestClock.adjust(1)
        // Other transactions continue even if the body has not ended.
        yield* Fiber.join(otherFiber)
        if (isStubborn) {
          assert.isUndefined(fiber.pollUnsafe())
          yield* Deferred.succeed(gate, undefined)
          assert.instanceOf(squashed(yield* Deferred.await(lateExit)), StorageError)
        }
        assert.instanceOf(squashed(yield* Fiber.await(fiber)), StorageError)
        assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["c"])
      })
    )
  }

  scenario("die with a step that waits, one after their end, and inside another transaction", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const insert = repository.insert({ id: "a" })
      const waitingSteps = storage.inSteps((step) =>
        Effect.andThen(step(insert), Effect.ignore(step(Effect.andThen(repository.insert({ id: "b" }), yields))))
      )
      assert.instanceOf(squashed(yield* Effect.exit(waitingSteps)), TransactionMisuse)
      const returnedStep = yield* storage.inSteps((step) => Effect.succeed(step))
      assert.instanceOf(squashed(yield* Effect.exit(returnedStep(insert))), TransactionMisuse)
      const inner = storage.inSteps((step) => step(insert))
      assert.instanceOf(squashed(yield* Effect.exit(storage.transaction(inner))), TransactionMisuse)
      assert.instanceOf(squashed(yield* Effect.exit(storage.inSteps((step) => step(inner)))), TransactionMisuse)
      assert.strictEqual(yield* repository.count({}), 0)
    })
  )

  scenario("fail where the commit does", (store) =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a" })
      store.failNextCommit()
      const exit = yield* Effect.exit(storage.inSteps((step) => step(repository.insert({ id: "b" }))))
      assert.instanceOf(squashed(exit), StorageError)
      yield* storage.inSteps((step) => step(repository.insert({ id: "c" })))
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "c"])
    })
  )
})
