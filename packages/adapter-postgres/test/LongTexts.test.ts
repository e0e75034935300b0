/** Long texts, which indexes hold in part, are selected and ordered as in memory. */
import { assert, it } from "@effect/vitest"
import { inventTable, inventUniqueTable, type Item, ids } from "@lectern/adapter-contract/Invented"
import type { Condition } from "@lectern/core/storage/Condition"
import { indexed, matcher, selected } from "@lectern/core/storage/RowQuery"
import { orderValues, type Query, Storage, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { Effect } from "effect"
import { layer, useServer } from "./OpenedStore.ts"

useServer()

const long = "é".repeat(2_000)
const texts = [
  "",
  "é",
  long,
  `${long}a`,
  `${long}b`,
  `${long}bb`,
  `${"é".repeat(1_999)}z`,
  `b${long}`,
  `b${long}1`,
  "z"
]

it.effect("lists, pages and counts of long texts with equal beginnings", () =>
  Effect.gen(function* () {
    const table = inventTable()
    const repository = (yield* Storage).repository(table)
    const rows: ReadonlyArray<Item> = texts.map((text, i) => ({ id: `i${i}`, group: "g", text, tags: [text] }))
    for (const row of rows) yield* repository.insert(row)
    const indexedRows = rows.map((row) => indexed(table, row))
    const expected = (query: Query<typeof table>) =>
      selected(table, indexedRows.filter(matcher(table, query.where as Condition<Table>)), query as Query<Table>).map(
        ({ row }) => (row as Item).id
      )
    const conditions: ReadonlyArray<Condition<typeof table>> = [
      {},
      { group: "g" },
      ...texts.flatMap((text): ReadonlyArray<Condition<typeof table>> => [
        { text },
        { text: { in: [text, "z"] } },
        { text: { prefix: text } },
        { text: { gt: text } },
        { text: { lte: text } },
        { tags: { any: [text] } }
      ])
    ]
    for (const where of conditions) {
      assert.strictEqual(yield* repository.count(where), expected({ where }).length)
      for (const descending of [false, true]) {
        const query = { where, order: ["text"], descending, limit: 3 } as const
        const page = yield* repository.list(query)
        assert.deepStrictEqual(ids(page), expected(query))
        const last = page.at(-1)
        if (last === undefined) continue
        const next = { ...query, after: orderValues(table, query, last) }
        assert.deepStrictEqual(ids(yield* repository.list(next)), expected(next))
      }
    }
  }).pipe(Effect.provide(layer()))
)

it.effect("long texts conflict with themselves only", () =>
  Effect.gen(function* () {
    const repository = (yield* Storage).repository(inventUniqueTable())
    for (const [i, slug] of texts.entries())
      yield* repository.insert({ id: `${long}${i}`, group: "g", slug, number: i })
    for (const [i, slug] of texts.entries()) {
      const error = yield* Effect.flip(repository.insert({ id: "new", group: "g", slug, number: -1 }))
      assert.instanceOf(error, UniqueConflict)
      assert.strictEqual((yield* repository.get({ id: `${long}${i}` }))?.slug, slug)
    }
    const error = yield* Effect.flip(repository.insert({ id: `${long}0`, group: "g", slug: "new", number: -1 }))
    assert.instanceOf(error, UniqueConflict)
  }).pipe(Effect.provide(layer()))
)
