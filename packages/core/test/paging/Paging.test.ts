import { Paging } from "@lectern/core/paging/Paging"
import type { PageParams } from "@lectern/core/storage/PageParams"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

const NoteTable = Table.make("note", Schema.Struct({ id: Schema.String, rank: Schema.Int }), {
  key: ["id"],
  indexes: [["rank"]]
})

type Page = (params: PageParams) => ReturnType<Paging["Service"]["inOrder"]>

/** Lists of `a` to `j`, in descending order of a rank or in memory, each with a function that adds or removes an item. */
const lists = Effect.gen(function* () {
  const paging = yield* Paging
  const storage = yield* Storage
  const notes = storage.repository(NoteTable)
  let items = Array.from("abcdefghij")
  yield* storage.transaction(Effect.forEach(items, (id, i) => notes.insert({ id, rank: i * 2 })))
  const pages = {
    rows: (params: PageParams) =>
      Effect.map(paging.rows(NoteTable, "notes", { where: {}, order: ["rank"] }, params), (page) => ({
        ...page,
        items: page.items.map(({ id }) => id)
      })),
    items: (params: PageParams) => paging.items(items, "items", (id) => id, params),
    inOrder: (params: PageParams) => paging.inOrder(items, "in order", (id) => id, params),
    after: (params: PageParams) =>
      paging.after(
        (place, limit) => Effect.sync(() => items.filter((id) => place === undefined || id > place).slice(0, limit)),
        "after",
        (id) => id,
        Effect.sync(() => items.length),
        params
      )
  }
  const remove = Effect.fnUntraced(function* (id: string) {
    yield* notes.remove({ id })
    items = items.filter((one) => one !== id)
  })
  return { pages: Object.entries(pages) as ReadonlyArray<[keyof typeof pages, Page]>, remove }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Paging (${name})`, () => {
    const rule = ruleOn(services)

    rule("returns all items, page by page, with their number", () =>
      Effect.gen(function* () {
        for (const [, list] of (yield* lists).pages) {
          const first = yield* list({ limit: 4 })
          const second = yield* list({ limit: 4, page: first.next!.page })
          const third = yield* list({ limit: 4, page: second.next!.page })
          assert.deepStrictEqual(
            [first, second, third].map(({ items }) => items.join("")),
            ["abcd", "efgh", "ij"]
          )
          assert.deepStrictEqual([first.count, second.count, third.count, third.next], [10, 10, 10, undefined])
          assert.deepStrictEqual(yield* list({}), { items: Array.from("abcdefghij"), count: 10 })
          assert.notProperty(yield* list({ limit: 10 }), "next")
        }
      })
    )

    rule("neither skips nor repeats items when others are removed between pages", () =>
      Effect.gen(function* () {
        const { pages, remove } = yield* lists
        const cursors = yield* Effect.forEach(pages, ([, list]) =>
          Effect.map(list({ limit: 4 }), ({ next }) => next!.page)
        )
        for (const id of ["b", "d", "e"]) yield* remove(id)
        for (const [i, [, list]] of pages.entries()) {
          const { items, count } = yield* list({ limit: 4, page: cursors[i]! })
          assert.deepStrictEqual([items.join(""), count], ["fghi", 7])
        }
      })
    )

    rule("continues after the end of the list with an empty page", () =>
      Effect.gen(function* () {
        const { pages, remove } = yield* lists
        const cursors = yield* Effect.forEach(pages, ([, list]) =>
          Effect.map(list({ limit: 8 }), ({ next }) => next!.page)
        )
        for (const id of ["i", "j"]) yield* remove(id)
        for (const [i, [, list]] of pages.entries()) {
          assert.deepStrictEqual(yield* list({ page: cursors[i]! }), { items: [], count: 8 })
        }
      })
    )

    rule("rejects cursors of other lists, edited ones and those of other instances", () =>
      Effect.gen(function* () {
        const { pages } = yield* lists
        const cursors = yield* Effect.forEach(pages, ([, list]) =>
          Effect.map(list({ limit: 4 }), ({ next }) => next!.page)
        )
        const foreign = yield* Effect.flatMap(lists, ({ pages }) =>
          Effect.forEach(pages, ([, list]) => Effect.map(list({ limit: 4 }), ({ next }) => next!.page))
        ).pipe(Effect.provide(Layer.fresh(services), { local: true }))
        for (const [i, [, list]] of pages.entries()) {
          const own = cursors[i]!
          assert.strictEqual(yield* outcome(list({ page: own })), "ok")
          const invalid = [
            ...cursors.filter((cursor) => cursor !== own),
            foreign[i]!,
            "",
            "a.b.c",
            own.slice(1),
            `${own}.`,
            own.repeat(100)
          ]
          for (const page of invalid) assert.strictEqual(yield* outcome(list({ page })), "InvalidCursor")
        }
      })
    )

    rule("returns 1 to 1,000 items, whatever the limit", () =>
      Effect.gen(function* () {
        const paging = yield* Paging
        for (const [kind, list] of (yield* lists).pages) {
          for (const [limit, length] of [
            [0, 1],
            [-1, 1],
            [2.5, 2],
            [NaN, 10]
          ] as const) {
            assert.strictEqual((yield* list({ limit })).items.length, length, `${kind} ${limit}`)
          }
        }
        const many = Array.from({ length: 2_000 }, (_, i) => `${i + 10_000}`)
        const page = yield* paging.items(many, "many", (id) => id, { limit: 5_000 })
        assert.deepStrictEqual([page.items.length, page.count], [1_000, 2_000])
      })
    )

    rule("ends a page of large rows at 4 MiB, after at least one row", () =>
      Effect.gen(function* () {
        yield* lists
        const paging = yield* Paging
        const mebibyte = 1024 * 1024
        const read = (size: number, params: PageParams) =>
          paging.rows(NoteTable, "large", { where: {} }, params, (rows) => Effect.succeed(rows.map(() => size)))
        const first = yield* read(mebibyte, {})
        assert.deepStrictEqual([first.items.length, first.count], [4, 10])
        assert.strictEqual((yield* read(mebibyte, { page: first.next!.page })).items[0]?.id, "e")
        assert.strictEqual((yield* read(5 * mebibyte, {})).items.length, 1)
        assert.strictEqual((yield* read(1, {})).items.length, 10)
      })
    )
  })
}
