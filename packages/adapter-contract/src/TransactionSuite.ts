/** Suite of transactions: durable writes after a commit, and rollback after a failure. */
import { assert } from "@effect/vitest"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect, Exit } from "effect"
import { suite } from "./Harness.ts"
import { ids, items, uniqueItems } from "./Invented.ts"

export const transactionSuite = suite("transactions", (scenario) => {
  scenario("keeps the writes of a body that succeeds", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const result = yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "a" })
          yield* repository.insert({ id: "b" })
          yield* repository.remove({ id: "b" })
          return "answer"
        })
      )
      assert.strictEqual(result, "answer")
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
    })
  )

  for (const [ending, end] of [
    ["fails", Effect.fail("broken")],
    ["dies", Effect.die("broken")],
    ["is interrupted", Effect.interrupt]
  ] as const) {
    scenario(`gives up the writes of a body that ${ending}, and answers how it ended`, () =>
      Effect.gen(function* () {
        const { repository, storage } = yield* items
        yield* repository.insert({ id: "a", text: "before" })
        const exit = yield* Effect.exit(
          storage.transaction(
            Effect.gen(function* () {
              yield* repository.insert({ id: "b" })
              yield* repository.update({ id: "a" }, { text: "after" })
              return yield* end
            })
          )
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(Exit.hasFails(exit), ending === "fails")
        assert.strictEqual(Exit.hasDies(exit), ending === "dies")
        assert.strictEqual(Exit.hasInterrupts(exit), ending === "is interrupted")
        assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ id: "a", text: "before" }])
      })
    )
  }

  scenario("runs all of several effects in order, and ends with the first failure", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const found: Effect.Effect<ReadonlyArray<string>, StorageError> = Effect.map(repository.list({ where: {} }), ids)
      const body = storage.all([repository.insert({ id: "a" }), found, repository.insert({ id: "b" }), found])
      assert.deepStrictEqual(yield* storage.transaction(body), [undefined, ["a"], undefined, ["a", "b"]])
      assert.deepStrictEqual(yield* storage.all([found, repository.count({})]), [["a", "b"], 2])
      assert.deepStrictEqual(yield* storage.all([]), [])
      for (const run of [storage.transaction, <A, E, R>(effect: Effect.Effect<A, E, R>) => effect]) {
        const failing = storage.all([found, Effect.fail("first"), Effect.fail("second")])
        assert.strictEqual(yield* Effect.flip(run(failing)), "first")
      }
      const undone = storage.all([repository.insert({ id: "c" }), Effect.fail("broken")])
      yield* Effect.flip(storage.transaction(undone))
      assert.deepStrictEqual(yield* found, ["a", "b"])
    })
  )

  scenario("sees its own writes", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "a", group: "g", tags: ["t"] })
          assert.deepStrictEqual(yield* repository.get({ id: "a" }), { id: "a", group: "g", tags: ["t"] })
          assert.strictEqual(yield* repository.count({ group: "g" }), 1)
          assert.strictEqual(yield* repository.count({ tags: { any: ["t"] } }), 1)
          yield* repository.update({ id: "a" }, { group: "h" })
          assert.strictEqual(yield* repository.count({ group: "g" }), 0)
        })
      )
    })
  )

  scenario("rolls an inner one back alone", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "before" })
          const inner = repository.insert({ id: "inner" }).pipe(Effect.andThen(Effect.fail("inner")))
          assert.strictEqual(yield* Effect.flip(storage.transaction(inner)), "inner")
          assert.isUndefined(yield* repository.get({ id: "inner" }))
          yield* storage.transaction(repository.insert({ id: "second" }))
          yield* repository.insert({ id: "after" })
        })
      )
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["after", "before", "second"])
    })
  )

  scenario("rolls an inner one back that dies, and goes on when that is caught", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* storage.transaction(
        Effect.gen(function* () {
          const inner = repository.insert({ id: "inner" }).pipe(Effect.andThen(Effect.die("inner")))
          yield* Effect.exit(storage.transaction(inner))
          yield* repository.insert({ id: "outer" })
        })
      )
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["outer"])
    })
  )

  scenario("gives up an inner one that succeeded with the outer one that fails", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const outer = storage.transaction(repository.insert({ id: "inner" })).pipe(Effect.andThen(Effect.fail("outer")))
      yield* Effect.flip(storage.transaction(outer))
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [])
    })
  )

  scenario("nests a hundred deep", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      let body: Effect.Effect<void, unknown> = Effect.void
      for (let depth = 0; depth < 100; depth++) {
        const inner = body
        const insert = repository.insert({ id: `d${depth}` })
        body = storage.transaction(
          insert.pipe(Effect.andThen(inner), Effect.tap(depth === 50 ? Effect.fail("half") : Effect.void))
        )
        if (depth === 50) body = Effect.ignore(body)
      }
      yield* body
      assert.strictEqual(yield* repository.count({}), 49)
    })
  )

  scenario("fails with StorageError where the commit fails, keeps nothing, and goes on", (store) =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const runLog: Array<string> = []
      yield* repository.insert({ id: "a" })
      store.failNextCommit()
      const error = yield* Effect.flip(
        storage.transaction(
          Effect.gen(function* () {
            yield* repository.insert({ id: "b" })
            yield* storage.afterCommit(Effect.sync(() => void runLog.push("b")))
          })
        )
      )
      assert.instanceOf(error, StorageError)
      assert.deepStrictEqual(runLog, [])
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
      yield* storage.transaction(repository.insert({ id: "b" }))
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "b"])
    })
  )

  scenario("fails a write outside a transaction where the commit fails", (store) =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a" })
      store.failNextCommit()
      assert.instanceOf(yield* Effect.flip(repository.insert({ id: "b" })), StorageError)
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
      yield* repository.insert({ id: "c" })
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "c"])
    })
  )

  scenario("goes on after a conflict that its body catches", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* uniqueItems
      yield* repository.insert({ id: "a", group: "g", slug: "s", number: 1 })
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "b", group: "g", slug: "t", number: 2 })
          const conflict = yield* Effect.flip(repository.insert({ id: "c", group: "g", slug: "s", number: 3 }))
          assert.strictEqual(conflict._tag, "UniqueConflict")
          yield* repository.insert({ id: "c", group: "g", slug: "u", number: 3 })
        })
      )
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "b", "c"])
    })
  )

  scenario("can't be committed once the store has failed in it, whoever catches that", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const exit = yield* Effect.exit(
        storage.transaction(
          Effect.gen(function* () {
            yield* repository.insert({ id: "a" })
            yield* Effect.ignore(repository.insert({ id: "b", text: "\ud800" }))
          })
        )
      )
      assert.isTrue(
        Exit.isFailure(exit) &&
          exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error instanceof StorageError)
      )
      assert.strictEqual(yield* repository.count({}), 0)
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.insert({ id: "outer" })
          yield* Effect.ignore(storage.transaction(repository.insert({ id: "inner", text: "\ud800" })))
        })
      )
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["outer"])
    })
  )

  scenario("runs the body in the context of its caller", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const names = new Set<string>()
      const body = Effect.gen(function* () {
        const span = yield* Effect.currentParentSpan
        names.add(span._tag === "Span" ? span.name : "")
        yield* repository.insert({ id: "a" })
      })
      yield* Effect.withSpan(storage.transaction(body), "caller")
      assert.deepStrictEqual([...names], ["caller"])
    })
  )
})
