/** Suite of concurrent callers: order of transactions, isolation, interruption. */
import { assert } from "@effect/vitest"
import { StorageError } from "@lectern/core/storage/Storage"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { suite } from "./Harness.ts"
import { ids, items } from "./Invented.ts"

const unbounded = { concurrency: "unbounded" } as const

export const concurrencySuite = suite("concurrency", (scenario) => {
  scenario("of guarded updates one wins", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a", number: 1 })
      const claimRow = (text: string) => repository.update({ id: "a", number: 1 }, { number: 2, text })
      const counts = yield* Effect.all(["x", "y", "z"].map(claimRow), unbounded)
      assert.deepStrictEqual(counts.toSorted(), [0, 0, 1])
      const row = yield* repository.get({ id: "a" })
      assert.strictEqual(row?.text, ["x", "y", "z"][counts.indexOf(1)])
    })
  )

  scenario("of inserts of one key one wins", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const exits = yield* Effect.all(
        [1, 2, 3].map((number) => Effect.exit(repository.insert({ id: "a", number }))),
        unbounded
      )
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  scenario("two hundred increments in transactions add up, over some that fail between them", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a", number: 0 })
      const increment = (fails: boolean) =>
        storage.transaction(
          Effect.gen(function* () {
            const row = yield* repository.get({ id: "a" })
            yield* repository.update({ id: "a" }, { number: row!.number! + 1 })
            if (fails) yield* Effect.fail("no")
          })
        )
      yield* Effect.forEach(
        Array.from({ length: 300 }, (_, i) => i % 3 === 0),
        (fails) => Effect.ignore(increment(fails)),
        unbounded
      )
      assert.strictEqual((yield* repository.get({ id: "a" }))?.number, 200)
    })
  )

  scenario("a store that can be read and written is well, and asking it is no commit", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* storage.probe
      yield* repository.insert({ id: "a" })
      const generationBefore = yield* storage.generation
      yield* storage.probe
      assert.strictEqual(yield* storage.generation, generationBefore)
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  scenario("the generation is another after every commit, the same without one, and none inside a transaction", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a", number: 1 })
      const first = yield* storage.generation
      assert.isNumber(first)
      assert.strictEqual(yield* storage.generation, first)
      yield* repository.get({ id: "a" })
      yield* storage.transaction(repository.get({ id: "a" }))
      yield* repository.remove({ id: "absent" })
      yield* storage.inSteps((step) => step(repository.count({})))
      assert.strictEqual(yield* storage.generation, first)
      yield* Effect.exit(
        storage.transaction(Effect.andThen(repository.update({ id: "a" }, { number: 2 }), Effect.fail("no")))
      )
      assert.strictEqual(yield* storage.generation, first)
      const innerResult = yield* storage.transaction(
        Effect.andThen(repository.update({ id: "a" }, { number: 3 }), storage.generation)
      )
      assert.isUndefined(innerResult)
      const second = yield* storage.generation
      assert.notStrictEqual(second, first)
      yield* repository.insert({ id: "b" })
      assert.notStrictEqual(yield* storage.generation, second)
    })
  )

  scenario("those that came first are first", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const order: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 150 }, (_, i) => i),
        (i) =>
          storage.transaction(
            Effect.andThen(
              repository.insert({ id: `i${i}` }),
              Effect.sync(() => void order.push(i))
            )
          ),
        unbounded
      )
      assert.deepStrictEqual(
        order,
        Array.from({ length: 150 }, (_, i) => i)
      )
    })
  )

  scenario("a reader outside sees what is committed, and doesn't wait for the body that writes", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a", text: "before", tags: ["before"] })
      yield* storage.inSteps((step) =>
        Effect.gen(function* () {
          yield* step(repository.update({ id: "a" }, { text: "after", tags: ["after"] }))
          yield* step(repository.insert({ id: "b" }))
          // Outside of a step, this is a read by another caller.
          assert.deepStrictEqual(yield* repository.get({ id: "a" }), { id: "a", text: "before", tags: ["before"] })
          assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
          assert.strictEqual(yield* repository.count({ tags: { any: ["after"] } }), 0)
          assert.isUndefined((yield* repository.getMany([{ id: "b" }]))[0])
          assert.strictEqual((yield* step(repository.get({ id: "a" })))?.text, "after")
        })
      )
      assert.strictEqual((yield* repository.get({ id: "a" }))?.text, "after")
    })
  )

  scenario("one that fails, dies or waits leaves those before and behind it alone", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const insert = (id: string, end: Effect.Effect<void, string>) =>
        Effect.exit(storage.transaction(Effect.andThen(repository.insert({ id }), end)))
      const exits = yield* Effect.all(
        [
          insert("a", Effect.void),
          insert("b", Effect.fail("no")),
          insert("c", Effect.void),
          insert("d", Effect.die("no")),
          insert("e", Effect.yieldNow),
          insert("f", Effect.void),
          insert("g", Effect.interrupt),
          insert("h", Effect.void)
        ],
        unbounded
      )
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true, false, false, true, false, true])
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "c", "f", "h"])
    })
  )

  scenario("where a commit fails, whoever it would have answered fails, and what it held is gone", (store) =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "0" })
      store.failNextCommit()
      const names = ["a", "b", "c", "d"]
      const exits = yield* Effect.forEach(
        names,
        (id) => Effect.exit(storage.transaction(repository.insert({ id }))),
        unbounded
      )
      const failures = exits.filter(Exit.isFailure)
      assert.isAbove(failures.length, 0)
      for (const { cause } of failures) {
        assert.isTrue(cause.reasons.every((reason) => reason._tag === "Fail" && reason.error instanceof StorageError))
      }
      const storedNames = names.filter((_, i) => Exit.isSuccess(exits[i]!))
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["0", ...storedNames])
    })
  )

  scenario("one that is interrupted is written whole or not at all, and never answered falsely", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const started: Array<string> = []
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => `i${String(i).padStart(2, "0")}`),
        (id) =>
          Effect.forkChild(
            storage.transaction(
              Effect.gen(function* () {
                started.push(id)
                yield* repository.insert({ id })
                yield* repository.insert({ id: `${id}b` })
              })
            ),
            { startImmediately: true }
          )
      )
      for (const fiber of fibers.slice(0, 10)) yield* Fiber.interrupt(fiber)
      for (const fiber of fibers.slice(10)) yield* Fiber.join(fiber)
      const rows = ids(yield* repository.list({ where: {} }))
      assert.deepStrictEqual(
        rows,
        started.toSorted().flatMap((id) => [id, `${id}b`])
      )
    })
  )

  scenario("a body that interrupts its own caller is committed all the same, and tells the others", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const runLog: Array<string> = []
      const gate = yield* Deferred.make<Fiber.Fiber<unknown, unknown>>()
      const caller = yield* Effect.forkChild(
        Effect.flatMap(Deferred.await(gate), (self) =>
          storage.transaction(
            Effect.gen(function* () {
              yield* repository.insert({ id: "a" })
              yield* storage.afterCommit(Effect.sync(() => void runLog.push("a")))
              self.interruptUnsafe()
            })
          )
        ),
        { startImmediately: true }
      )
      yield* Deferred.succeed(gate, caller)
      yield* Fiber.await(caller)
      assert.deepStrictEqual(runLog, ["a"])
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )
})
