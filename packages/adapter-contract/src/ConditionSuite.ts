/** Suite of conditions: the rows that each kind of test selects, and their order. */
import { assert } from "@effect/vitest"
import type { Condition } from "@lectern/core/storage/Condition"
import type { Scalar } from "@lectern/core/storage/Table"
import { Effect } from "effect"
import { suite } from "./Harness.ts"
import { ids, type Item, items, type ItemTable, uniqueItems } from "./Invented.ts"

const storedItems: ReadonlyArray<Item> = [
  { id: "a", group: "g", text: "get", number: 1, flag: true, tags: ["x", "y"] },
  { id: "b", group: "g", text: "getter", number: 2, flag: false, tags: ["y"] },
  { id: "c", group: "h", text: "set", number: 10, tags: [] },
  { id: "d", group: "h", text: null, number: null, flag: null },
  { id: "e", text: "", number: 0, flag: true, tags: ["x", "x", "z"] },
  { id: "f", text: "g%t", number: -5 },
  { id: "g", text: "g_t" },
  { id: "h", text: "g*t" },
  { id: "i", text: "😀 smile" },
  { id: "j", text: "😁 grin" },
  { id: "k", text: "\uffff high" }
]

const cases: ReadonlyArray<readonly [string, Condition<ItemTable>, string]> = [
  ["{} everything", {}, "abcdefghijk"],
  ["[] nothing", [], ""],
  ["[{}] everything", [{}], "abcdefghijk"],
  ["equality", { group: "g" }, "ab"],
  ["equality of numbers", { number: 10 }, "c"],
  ["equality of booleans", { flag: true }, "ae"],
  ["false", { flag: false }, "b"],
  ["null, whether null or missing", { group: null }, "efghijk"],
  ["the empty text", { text: "" }, "e"],
  ["a number that is no boolean", { flag: 1 }, ""],
  ["a boolean that is no number", { number: true }, ""],
  ["a text that is no number", { number: "10" }, ""],
  ["minus zero as zero", { number: -0 }, "e"],
  ["both tests of a clause", { group: "g", number: 2 }, "b"],
  ["an undefined test as none", { group: "g", number: undefined } as unknown as Condition<ItemTable>, "ab"],
  ["one of", { id: { in: ["a", "c", "none"] } }, "ac"],
  ["one of none", { id: { in: [] } }, ""],
  ["one of with null", { number: { in: [null, 1] } }, "adghijk"],
  ["one of mixed types", { number: { in: [true, "1", 2] } }, "b"],
  ["one of very many", { id: { in: ["a", null, true, 3, ...Array.from({ length: 40_000 }, (_, i) => `n${i}`)] } }, "a"],
  ["a range of numbers", { number: { gte: 0, lt: 2 } }, "ae"],
  ["a range without end", { number: { gt: 1 } }, "bc"],
  ["a range without beginning, null outside", { number: { lte: 1 } }, "aef"],
  ["an empty range", { number: { gt: 3, lt: 2 } }, ""],
  ["a range of everything but null", { number: {} }, "abcef"],
  ["infinite bounds", { number: { gte: -Infinity, lte: Infinity } }, "abcef"],
  ["a bound of another type", { number: { gte: "" } }, ""],
  ["a bound of another type below", { text: { lt: 5 } }, ""],
  ["bounds of two types", { text: { gte: "", lt: 5 } }, ""],
  ["a bound that is no number", { number: { gte: Number.NaN } }, ""],
  ["a value that is no number", { number: Number.NaN }, ""],
  ["minus infinity", { number: -Infinity }, ""],
  ["one of the infinities", { number: { in: [Infinity, -Infinity, Number.NaN] } }, ""],
  ["a range of text", { text: { gte: "get", lt: "h" } }, "ab"],
  ["a range of text by code point", { text: { gt: "\uffff" } }, "ijk"],
  ["a range above the supplementary planes", { text: { gte: "😀", lt: "😁" } }, "i"],
  ["a prefix", { text: { prefix: "get" } }, "ab"],
  ["a prefix without regard to what the database takes for a pattern", { text: { prefix: "g%" } }, "f"],
  ["a prefix with an underscore", { text: { prefix: "g_" } }, "g"],
  ["a prefix with a star", { text: { prefix: "g*" } }, "h"],
  ["a prefix in its own case", { text: { prefix: "GET" } }, ""],
  ["an emoji as prefix", { text: { prefix: "😀" } }, "i"],
  ["the last character of the plane as prefix", { text: { prefix: "\uffff" } }, "k"],
  ["the last character of all as prefix", { text: { prefix: "\u{10ffff}" } }, ""],
  ["the empty prefix: all text", { text: { prefix: "" } }, "abcefghijk"],
  ["half of a pair as prefix: nothing", { text: { prefix: "\ud83d" } }, ""],
  ["half of a pair: nothing", { text: "\ud83d" }, ""],
  ["half of a pair in a range: nothing", { text: { gte: "\ud800" } }, ""],
  ["half of a pair, one of: the others", { text: { in: ["\ud83d", "get"] } }, "a"],
  ["what half of a pair is replaced by: nothing", { text: { in: ["\ufffd", "\ud800"] } }, ""],
  ["NUL: nothing", { text: { in: ["\u0000", "get\u0000"] } }, ""],
  ["a list that shares a value", { tags: { any: ["x"] } }, "ae"],
  ["a list that shares one of several", { tags: { any: ["y", "z"] } }, "abe"],
  ["a list that shares none", { tags: { any: ["none", "\ud800"] } }, ""],
  ["a list and no candidate", { tags: { any: [] } }, ""],
  ["a list and very many", { tags: { any: Array.from({ length: 40_000 }, (_, i) => (i === 7 ? "z" : `n${i}`)) } }, "e"],
  ["a list with another test", { tags: { any: ["x", "y"] }, group: "g" }, "ab"],
  ["alternatives", [{ group: "g" }, { number: 10 }], "abc"],
  ["alternatives that a row matches twice, once", [{ group: "g" }, { tags: { any: ["x"] } }, { id: "a" }], "abe"],
  ["alternatives of which one is everything", [{ id: "a" }, {}], "abcdefghijk"],
  ["very many alternatives", Array.from({ length: 3_000 }, (_, i) => ({ id: i === 2_999 ? "b" : `n${i}` })), "b"],
  ["a derived field", { size: 3 }, "acfgh"],
  ["a derived field that is null", { size: null }, "d"]
]

