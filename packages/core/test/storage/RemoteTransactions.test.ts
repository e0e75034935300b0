/** Transactions over a store that answers late: when a body runs again, how often, and what its caller gets. */
import { Ids } from "@lectern/core/identity/Ids"
import { Storage, StorageError, TransactionMisuse } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { type FaultOptions, Faults } from "../../../adapter-memory/test/late/Faults.ts"
import * as LateStorage from "../../../adapter-memory/test/late/LateStorage.ts"

const ThingRow = Schema.Struct({ id: Schema.String, value: Schema.Number })
const ThingTable = Table.make("lateThing", ThingRow, { key: ["id"] })

const things = Effect.map(Storage, (storage) => storage.repository(ThingTable))

const test = <A, E>(
  title: string,
  options: Omit<FaultOptions, "seed">,
  body: (faults: Faults) => Effect.Effect<A, E, Storage | Ids>
) =>
  it.live(title, () => {
    const faults = new Faults({ seed: 1, ...options })
    const layer = Layer.fresh(Layer.merge(LateStorage.layer({ seed: 1, ...options }, faults), Ids.layer))
    return Effect.provide(body(faults), layer)
  })

const reasonOf = (exit: Exit.Exit<unknown, unknown>) => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return error instanceof StorageError ? error.reason : error
}

/** Reads three rows, one after another, and adds their number to a fourth. */
const readThree = Effect.gen(function* () {
  const repository = yield* things
  let count = 0
  for (const id of ["a", "b", "c"]) if ((yield* repository.get({ id })) !== undefined) count++
  yield* repository.insert({ id: "sum", value: count })
  return count
})

