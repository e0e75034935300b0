/** Rows in the cache are the rows of the file, whoever wrote them and whatever was undone. */
import { assert, describe, it } from "@effect/vitest"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Storage } from "@lectern/core/storage/Storage"
import { Context, Effect, Layer } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const table = inventTable("kept")

/** A use of the file of its own, as another process has. */
const opened = (filename: string) =>
  Effect.map(Layer.build(SqliteStorage.layer({ filename })), (context) => {
    const storage = Context.get(context, Storage)
    return { storage, rows: storage.repository(table) }
  })

const last = { where: {}, descending: true, limit: 1 } as const

/** Two hundred of them are more than is kept. */
const long = "long ".repeat(20_000)

describe("RowCache", () => {
  it.effect("follows what another process commits", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const ours = yield* opened(filename)
      const theirs = yield* opened(filename)
      assert.isUndefined(yield* ours.rows.get({ id: "a" }))
      yield* theirs.rows.insert({ id: "a", number: 1 })
      assert.deepStrictEqual(yield* ours.rows.get({ id: "a" }), { id: "a", number: 1 })
      for (let number = 2; number < 20; number++) {
        const [writer, reader] = number % 3 === 0 ? [theirs, ours] : [ours, theirs]
        yield* writer.rows.update({ id: "a" }, { number })
        assert.strictEqual((yield* reader.rows.get({ id: "a" }))?.number, number)
        assert.strictEqual((yield* reader.storage.transaction(reader.rows.get({ id: "a" })))?.number, number)
      }
      yield* theirs.rows.remove({ id: "a" })
      assert.strictEqual(yield* ours.rows.update({ id: "a" }, { number: 1 }), 0)
      assert.isUndefined(yield* ours.rows.get({ id: "a" }))
    })
  )

  it.effect("forgets what is removed, and nothing else where that names its key", () =>
    Effect.gen(function* () {
      const { rows } = yield* opened(yield* temporaryFile)
      for (const id of ["a", "b"]) yield* rows.insert({ id, number: 1 })
      const kept = yield* rows.get({ id: "b" })
      yield* rows.get({ id: "a" })
      assert.strictEqual(yield* rows.remove({ id: "a", number: 2 }), 0)
      assert.deepStrictEqual(yield* rows.get({ id: "a" }), { id: "a", number: 1 })
      assert.strictEqual(yield* rows.remove({ id: "a", number: 1 }), 1)
      assert.isUndefined(yield* rows.get({ id: "a" }))
      assert.strictEqual(yield* rows.get({ id: "b" }), kept)
      assert.strictEqual(yield* rows.remove({ number: 1 }), 1)
      assert.isUndefined(yield* rows.get({ id: "b" }))
    })
  )

  it.effect("keeps apart what is not committed, and forgets what is undone", () =>
    Effect.gen(function* () {
      const { storage, rows } = yield* opened(yield* temporaryFile)
      yield* rows.insert({ id: "a", number: 1 })
      yield* rows.get({ id: "a" })
      const changed = Effect.gen(function* () {
        yield* rows.update({ id: "a" }, { number: 2 })
        yield* rows.insert({ id: "b" })
        const undone = Effect.gen(function* () {
          yield* rows.update({ id: "a" }, { number: 3 })
          yield* rows.remove({ id: "b" })
          assert.strictEqual((yield* rows.get({ id: "a" }))?.number, 3)
          return yield* Effect.fail("undone" as const)
        })
        yield* Effect.flip(storage.transaction(undone))
        assert.strictEqual((yield* rows.get({ id: "a" }))?.number, 2)
        assert.deepStrictEqual(yield* rows.get({ id: "b" }), { id: "b" })
        yield* rows.remove({ number: 2 })
        assert.isUndefined(yield* rows.get({ id: "a" }))
      })
      yield* Effect.flip(storage.transaction(Effect.andThen(changed, Effect.fail("undone" as const))))
      assert.deepStrictEqual(yield* rows.get({ id: "a" }), { id: "a", number: 1 })
      assert.isUndefined(yield* rows.get({ id: "b" }))
      yield* storage.transaction(changed)
      assert.isUndefined(yield* rows.get({ id: "a" }))
      assert.deepStrictEqual(yield* rows.get({ id: "b" }), { id: "b" })
    })
  )

  it.effect("knows the last row, whoever added or removed it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const ours = yield* opened(filename)
      const theirs = yield* opened(filename)
      const lastId = Effect.map(ours.rows.list(last), ([row]) => row?.id)
      assert.isUndefined(yield* lastId)
      // In the order of code points the pair comes last, in that of UTF-16 it does not.
      for (const [n, id] of ["", "b", "a", "\uff5e", "\u{1f600}", "c"].entries()) {
        yield* (n % 2 === 0 ? ours : theirs).rows.insert({ id })
        assert.strictEqual(yield* lastId, ["", "b", "b", "\uff5e", "\u{1f600}", "\u{1f600}"][n])
      }
      yield* Effect.flip(
        ours.storage.transaction(Effect.andThen(ours.rows.insert({ id: "\u{1f601}" }), Effect.fail("undone" as const)))
      )
      assert.strictEqual(yield* lastId, "\u{1f600}")
      yield* ours.rows.update({ id: "\u{1f600}" }, { number: 5 })
      assert.strictEqual((yield* ours.rows.list(last))[0]?.number, 5)
      yield* ours.rows.remove({ id: "\u{1f600}" })
      assert.strictEqual(yield* lastId, "\uff5e")
      yield* ours.rows.remove({})
      assert.isUndefined(yield* lastId)
    })
  )

  it.effect("knows the last appended row, whichever process appended or removed it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [ours, theirs] = [yield* opened(filename), yield* opened(filename)]
      const append = ({ rows }: typeof ours) =>
        rows.append((lastId = "0") => ({ id: String(Number(lastId) + 1), text: lastId }))
      for (const process of [ours, ours, theirs, ours]) yield* append(process)
      yield* Effect.flip(ours.storage.transaction(Effect.andThen(append(ours), Effect.fail("undone" as const))))
      yield* append(theirs)
      yield* theirs.rows.remove({ id: "5" })
      yield* append(ours)
      assert.deepStrictEqual(
        (yield* ours.rows.list({ where: {} })).map(({ id, text }) => `${text} ${id}`),
        ["0 1", "1 2", "2 3", "3 4", "4 5"]
      )
    })
  )

  it.effect("holds no more than it may, and hands out rows that nobody changes", () =>
    Effect.gen(function* () {
      const { storage, rows } = yield* opened(yield* temporaryFile)
      const ids = Array.from({ length: 200 }, (_, n) => `row-${n}`)
      yield* storage.transaction(
        Effect.forEach(ids, (id) => rows.insert({ id, text: long, tags: ["x"] }), { discard: true })
      )
      for (const id of ids) assert.strictEqual((yield* rows.get({ id }))?.text, long)
      const row = yield* rows.get({ id: "row-0" })
      assert.isTrue(Object.isFrozen(row) && Object.isFrozen(row?.tags))
      yield* rows.update({ id: "row-0" }, { text: "short" })
      assert.strictEqual((yield* rows.get({ id: "row-0" }))?.text, "short")
    })
  )
})