/** Texts that a collation or normalization would treat as equal. */
const similarTexts = [
  ["get", "Get", "GET", "get ", "get  ", " get", "get\t", "get\n", "ge\u200bt", "get\ufeff"],
  ["caf\u00e9", "cafe\u0301", "cafe", "CAF\u00c9"],
  ["\u00df", "ss", "\ufb01", "fi", "\uff41", "a", "i", "\u0131", "\u0130", "I", "\u03c3", "\u03c2"],
  ["1", "01", "1.0", "1e0", "true", "null", ""]
].flat()

/** Adjacent values, in order. */
const close = [
  [-Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER + 1, -1, 0, Number.MIN_VALUE, 0.1, 0.1 + 2 ** -56],
  [0.3, 0.1 + 0.2, 1, 1 + Number.EPSILON, 2 ** 24, 2 ** 24 + 1, 2 ** 31, 2 ** 32 + 1],
  [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, 2 ** 63, 1e300, Number.MAX_VALUE]
].flat()

export const conditionSuite = suite("conditions", (scenario) => {
  scenario("select what they say, for list, count, update and remove alike", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      for (const row of storedItems) yield* repository.insert(row)
      for (const [title, where, expected] of cases) {
        assert.strictEqual(ids(yield* repository.list({ where })).join(""), expected, title)
        assert.strictEqual(yield* repository.count(where), expected.length, title)
        const rolledBack = storage.transaction(
          Effect.gen(function* () {
            assert.strictEqual(yield* repository.update(where, { slug: "hit" }), expected.length, title)
            assert.strictEqual(ids(yield* repository.list({ where: { slug: "hit" } })).join(""), expected, title)
            assert.strictEqual(yield* repository.remove(where), expected.length, title)
            assert.strictEqual(yield* repository.count({}), storedItems.length - expected.length, title)
            return yield* Effect.fail("undone")
          })
        )
        assert.strictEqual(yield* Effect.flip(rolledBack), "undone")
      }
    })
  )

  scenario("a key that no row can have finds none", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      yield* repository.insert({ id: "\ufffd" })
      assert.isUndefined(yield* repository.get({ id: "\ud800" }))
      assert.isUndefined(yield* repository.get({ id: "\ufffd\u0000" }))
      assert.deepStrictEqual(yield* repository.getMany([{ id: "\ud800" }, { id: "\ufffd" }]), [
        undefined,
        { id: "\ufffd" }
      ])
    })
  )

  scenario("text equals itself alone: not in another case, form or width, nor with a space at its end", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      for (const text of similarTexts) yield* repository.insert({ id: text, text, tags: [text] })
      for (const text of similarTexts) {
        assert.strictEqual((yield* repository.get({ id: text }))?.text, text, JSON.stringify(text))
        for (const where of [{ id: text }, { text }, { text: { in: [text] } }, { tags: { any: [text] } }]) {
          assert.deepStrictEqual(ids(yield* repository.list({ where })), [text], JSON.stringify(where))
        }
      }
      const { repository: unique } = yield* uniqueItems
      for (const [i, slug] of similarTexts.entries()) yield* unique.insert({ id: `i${i}`, group: "g", slug, number: i })
      assert.strictEqual(yield* unique.count({}), similarTexts.length)
    })
  )

  scenario("a number equals itself alone, to the last bit", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      for (const [i, number] of close.entries()) yield* repository.insert({ id: `i${i}`, number })
      for (const [i, number] of close.entries()) {
        assert.deepStrictEqual(ids(yield* repository.list({ where: { number } })), [`i${i}`], `${number}`)
        assert.deepStrictEqual(ids(yield* repository.list({ where: { number: { in: [number] } } })), [`i${i}`])
        assert.deepStrictEqual(ids(yield* repository.list({ where: { number: { gte: number, lte: number } } })), [
          `i${i}`
        ])
      }
      const ordered = yield* repository.list({ where: {}, order: ["number"] })
      assert.deepStrictEqual(
        ordered.map(({ number }) => number),
        close
      )
    })
  )

  scenario("text orders by code point, not as UTF-16 does", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const ordered = [
        "",
        " ",
        "A",
        "Z",
        "a",
        "aa",
        "b",
        "é",
        "\ud7ff",
        "\ue000",
        "\uffff",
        "\u{10000}",
        "😀",
        "😀a",
        "\u{10ffff}"
      ]
      for (const id of ordered.toReversed()) yield* repository.insert({ id, text: id, group: "g" })
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ordered)
      assert.deepStrictEqual(ids(yield* repository.list({ where: {}, order: ["text"] })), ordered)
      const descending = yield* repository.list({ where: { group: "g" }, order: ["text"], descending: true })
      assert.deepStrictEqual(ids(descending), ordered.toReversed())
      assert.deepStrictEqual(ids(yield* repository.list({ where: { text: { gt: "\uffff" } } })), ordered.slice(11))
      for (const prefix of ordered.filter((text) => text > "é")) {
        const matching = ordered.filter((text) => text.startsWith(prefix))
        assert.deepStrictEqual(
          ids(yield* repository.list({ where: { text: { prefix } } })),
          matching,
          JSON.stringify(prefix)
        )
      }
    })
  )

  scenario("null comes first, then numbers, text, false and true", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      const ordered: ReadonlyArray<Scalar> = [null, -1e300, -5, 0, 0.5, 9, 10, "", "10", "9", false, true]
      for (const [i, value] of ordered.entries()) {
        // Keys run in the opposite direction, so that key order does not equal value order.
        yield* repository.insert({ id: `i${99 - i}`, number: value as number })
      }
      const values = (rows: ReadonlyArray<Item>): ReadonlyArray<Scalar> => rows.map(({ number }) => number ?? null)
      assert.deepStrictEqual(values(yield* repository.list({ where: {}, order: ["number"] })), ordered)
      const descending = yield* repository.list({ where: {}, order: ["number"], descending: true })
      assert.deepStrictEqual(values(descending), ordered.toReversed())
      assert.deepStrictEqual(
        values(yield* repository.list({ where: { number: { gte: 9 } }, order: ["number"] })),
        [9, 10]
      )
      assert.deepStrictEqual(values(yield* repository.list({ where: { number: { lte: "10" } }, order: ["number"] })), [
        "",
        "10"
      ])
    })
  )

  scenario("a limit takes the first of the order; zero takes none", () =>
    Effect.gen(function* () {
      const { repository } = yield* items
      for (const row of storedItems) yield* repository.insert(row)
      assert.deepStrictEqual(ids(yield* repository.list({ where: {}, limit: 2 })), ["a", "b"])
      assert.deepStrictEqual(ids(yield* repository.list({ where: {}, limit: 2, descending: true })), ["k", "j"])
      assert.deepStrictEqual(yield* repository.list({ where: {}, limit: 0 }), [])
      assert.strictEqual((yield* repository.list({ where: {}, limit: 1_000_000 })).length, storedItems.length)
    })
  )
})
