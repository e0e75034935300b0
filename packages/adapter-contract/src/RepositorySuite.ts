/** Suite of single operations, on tables that the adapter has not seen before. */
import { assert } from "@effect/vitest"
import { Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Effect, Exit, Schema } from "effect"
import { suite } from "./Harness.ts"
import { ids, inventName, inventTable, Item, items, uniqueItems } from "./Invented.ts"

/** Compares fields one by one, since `deepStrictEqual` compares only name and message of errors. */
const assertConflict = (error: UniqueConflict | StorageError, table: Table.Table, fields: ReadonlyArray<string>) => {
  assert.instanceOf(error, UniqueConflict)
  assert.deepStrictEqual({ table: error.table, fields: error.fields }, { table: table.name, fields })
}

const isDefect = (exit: Exit.Exit<unknown, unknown>) => Exit.isFailure(exit) && Exit.hasDies(exit)

export const repositorySuite = suite("repositories", (scenario) => {
  scenario("a table that nobody has heard of is empty, and takes rows", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      assert.isUndefined(yield* repository.get({ id: "a" }))
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [])
      assert.strictEqual(yield* repository.count({}), 0)
      assert.strictEqual(yield* repository.update({}, { text: "x" }), 0)
      assert.strictEqual(yield* repository.remove({}), 0)
      yield* repository.insert({ id: "a", text: "x" })
      assert.deepStrictEqual(yield* repository.get({ id: "a" }), { id: "a", text: "x" })
    })
  )

  scenario("tables that are first met in a transaction that is rolled back can be used afterwards", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* Effect.ignore(storage.transaction(Effect.andThen(repository.insert({ id: "a" }), Effect.fail("no"))))
      assert.strictEqual(yield* repository.count({}), 0)
      const table = inventTable()
      yield* storage.transaction(
        Effect.gen(function* () {
          const repository = storage.repository(table)
          yield* Effect.ignore(storage.transaction(Effect.andThen(repository.insert({ id: "a" }), Effect.fail("no"))))
          assert.strictEqual(yield* repository.count({}), 0)
          yield* repository.insert({ id: "b" })
          assert.strictEqual(yield* repository.count({}), 1)
        })
      )
      yield* repository.insert({ id: "a" })
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  scenario("table names that differ only in case, or are words of SQL, are tables like any other", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const name = inventName()
      const names = [name, name.toLowerCase(), name.toUpperCase(), "select", "Select", "table", "order", "index"]
      for (const name of names) yield* storage.repository(inventTable(name)).insert({ id: "a", text: name })
      for (const name of names) {
        assert.deepStrictEqual(yield* storage.repository(inventTable(name)).list({ where: {} }), [
          { id: "a", text: name }
        ])
      }
    })
  )

  scenario("field names that differ only in case, or are words of SQL, are fields like any other", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({
        group: Schema.String,
        Group: Schema.String,
        where: Schema.String,
        rid: Schema.String
      })
      const table = Table.make(inventName(), Row, {
        key: ["where"],
        indexes: [["group", "Group"], ["rid"]],
        lists: { select: (row: typeof Row.Type) => [row.group] }
      })
      const repository = (yield* Storage).repository(table)
      yield* repository.insert({ group: "a", Group: "b", where: "c", rid: "d" })
      assert.strictEqual(yield* repository.count({ group: "a", Group: "b", where: "c", rid: "d" }), 1)
      assert.strictEqual(yield* repository.count({ group: "b" }), 0)
      assert.strictEqual(yield* repository.count({ select: { any: ["a"] } }), 1)
    })
  )

  scenario("a key of several fields is one key", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({ space: Schema.String, page: Schema.String })
      const table = Table.make(inventName(), Row, { key: ["space", "page"] })
      const repository = (yield* Storage).repository(table)
      yield* repository.insert({ space: "a", page: "b" })
      yield* repository.insert({ space: "a", page: "c" })
      yield* repository.insert({ space: "ab", page: "" })
      const conflict = yield* Effect.flip(repository.insert({ space: "a", page: "b" }))
      assertConflict(conflict, table, ["space", "page"])
      assert.deepStrictEqual(yield* repository.get({ space: "a", page: "c" }), { space: "a", page: "c" })
      assert.isUndefined(yield* repository.get({ space: "a", page: "d" }))
      assert.strictEqual(yield* repository.count({ space: "a" }), 2)
    })
  )

  scenario("keys of several fields are told apart, whatever stands between their texts", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({ space: Schema.String, page: Schema.String })
      const table = Table.make(inventName(), Row, { key: ["space", "page"] })
      const repository = (yield* Storage).repository(table)
      const between = [
        "",
        " ",
        "|",
        ":",
        "/",
        ",",
        "-",
        "_",
        ".",
        "#",
        "\t",
        "\n",
        "\u0001",
        "\u001f",
        '"',
        "\\",
        '","',
        "😀"
      ]
      const rows = between.flatMap((text) => [
        { space: "a", page: `b${text}c` },
        { space: `a${text}b`, page: "c" }
      ])
      for (const row of rows) yield* repository.insert(row)
      assert.strictEqual(yield* repository.count({}), rows.length)
      assert.deepStrictEqual(yield* repository.getMany(rows), rows)
      assert.strictEqual(yield* repository.remove({ space: "a", page: "b|c" }), 1)
      assert.deepStrictEqual(yield* repository.get({ space: "a|b", page: "c" }), { space: "a|b", page: "c" })
    })
  )

  scenario("getMany answers in the order of the keys, with gaps and twice where asked twice", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a" })
      yield* repository.insert({ id: "b" })
      const foundRows = yield* repository.getMany([{ id: "b" }, { id: "none" }, { id: "a" }, { id: "b" }])
      assert.deepStrictEqual(foundRows, [{ id: "b" }, undefined, { id: "a" }, { id: "b" }])
      assert.deepStrictEqual(yield* repository.getMany([]), [])
    })
  )

  scenario("unique keys take null and a missing field as equal", () =>
    Effect.gen(function* () {
      const { table, repository } = yield* uniqueItems
      yield* repository.insert({ id: "a", group: null, slug: "s", number: 1 })
      const conflict = yield* Effect.flip(repository.insert({ id: "b", slug: "s", number: 2 }))
      assertConflict(conflict, table, ["group", "slug"])
      yield* repository.insert({ id: "b", slug: "t" })
      const second = yield* Effect.flip(repository.insert({ id: "c", slug: "u", number: null }))
      assertConflict(second, table, ["number"])
      const third = yield* Effect.flip(repository.insert({ id: "b", slug: "v", number: 9 }))
      assertConflict(third, table, ["id"])
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a", "b"])
    })
  )

  scenario("a removed row conflicts no more", () =>
    Effect.gen(function* () {
      const { repository } = yield* uniqueItems
      yield* repository.insert({ id: "a", slug: "s" })
      assert.strictEqual(yield* repository.remove({ id: "a" }), 1)
      yield* repository.insert({ id: "a", slug: "s" })
      assert.strictEqual(yield* repository.count({ slug: "s" }), 1)
    })
  )

  scenario("an update that conflicts changes no row of its call", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* uniqueItems
      const rows: readonly [Item, Item, Item] = [
        { id: "a", group: "1", slug: "s", number: 1 },
        { id: "b", group: "2", slug: "s", number: 2 },
        { id: "c", group: "3", slug: "s", number: 3 }
      ]
      for (const row of rows) yield* repository.insert(row)
      const groupConflict = yield* Effect.flip(repository.update({}, { group: "4" }))
      assert.strictEqual(groupConflict._tag, "UniqueConflict")
      assert.deepStrictEqual(yield* repository.list({ where: {} }), rows)
      const updateConflict = yield* Effect.flip(
        repository.update({ id: { in: ["b", "c"] } }, { text: "changed", group: "1" })
      )
      assert.strictEqual(updateConflict._tag, "UniqueConflict")
      assert.deepStrictEqual(yield* repository.list({ where: {} }), rows)
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* repository.update({ id: "a" }, { text: "kept" })
          yield* Effect.flip(repository.update({}, { group: "4", text: "lost" }))
          assert.deepStrictEqual(yield* repository.list({ where: { id: "b" } }), [rows[1]])
        })
      )
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ ...rows[0], text: "kept" }, rows[1], rows[2]])
    })
  )

  scenario("rows of one update don't conflict with what they were", () =>
    Effect.gen(function* () {
      const table = Table.make(inventName(), Item, {
        key: ["id"],
        derived: { place: (row: Item) => (row.flag === true ? 10 - row.number! : row.number!) },
        unique: [["place"]]
      })
      const repository = (yield* Storage).repository(table)
      for (const number of [4, 5, 6]) yield* repository.insert({ id: `n${number}`, number })
      assert.strictEqual(yield* repository.update({}, { flag: true }), 3)
      assert.deepStrictEqual(ids(yield* repository.list({ where: {}, order: ["place"] })), ["n6", "n5", "n4"])
    })
  )

  scenario("a patch changes what it names, removes what it sets to undefined, and moves the row in its indexes", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a", group: "g", text: "x", number: 1, tags: ["t", "u"], body: { deep: [1] } })
      assert.strictEqual(yield* repository.update({ id: "a" }, { text: undefined, number: null, tags: ["u", "v"] }), 1)
      const row = yield* repository.get({ id: "a" })
      assert.deepStrictEqual(row, { id: "a", group: "g", number: null, tags: ["u", "v"], body: { deep: [1] } })
      assert.isFalse("text" in row!)
      assert.strictEqual(yield* repository.count({ text: null }), 1)
      assert.strictEqual(yield* repository.count({ size: null }), 1)
      assert.strictEqual(yield* repository.count({ tags: { any: ["t"] } }), 0)
      assert.strictEqual(yield* repository.count({ tags: { any: ["v"] } }), 1)
      yield* repository.update({ id: "a" }, { tags: undefined })
      assert.strictEqual(yield* repository.count({ tags: { any: ["u", "v"] } }), 0)
    })
  )

  scenario("a patch of a key field is a defect", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a" })
      assert.isTrue(isDefect(yield* Effect.exit(repository.update({ id: "a" }, { id: "b" }))))
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
    })
  )

  scenario("update and remove tell how many rows matched", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      for (const id of ["a", "b", "c"]) yield* repository.insert({ id, group: id === "c" ? "h" : "g", tags: [id] })
      assert.strictEqual(yield* repository.update({ group: "g" }, { text: "x" }), 2)
      assert.strictEqual(yield* repository.update({ group: "g", id: "c" }, { text: "y" }), 0)
      assert.strictEqual(yield* repository.remove({ tags: { any: ["a", "c"] } }), 2)
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["b"])
      assert.strictEqual(yield* repository.count({ tags: { any: ["a", "c"] } }), 0)
    })
  )

  scenario("rows that were handed in or out can't change what is stored", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const tags = ["t"]
      const row = { id: "a", text: "stored", tags, body: { list: [1] } }
      yield* repository.insert(row)
      tags.push("more")
      row.text = "changed"
      row.body.list.push(2)
      const storedRow = { id: "a", text: "stored", tags: ["t"], body: { list: [1] } }
      const tamper = (result: unknown) => {
        const writable = result as { text: string; tags: Array<string>; body: { list: Array<number> } }
        for (const change of [
          () => (writable.text = "x"),
          () => writable.tags.push("x"),
          () => writable.body.list.push(3)
        ]) {
          try {
            change()
          } catch {
            // An adapter may throw instead of returning a copy.
          }
        }
      }
      tamper(yield* repository.get({ id: "a" }))
      assert.deepStrictEqual(yield* repository.get({ id: "a" }), storedRow)
      tamper((yield* repository.list({ where: {} }))[0])
      tamper((yield* repository.getMany([{ id: "a" }]))[0])
      assert.deepStrictEqual(yield* repository.list({ where: {} }), [storedRow])
    })
  )

  scenario("appended rows follow each other in the order of commits, without those that were rolled back", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const Entry = Schema.Struct({ group: Schema.String, id: Schema.String, seen: Schema.NullOr(Schema.String) })
      const repository = storage.repository(Table.make(inventName(), Entry, { key: ["group", "id"] }))
      const append = (group: string) =>
        repository.append((last = "i0") => ({ group, id: `i${Number(last.slice(1)) + 1}`, seen: last }))
      const entries = Effect.map(repository.list({ where: {} }), (rows) =>
        rows.map(({ group, id, seen }) => `${group} ${id} ${seen}`)
      )
      yield* append("a")
      yield* storage.transaction(Effect.andThen(append("b"), append("a")))
      yield* Effect.ignore(storage.transaction(Effect.andThen(append("a"), Effect.fail("no"))))
      yield* storage.transaction(
        Effect.andThen(Effect.ignore(storage.transaction(Effect.andThen(append("b"), Effect.fail("no")))), append("b"))
      )
      assert.deepStrictEqual(yield* entries, ["a i1 i0", "a i3 i2", "b i2 i1", "b i4 i3"])
      yield* repository.remove({ group: "a", id: "i1" })
      yield* repository.remove({ group: "b" })
      yield* append("b")
      assert.deepStrictEqual(yield* entries, ["a i3 i2", "b i4 i3"])
      yield* Effect.forEach(["c", "d", "e"], append, { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* entries).slice(2), ["c i5 i4", "d i6 i5", "e i7 i6"])
    })
  )

  scenario("ten thousand rows are counted, listed, updated and removed", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const total = 10_000
      yield* storage.transaction(
        Effect.gen(function* () {
          for (let i = 0; i < total; i++) {
            yield* repository.insert({ id: `i${String(i).padStart(5, "0")}`, number: i % 100, group: "g" })
          }
        })
      )
      assert.strictEqual(yield* repository.count({}), total)
      assert.strictEqual(yield* repository.count({ number: 7 }), 100)
      const lastRows = yield* repository.list({ where: { group: "g" }, order: ["number"], descending: true, limit: 3 })
      assert.deepStrictEqual(ids(lastRows), ["i09999", "i09899", "i09799"])
      const manyIds = Array.from({ length: 3_000 }, (_, i) => `i${String(i * 2).padStart(5, "0")}`)
      assert.strictEqual(yield* repository.count({ id: { in: manyIds } }), 3_000)
      assert.strictEqual(yield* repository.update({ number: { lt: 50 } }, { text: "low" }), total / 2)
      assert.strictEqual(yield* repository.remove({ text: "low" }), total / 2)
      assert.strictEqual(yield* repository.count({}), total / 2)
    })
  )

  scenario("a table is used by another description of it after the first", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const name = inventName()
      const first = storage.repository(Table.make(name, Item, { key: ["id"] }))
      yield* first.insert({ id: "a", group: "g", tags: ["t"] })
      yield* first.insert({ id: "b", group: "h" })
      const second = storage.repository(inventTable(name))
      assert.deepStrictEqual(ids(yield* second.list({ where: { group: "g", tags: { any: ["t"] } } })), ["a"])
      const exit = yield* Effect.exit(
        storage.transaction(Effect.andThen(second.insert({ id: "c" }), Effect.fail("no")))
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(ids(yield* second.list({ where: {} })), ["a", "b"])
    })
  )

  scenario("another description of a table may differ in a list, an index or what is unique alone", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const name = inventName()
      const key = ["id"] as const
      const lists = { tags: (row: Item) => row.tags ?? [] }
      const first = storage.repository(Table.make(name, Item, { key, indexes: [["group", "number"]] }))
      yield* first.insert({ id: "a", group: "g", number: 1, tags: ["t"] })
      yield* first.insert({ id: "b", group: "h", number: 2 })
      const listRepository = storage.repository(Table.make(name, Item, { key, indexes: [["group", "number"]], lists }))
      assert.deepStrictEqual(ids(yield* listRepository.list({ where: { tags: { any: ["t"] } } })), ["a"])
      yield* listRepository.insert({ id: "c", group: "i", number: 3, tags: ["t"] })
      const unique = storage.repository(
        Table.make(name, Item, { key, indexes: [["group", "number"]], unique: [["group", "number"]], lists })
      )
      const conflict = yield* Effect.flip(unique.insert({ id: "d", group: "g", number: 1 }))
      assert.deepStrictEqual(conflict, new UniqueConflict({ table: name, fields: ["group", "number"] }))
      assert.deepStrictEqual(ids(yield* unique.list({ where: { tags: { any: ["t"] } } })), ["a", "c"])
      const indexed = storage.repository(Table.make(name, Item, { key, indexes: [["group"], ["number"]], lists }))
      yield* indexed.insert({ id: "d", group: "g", number: 1, tags: ["t"] })
      assert.deepStrictEqual(ids(yield* indexed.list({ where: { number: 1, tags: { any: ["t"] } } })), ["a", "d"])
    })
  )

  scenario("a query by a field that can't be queried is a defect", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a" })
      const invalidCondition = { body: "x" } as unknown as { readonly id: string }
      for (const use of [
        repository.count(invalidCondition),
        repository.list({ where: invalidCondition }),
        repository.remove(invalidCondition)
      ]) {
        const exit: Exit.Exit<unknown, StorageError> = yield* Effect.exit<unknown, StorageError, never>(use)
        assert.isTrue(isDefect(exit))
      }
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )
})
