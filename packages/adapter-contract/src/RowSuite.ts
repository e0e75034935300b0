/** Suite of rows: any JSON is returned as stored. Text must be well-formed and without NUL. */
import { assert } from "@effect/vitest"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect, type Schema } from "effect"
import { suite } from "./Harness.ts"
import { type Item, items } from "./Invented.ts"

const nested = (depth: number): Schema.Json => {
  let value: Schema.Json = []
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

const invalidRows: ReadonlyArray<readonly [string, unknown]> = [
  ["half of a pair in a queryable field", { id: "a", text: "\ud800" }],
  ["half of a pair in the key", { id: "\udc00" }],
  ["half of a pair in a list field", { id: "a", tags: ["ok", "x\ud83d"] }],
  ["half of a pair deep inside", { id: "a", body: { list: [{ deep: "\udfff" }] } }],
  ["half of a pair in the key of an object", { id: "a", body: { "\ud800": 1 } }],
  ["NUL in a queryable field", { id: "a", text: "a\u0000b" }],
  ["NUL deep inside", { id: "a", body: [["\u0000"]] }],
  ["NaN", { id: "a", number: Number.NaN }],
  ["infinity", { id: "a", number: -Infinity }],
  ["infinity deep inside", { id: "a", body: [Infinity] }],
  ["undefined in a list", { id: "a", body: [undefined] }],
  ["a date", { id: "a", body: new Date(0) }],
  ["a function", { id: "a", body: () => 1 }],
  ["a big integer", { id: "a", number: 1n }],
  ["a key that is no text", { id: 1 }],
  ["hostile depth", { id: "a", body: nested(20_000) }]
]

export const rowSuite = suite("rows", (scenario) => {
  scenario("come back as they were stored", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const rows: ReadonlyArray<Item> = [
        { id: "a" },
        { id: "b", group: null, text: null, number: null, flag: null, tags: [] },
        { id: "c", text: "", number: 0, flag: false },
        { id: "d", number: -1.5e300, flag: true, text: "0" },
        { id: "e", number: Number.MAX_SAFE_INTEGER, text: "null" },
        { id: "f", text: "😀 é e\u0301 \u{10ffff} \uffff \u2028 \"'\\ % _ * \u007f\u0001", tags: ["", "😀", "'; --"] },
        { id: "g", body: { "": null, __proto__x: [true, false, null, 1, "x", { y: [] }], constructor: "z" } },
        { id: "", text: "the empty key" },
        { id: "h", body: nested(200) }
      ]
      for (const row of rows) yield* repository.insert(row)
      for (const row of rows) assert.deepStrictEqual(yield* repository.get({ id: row.id }), row)
      assert.isFalse("text" in (yield* repository.get({ id: "a" }))!)
    })
  )

  scenario("take a property whose value is undefined as a missing one", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "a", text: undefined } as unknown as Item)
      assert.isFalse("text" in (yield* repository.get({ id: "a" }))!)
      assert.strictEqual(yield* repository.count({ text: null }), 1)
    })
  )

  scenario("hold a text of a megabyte, which can be found and ordered by", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const text = "long 😀 ".repeat(125_000)
      yield* repository.insert({ id: "a", text: `${text}b`, body: text })
      yield* repository.insert({ id: "b", text: `${text}a` })
      assert.deepStrictEqual(yield* repository.get({ id: "a" }), { id: "a", text: `${text}b`, body: text })
      assert.strictEqual(yield* repository.count({ text: `${text}a` }), 1)
      assert.strictEqual(yield* repository.count({ text: { prefix: text } }), 2)
      const ordered = yield* repository.list({ where: {}, order: ["text"] })
      assert.deepStrictEqual(
        ordered.map(({ id }) => id),
        ["b", "a"]
      )
    })
  )

  for (const [title, row] of invalidRows) {
    scenario(`are refused with ${title}, when they are inserted and when they are patched`, () =>
      Effect.gen(function* () {
        const { repository } = yield* items
        const error = yield* Effect.flip(repository.insert(row as Item))
        assert.instanceOf(error, StorageError)
        assert.strictEqual(error._tag === "StorageError" ? error.reason : "", "invalid-row")
        const { id, ...patch } = row as Item
        if (id === "a") {
          yield* repository.insert({ id: "a", text: "before" })
          const error = yield* Effect.flip(repository.update({ id: "a" }, patch))
          assert.strictEqual(error._tag === "StorageError" ? error.reason : "", "invalid-row")
          assert.deepStrictEqual(yield* repository.list({ where: {} }), [{ id: "a", text: "before" }])
        } else assert.strictEqual(yield* repository.count({}), 0)
      })
    )
  }
})
