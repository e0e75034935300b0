/** Suite of random rows and conditions, compared with the simplest possible table. */
import { assert } from "@effect/vitest"
import type { Condition } from "@lectern/core/storage/Condition"
import { Effect, Schema } from "effect"
import { suite } from "./Harness.ts"
import { type Item, items, type ItemTable } from "./Invented.ts"
import { matches, type NaiveClause, sorted } from "./NaiveTable.ts"

/** Texts that are similar, so that tests match some rows and not others. */
const text = Schema.Literals(["", "a", "ab", "abc", "b", "%", "a%", "\ue000", "\uffff", "😀", "😀a", "\u{10ffff}"])
const number = Schema.Literals([-1e10, -1, -0.5, 0, 1, 2, 2.5, 1e10])
const tag = Schema.Literals(["", "x", "y", "z", "😀"])
const tags = Schema.Array(tag).check(Schema.isMaxLength(3))
const scalar = Schema.Union([text, number, Schema.Boolean, Schema.Null])
const bound = Schema.Union([text, number])

const Row = Schema.Struct({
  group: Schema.optionalKey(Schema.NullOr(text)),
  text: Schema.optionalKey(Schema.NullOr(text)),
  number: Schema.optionalKey(Schema.NullOr(number)),
  flag: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  tags: Schema.optionalKey(tags)
})

const test = Schema.Union([
  scalar,
  Schema.Struct({ in: Schema.Array(scalar).check(Schema.isMaxLength(5)) }),
  Schema.Struct({ prefix: text }),
  Schema.Struct({ gte: Schema.optionalKey(bound), lt: Schema.optionalKey(bound) }),
  Schema.Struct({ gt: Schema.optionalKey(bound), lte: Schema.optionalKey(bound) })
])

const Clause = Schema.Struct({
  group: Schema.optionalKey(test),
  text: Schema.optionalKey(test),
  number: Schema.optionalKey(test),
  flag: Schema.optionalKey(test),
  size: Schema.optionalKey(test),
  tags: Schema.optionalKey(Schema.Struct({ any: tags }))
})

const Where = Schema.Array(Clause).check(Schema.isMaxLength(3))

const Step = Schema.Union([
  Schema.Struct({ step: Schema.Literal("update"), where: Where, patch: Row }),
  Schema.Struct({ step: Schema.Literal("remove"), where: Where }),
  Schema.Struct({ step: Schema.Literal("list"), where: Where, by: Schema.Literals(["number", "text", "flag"]) })
])

const Story = Schema.Struct({
  rows: Schema.Array(Row).check(Schema.isMaxLength(30)),
  steps: Schema.Array(Step).check(Schema.isMaxLength(12))
})

export const modelSuite = suite("model", (scenario) => {
  scenario.law("list, count, update and remove do what a naive table does", Story, ({ rows, steps }) =>
    Effect.gen(function* () {
      const { repository } = yield* items
      let model: ReadonlyArray<Item> = rows.map((row, i) => ({ ...row, id: `i${i}` }))
      for (const row of model) yield* repository.insert(row)
      for (const step of steps) {
        const where = step.where as Condition<ItemTable>
        const isMatch = (row: Item) => matches(row, step.where as ReadonlyArray<NaiveClause>)
        const expected = model.filter(isMatch)
        assert.strictEqual(yield* repository.count(where), expected.length)
        if (step.step === "list") {
          const listedRows = yield* repository.list({ where, order: [step.by] })
          assert.deepStrictEqual(listedRows, sorted(expected, [step.by, "id"]))
        } else if (step.step === "update") {
          assert.strictEqual(yield* repository.update(where, step.patch), expected.length)
          model = model.map((row) => (isMatch(row) ? { ...row, ...step.patch } : row))
        } else {
          assert.strictEqual(yield* repository.remove(where), expected.length)
          model = model.filter((row) => !isMatch(row))
        }
        assert.deepStrictEqual(yield* repository.list({ where: {} }), sorted(model, ["id"]))
      }
    })
  )
})
