/** Suite of keyset paging: each row that stays is returned once and in order while other rows come and go. */
import { assert } from "@effect/vitest"
import { orderValues, type Query } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import { suite } from "./Harness.ts"
import { ids, type Item, items, type ItemTable } from "./Invented.ts"
import { sorted } from "./NaiveTable.ts"

/** Few distinct values, so that most rows tie in the fields of the order. */
const Row = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[a-e]{1,3}$/)),
  group: Schema.NullOr(Schema.Literals(["g", "h", "😀", "\uffff"])),
  number: Schema.NullOr(Schema.Literals([-1, 0, 0.5, 2])),
  text: Schema.NullOr(Schema.Literals(["", "a", "b"]))
})

const Walk = Schema.Struct({
  stay: Schema.Array(Row).check(Schema.isMaxLength(40)),
  others: Schema.Array(Row).check(Schema.isMaxLength(40)),
  order: Schema.Literals(["none", "number", "group number", "group text"]),
  descending: Schema.Boolean,
  limit: Schema.Literals([1, 2, 3, 7])
})

const unique = (rows: ReadonlyArray<Item>) => [...new Map(rows.map((row) => [row.id, row])).values()]

const orders: Record<(typeof Walk.Type)["order"], NonNullable<Query<ItemTable>["order"]> | undefined> = {
  none: undefined,
  number: ["number"],
  "group number": ["group", "number"],
  "group text": ["group", "text"]
}

export const pagingSuite = suite("paging", (scenario) => {
  scenario("goes on behind a row that has been removed", () =>
    Effect.gen(function* () {
      const { table, repository } = yield* items
      for (const id of ["a", "b", "c", "d"]) yield* repository.insert({ id, group: "g", text: "same" })
      const query: Query<ItemTable> = { where: { group: "g" }, order: ["text"], limit: 2 }
      const first = yield* repository.list(query)
      const after = orderValues(table, query, first[1]!)
      assert.deepStrictEqual(after, ["same", "b"])
      yield* repository.remove({ id: "b" })
      assert.deepStrictEqual(ids(yield* repository.list({ ...query, after })), ["c", "d"])
    })
  )

  scenario("a place that no row can have has nothing behind it", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a", text: "x" })
      assert.deepStrictEqual(yield* repository.list({ where: {}, after: ["\ud800"] }), [])
      assert.deepStrictEqual(yield* repository.list({ where: {}, order: ["text"], after: ["\udfff", "a"] }), [])
    })
  )

  scenario.law("shows each row that stays once and in order, while others come and go", Walk, (walk) =>
    Effect.gen(function* () {
      const { table, repository } = yield* items
      const stayingRows = unique(walk.stay).map((row) => ({ ...row, id: `${row.id}!`, flag: true }))
      const otherRows = unique(walk.others).map((row) => ({ ...row, flag: false }))
      for (const row of stayingRows) yield* repository.insert(row)
      for (const row of otherRows.slice(0, otherRows.length / 2)) yield* repository.insert(row)
      const addedRows = otherRows.slice(otherRows.length / 2)
      const removedRows = otherRows.slice(0, otherRows.length / 2)
      const order = orders[walk.order]
      const query: Query<ItemTable> = {
        where: [{ flag: true }, { flag: false }],
        ...(order === undefined ? {} : { order }),
        descending: walk.descending,
        limit: walk.limit
      }
      const listedRows: Array<Item> = []
      let page = yield* repository.list(query)
      while (page.length > 0) {
        listedRows.push(...page)
        const next = addedRows.pop()
        if (next !== undefined) yield* repository.insert(next)
        const removed = removedRows.pop()
        if (removed !== undefined) yield* repository.remove({ id: removed.id })
        page = yield* repository.list({ ...query, after: orderValues(table, query, page.at(-1)!) })
      }
      assert.strictEqual(new Set(ids(listedRows)).size, listedRows.length)
      assert.deepStrictEqual(listedRows, sorted(listedRows, [...(order ?? []), "id"], walk.descending))
      assert.deepStrictEqual(
        listedRows.filter(({ flag }) => flag),
        sorted(stayingRows, [...(order ?? []), "id"], walk.descending)
      )
    })
  )
})
