/** Bodies that run twice, as over a store that answers later: what they may rely on, and what they must not do. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Ids } from "@lectern/core/identity/Ids"
import { Storage, TransactionMisuse } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Layer, Schema } from "effect"

const ThingRow = Schema.Struct({ id: Schema.String, value: Schema.String })
const ThingTable = Table.make("rerunThing", ThingRow, { key: ["id"] })

const test = <A, E>(title: string, body: Effect.Effect<A, E, Storage | Ids>) =>
  it.live(title, () => Effect.provide(body, Layer.fresh(Layer.merge(MemoryStorage.testLayer, Ids.layer))))

const things = Effect.map(Storage, (storage) => storage.repository(ThingTable))

describe("A body that runs again", () => {
  test(
    "takes the same ids, secrets and times in each run",
    Effect.gen(function* () {
      const ids = yield* Ids
      const runs: Array<unknown> = []
      const body = Effect.gen(function* () {
        const time = yield* Clock.currentTimeMillis
        runs.push([yield* ids.next, yield* ids.nextAfter("B"), yield* ids.secret, yield* ids.nonce, ids.key(), time])
      })
      yield* (yield* Storage).transaction(body)
      assert.lengthOf(runs, 2)
      assert.deepStrictEqual(runs[0], runs[1])
      yield* (yield* Storage).transaction(body)
      assert.notDeepEqual(runs[2], runs[1])
    })
  )

  test(
    "takes new ids after its transaction",
    Effect.gen(function* () {
      const ids = yield* Ids
      const inside = yield* (yield* Storage).transaction(ids.next)
      assert.notStrictEqual(yield* ids.next, inside)
    })
  )

  test(
    "writes once, and runs the hooks of its last run",
    Effect.gen(function* () {
      const storage = yield* Storage
      const repository = yield* things
      const hooks: Array<number> = []
      let run = 0
      yield* storage.transaction(
        Effect.gen(function* () {
          const current = ++run
          yield* storage.afterCommit(Effect.sync(() => void hooks.push(current)))
          yield* repository.insert({ id: "a", value: "1" })
        })
      )
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ id: "a", value: "1" }])
      assert.deepStrictEqual(hooks, [2])
    })
  )

  test(
    "returns the failure of its last run, and leaves nothing of it",
    Effect.gen(function* () {
      const repository = yield* things
      const failing = Effect.andThen(repository.insert({ id: "a", value: "1" }), Effect.fail("refused"))
      assert.strictEqual(yield* Effect.flip((yield* Storage).transaction(failing)), "refused")
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [])
    })
  )

  const misuses = {
    "writes other rows": (run: number) => ({ id: "a", value: `${run}` }),
    "writes to another key": (run: number) => ({ id: `${run}`, value: "" })
  }
  for (const [title, row] of Object.entries(misuses)) {
    test(
      `is a misuse of transactions if it ${title}`,
      Effect.gen(function* () {
        const repository = yield* things
        let run = 0
        const body = Effect.suspend(() => repository.insert(row(run++)))
        const exit = yield* Effect.exit((yield* Storage).transaction(body))
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof TransactionMisuse)
        assert.deepStrictEqual(yield* repository.list({ where: {} }), [])
      })
    )
  }

  test(
    "is a misuse of transactions if it fails in one run alone",
    Effect.gen(function* () {
      let run = 0
      const body = Effect.suspend(() => (run++ === 0 ? Effect.fail("first") : Effect.void))
      const exit = yield* Effect.exit((yield* Storage).transaction(body))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof TransactionMisuse)
    })
  )
})