describe("A body over a store that answers late", () => {
  test("runs again until it has all that it reads, with the same ids and times, and its hooks run once", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const repository = yield* things
      yield* repository.insert({ id: "a", value: 1 })
      const runs: Array<string> = []
      const hooks: Array<string> = []
      const body = Effect.gen(function* () {
        const id = yield* ids.next
        runs.push(`${id} ${yield* Clock.currentTimeMillis} ${yield* ids.secret}`)
        yield* storage.afterCommit(Effect.sync(() => void hooks.push(id)))
        return yield* readThree
      })
      assert.strictEqual(yield* storage.transaction(body), 1)
      // The row "a" is available, since this process wrote it.
      assert.lengthOf(runs, 3)
      assert.strictEqual(new Set(runs).size, 1)
      assert.lengthOf(hooks, 1)
      yield* repository.remove({ id: "sum" })
      yield* storage.transaction(body)
      assert.lengthOf(runs, 4, "a second transaction has everything")
    })
  )

  test("fetches what several reads miss with one message, and its caller gets their results", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      for (const id of ["a", "b", "c"]) yield* repository.insert({ id, value: 1 })
      let runs = 0
      const valueOf = (id: string) => Effect.map(repository.get({ id }), (row) => row?.value ?? 0)
      // The last one needs two reads, one after another. A failure before all data is available does not count.
      const followed = Effect.flatMap(valueOf("x"), (found) => valueOf(`y${found}`))
      const body = Effect.suspend(() => {
        runs++
        return storage.all([
          valueOf("w"),
          storage.all([valueOf("u"), valueOf("v"), repository.count({})]),
          storage.transaction(Effect.andThen(repository.insert({ id: `new${runs}`, value: 2 }), valueOf("z"))),
          followed,
          Effect.suspend(() => (runs < 3 ? Effect.fail("early") : Effect.succeed("late")))
        ])
      })
      assert.deepStrictEqual(yield* storage.transaction(body), [0, [0, 0, 3], 0, 0, "late"])
      assert.strictEqual(runs, 3)
      assert.deepStrictEqual(
        (yield* repository.list({ where: {} })).filter(({ value }) => value === 2).map(({ id }) => id),
        ["new3"]
      )
      const failing = Effect.suspend(() => {
        runs++
        return storage.all([valueOf("a"), Effect.fail("refused"), Effect.die("not reached")])
      })
      assert.strictEqual(yield* Effect.flip(storage.transaction(failing)), "refused")
      assert.strictEqual(runs, 4)
      assert.deepStrictEqual(yield* storage.all([valueOf("a"), valueOf("w")]), [1, 0])
      const steps = storage.inSteps((step) => step(storage.all([valueOf("s"), valueOf("t"), repository.count({})])))
      assert.deepStrictEqual(yield* steps, [0, 0, 4])
    })
  )

  test("runs again after a refused commit, and its hooks run once", { refuse: 1 }, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      let runs = 0
      const hooks: Array<number> = []
      yield* storage.transaction(
        Effect.gen(function* () {
          const run = ++runs
          yield* storage.afterCommit(Effect.sync(() => void hooks.push(run)))
          yield* repository.insert({ id: "a", value: run })
        })
      )
      assert.strictEqual(runs, 3)
      assert.deepStrictEqual(hooks, [3])
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ id: "a", value: 3 }])
    })
  )

  test("fails after ten refused commits, and leaves nothing", { refuse: 1, maxRefusals: 11 }, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const hooks: Array<string> = []
      let runs = 0
      const body = Effect.gen(function* () {
        runs++
        yield* storage.afterCommit(Effect.sync(() => void hooks.push("refused")))
        yield* repository.insert({ id: "a", value: 1 })
      })
      assert.strictEqual(reasonOf(yield* Effect.exit(storage.transaction(body))), "contended")
      assert.strictEqual(runs, 11)
      assert.deepStrictEqual(hooks, [])
      assert.strictEqual(yield* repository.count({}), 0)
      yield* repository.insert({ id: "b", value: 1 })
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  test("is a misuse if it reads something new in each of a hundred runs", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      let runs = 0
      const body = Effect.suspend(() => repository.get({ id: `new${runs++}` }))
      const exit = yield* Effect.exit(storage.transaction(body))
      assert.instanceOf(reasonOf(exit), TransactionMisuse)
      assert.strictEqual(runs, 100)
    })
  )

  test("does not hold up others while its data is fetched", { turns: 5 }, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const slow = yield* Effect.forkChild(storage.transaction(readThree), { startImmediately: true })
      yield* repository.insert({ id: "other", value: 1 })
      assert.isUndefined(slow.pollUnsafe())
      assert.strictEqual(yield* Fiber.join(slow), 0)
      assert.strictEqual(yield* repository.count({}), 2)
    })
  )

  test("writes nothing if its caller is interrupted while data is fetched", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const fiber = yield* Effect.forkChild(storage.transaction(readThree), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      yield* repository.count({})
      assert.strictEqual(yield* storage.transaction(repository.count({})), 0)
    })
  )

  test("counts once, however many messages are lost", { lose: 0.1, repeat: 0.3, turns: 4 }, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      yield* repository.insert({ id: "a", value: 0 })
      const increment = Effect.gen(function* () {
        const { value } = (yield* repository.get({ id: "a" }))!
        yield* repository.update({ id: "a" }, { value: value + 1 })
      })
      for (let i = 0; i < 30; i++) yield* storage.transaction(increment)
      assert.deepStrictEqual(yield* repository.get({ id: "a" }), { id: "a", value: 30 })
    })
  )

  test("fails if the store can't be reached, and the next one succeeds when it can", {}, (faults) =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      yield* repository.insert({ id: "a", value: 1 })
      faults.isCut = true
      const uses = [
        repository.get({ id: "a" }),
        storage.transaction(repository.get({ id: "b" })),
        repository.insert({ id: "b", value: 1 }),
        storage.inSteps((step) => step(repository.get({ id: "c" }))),
        storage.inSteps((step) => step(repository.insert({ id: "c", value: 1 }))),
        storage.transaction(Effect.fail("a failure that nobody can check")),
        storage.generation,
        storage.probe
      ]
      for (const use of uses)
        assert.strictEqual(reasonOf(yield* Effect.exit<unknown, unknown, never>(use)), "unavailable")
      faults.isCut = false
      assert.strictEqual(yield* storage.transaction(repository.count({})), 1)
      yield* repository.insert({ id: "b", value: 1 })
      assert.strictEqual(yield* repository.count({}), 2)
    })
  )
})

describe("A transaction in steps over a store that answers late", () => {
  test("runs a step again until it has all that it reads", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const runs: Array<string> = []
      const count = yield* storage.inSteps((step) =>
        Effect.gen(function* () {
          yield* step(repository.insert({ id: "a", value: 1 }))
          const ids = yield* Ids
          return yield* step(
            Effect.gen(function* () {
              runs.push(yield* ids.next)
              return yield* readThree
            })
          )
        })
      )
      assert.strictEqual(count, 1)
      assert.lengthOf(runs, 3)
      assert.strictEqual(new Set(runs).size, 1)
      assert.strictEqual(yield* repository.count({}), 2)
    })
  )

  test("rolls a step back before it runs again, even if it can't be interrupted", {}, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const insertAndRead = Effect.andThen(repository.insert({ id: "a", value: 1 }), repository.get({ id: "b" }))
      yield* storage.inSteps((step) => step(Effect.uninterruptible(insertAndRead)))
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ id: "a", value: 1 }])
    })
  )

  test("fails after a refused commit, since it can't run again", { refuse: 1, maxRefusals: 1 }, () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const insert = storage.inSteps((step) => step(repository.insert({ id: "a", value: 1 })))
      assert.strictEqual(reasonOf(yield* Effect.exit(insert)), "contended")
      assert.strictEqual(yield* repository.count({}), 0)
      yield* insert
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )
})
