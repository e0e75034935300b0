/** Rows that one worker at a time works on. */
import { assert, describe, it } from "@effect/vitest"
import * as LeasedWork from "@lectern/core/job/LeasedWork"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { onEveryStore } from "./WorkerSteps.ts"

const Row = Schema.Struct({ id: Schema.String, ...LeasedWork.leasedFields })
type Row = typeof Row.Type
const RowTable = Table.make("leasedWork", Row, {
  key: ["id"],
  derived: { due: (row: Row) => row.lease.until },
  indexes: [["due"]]
})

const now = Timestamps.at(1_000_000)
const free: Row = { id: "a", lease: { number: 4, until: now }, attempts: 0 }
const claimed = (attempts: number): Row => ({ ...free, ...LeasedWork.claim({ ...free, attempts }, "me", now, 15_000) })

describe("Leased work", () => {
  it("counts an attempt with each claim, also if the worker of the last one was killed", () => {
    assert.deepStrictEqual(claimed(0), {
      id: "a",
      lease: { number: 5, holder: "me", until: Timestamps.at(1_015_000) },
      attempts: 1
    })
    assert.strictEqual(LeasedWork.claim(claimed(0), "other", now, 1).attempts, 2)
  })

  it("is due after a growing pause if it fails, and now if its worker shuts down or succeeds", () => {
    for (const [failed, pause] of [
      [0, 5_000],
      [1, 10_000],
      [20, 3_600_000]
    ] as const) {
      assert.deepStrictEqual(LeasedWork.fail(claimed(failed), now, "offline"), {
        lease: { number: 5, until: Timestamps.at(1_000_000 + pause) },
        failure: "offline"
      })
    }
    const lease = { number: 5, until: now }
    assert.deepStrictEqual(LeasedWork.release(claimed(2), now), { lease, attempts: 2 })
    assert.deepStrictEqual(LeasedWork.succeed(claimed(2), now), { lease, attempts: 0, failure: undefined })
  })
})

onEveryStore("The lease of a stored row", (test) => {
  const rowsOf = Effect.map(Storage, (storage) => storage.repository(RowTable))

  test(
    "is renewed for its holder only, who may not write after another claim",
    Effect.gen(function* () {
      const [storage, rows] = [yield* Storage, yield* rowsOf]
      yield* TestClock.setTime(1_010_000)
      yield* rows.insert(claimed(0))
      const access = LeasedWork.leaseAccess(storage, RowTable, { id: "a" }, { holder: "me", number: 5 })
      assert.isTrue(yield* access.renew(15_000))
      assert.strictEqual((yield* rows.get({ id: "a" }))?.lease.until, Timestamps.at(1_025_000))
      yield* access.fence!
      const taken = LeasedWork.claim(claimed(0), "other", Timestamps.at(1_030_000), 15_000)
      yield* rows.update({ id: "a" }, taken)
      assert.isFalse(yield* access.renew(15_000))
      assert.deepInclude(yield* Effect.flip(access.fence!), { _tag: "StorageError", reason: "lease-lost" })
      assert.deepStrictEqual((yield* rows.get({ id: "a" }))?.lease, taken.lease)
      yield* rows.remove({ id: "a" })
      assert.isFalse(yield* access.renew(15_000))
    })
  )

  test(
    "ends now for rows of a holder that is gone, and for nobody else's",
    Effect.gen(function* () {
      const [storage, rows] = [yield* Storage, yield* rowsOf]
      yield* TestClock.setTime(1_000_000)
      yield* rows.insert(claimed(0))
      yield* rows.insert({ ...claimed(0), id: "b", lease: { ...claimed(0).lease, holder: "other" } })
      yield* rows.insert({ ...free, id: "c", lease: { number: 1, until: Timestamps.at(9_000_000) } })
      yield* LeasedWork.takeOver(storage, RowTable, "me")
      assert.deepStrictEqual(
        (yield* rows.list({ where: {} })).map(({ lease }) => Date.parse(lease.until)),
        [1_000_000, 1_015_000, 9_000_000]
      )
    })
  )

  test(
    "ends now for a row that waits after a failure",
    Effect.gen(function* () {
      const [storage, rows] = [yield* Storage, yield* rowsOf]
      yield* TestClock.setTime(1_000_000)
      const later = { ...free, lease: { number: 1, until: Timestamps.at(9_000_000) } }
      const failed = { ...claimed(0), ...LeasedWork.fail(claimed(0), now, "offline") }
      for (const [id, row] of Object.entries({ failed, later, held: claimed(1) })) yield* rows.insert({ ...row, id })
      const retried = yield* Effect.forEach(["failed", "later", "held", "none"], (id) =>
        LeasedWork.retry(storage, RowTable, { id })
      )
      assert.deepStrictEqual(retried, [true, false, false, false])
      assert.deepStrictEqual(yield* rows.get({ id: "failed" }), {
        ...failed,
        id: "failed",
        lease: { number: 5, until: now }
      })
    })
  )
})
