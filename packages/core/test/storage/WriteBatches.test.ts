/** Writes that nobody waits for come in groups: all of them, in order, soon, and whatever becomes of other groups. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as WriteBatches from "@lectern/core/storage/WriteBatches"
import { cannotConflict, Storage, StorageError } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, it } from "@effect/vitest"
import { Effect, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const Row = Schema.Struct({ id: Schema.String })
const Noted = Table.make("groupedNoted", Row, { key: ["id"] })

/** Items that are rows; those that are said to be bad can't be written, nor can what is in their group. */
const noting = Effect.fnUntraced(function* (bad: ReadonlySet<string> = new Set()) {
  const storage = yield* Storage
  const noted = storage.repository(Noted)
  const groups: Array<ReadonlyArray<string>> = []
  const grouped = yield* WriteBatches.makeOf<string>("Notes could not be written", (items) => {
    groups.push(items)
    return items.some((item) => bad.has(item))
      ? Effect.fail(new StorageError({ reason: "full", message: "There is no room" }))
      : storage.transaction(Effect.forEach(items, (id) => cannotConflict(noted.insert({ id })), { discard: true }))
  })
  const written = Effect.map(noted.list({ where: {} }), (rows) => rows.map(({ id }) => id))
  return { grouped, groups, written }
})

const onMemory = <A, E>(test: Effect.Effect<A, E, Storage | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), MemoryStorage.testLayer)

const name = (i: number) => String(i).padStart(5, "0")

it.effect("is written after a moment, all that came in it at once", () =>
  onMemory(
    Effect.gen(function* () {
      const { grouped, groups, written } = yield* noting()
      for (let i = 0; i < 100; i++) yield* grouped.add(name(i))
      assert.deepStrictEqual(yield* written, [])
      yield* TestClock.adjust("200 millis")
      assert.strictEqual((yield* written).length, 100)
      assert.strictEqual(groups.length, 1)
    })
  )
)

it.effect("is pending until it is written, or could not be", () =>
  onMemory(
    Effect.gen(function* () {
      const during: Array<boolean> = []
      const grouped: WriteBatches.WriteBatches<string> = yield* WriteBatches.makeOf<string>("Notes failed", () =>
        Effect.suspend(() => {
          during.push(
            grouped.isPending((item) => item === "one"),
            grouped.isPending((item) => item === "other")
          )
          return new StorageError({ reason: "full", message: "There is no room" })
        })
      )
      const isPending = () => grouped.isPending((item) => item === "one")
      assert.isFalse(isPending())
      yield* grouped.add("one")
      assert.isTrue(isPending())
      yield* Effect.flip(grouped.flush)
      assert.deepStrictEqual(during, [true, false])
      assert.isFalse(isPending())
    })
  )
)

it.effect("is written when its scope ends, and a group that can't be written takes no other with it", () =>
  Effect.provide(
    Effect.gen(function* () {
      const written = yield* Effect.scoped(
        Effect.gen(function* () {
          const { grouped, written } = yield* noting(new Set(["bad"]))
          yield* grouped.add("before")
          yield* grouped.flush
          yield* grouped.add("bad")
          yield* TestClock.adjust("200 millis")
          yield* grouped.add("last")
          return written
        })
      )
      assert.deepStrictEqual(yield* written, ["before", "last"])
    }),
    MemoryStorage.testLayer
  )
)

it.effect("is written whole and in order, however it comes and whenever somebody wants it written", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant("flush")), {
          maxLength: 12
        }),
        (steps) =>
          Effect.runPromise(
            onMemory(
              Effect.gen(function* () {
                const { grouped, groups, written } = yield* noting()
                let added = 0
                for (const step of steps) {
                  if (step === "flush") {
                    yield* grouped.flush
                    assert.strictEqual((yield* written).length, added)
                  } else {
                    const first = added
                    added += Number(step)
                    const names = Array.from({ length: Number(step) }, (_, i) => name(first + i))
                    yield* Effect.forEach(names, (item) => grouped.add(item), { discard: true })
                  }
                }
                yield* grouped.flush
                assert.deepStrictEqual(
                  groups.flat(),
                  Array.from({ length: added }, (_, i) => name(i))
                )
                assert.isTrue(groups.every(({ length }) => length <= 250))
              })
            )
          )
      ),
      runs(20, 100)
    )
  )
)
