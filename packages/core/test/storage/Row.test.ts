/** Rows as they are stored: what JSON says of them, in objects that nobody may change. */
import { assert, describe, it } from "@effect/vitest"
import { applyPatch, patchStored, stored } from "@lectern/core/storage/Row"
import { StorageError } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const table = Table.make("stored", Schema.Struct({ id: Schema.String }), { key: ["id"] })

const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -0, 1.5, -1e300, "", "é", "😀"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "2", "1", "__proto__", "constructor", "toString"), tie("value"), {
      maxKeys: 4
    }),
    fc.dictionary(fc.constantFrom("a", "b"), fc.option(tie("value"), { nil: undefined }), { maxKeys: 2 })
  )
})).value

const fields = (...names: ReadonlyArray<string>) => fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 })
const has = fields("a", "b", "constructor", "__proto__")
const changes = fields("a", "b", "constructor")

const isPlain = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return !Object.is(value, -0)
  const prototype = Array.isArray(value) ? Array.prototype : Object.prototype
  return Object.isFrozen(value) && Object.getPrototypeOf(value) === prototype && Object.values(value).every(isPlain)
}

const nested = (depth: number): object => {
  let value: unknown = 1
  for (let i = 1; i < depth; i++) value = [value]
  return { id: "a", value }
}

describe("a row as it is stored", () => {
  it("is what its text says, and nobody's to change", () =>
    fc.assert(
      fc.property(value, (value) => {
        const row = stored(table, { id: "a", value })
        assert.strictEqual(JSON.stringify(row), JSON.stringify({ id: "a", value }))
        assert.isTrue(isPlain(row))
      }),
      runs(200)
    ))

  it("has nothing of the row that was given", () => {
    const tags = ["a"]
    const row = stored(table, { id: "a", tags })
    tags.push("b")
    assert.deepStrictEqual(row, { id: "a", tags: ["a"] })
  })

  it("is the same where a patch is applied to one that is stored, and where what comes of it is stored", () =>
    fc.assert(
      fc.property(has, changes, (had, given) => {
        const before = stored(table, { ...had, id: "a" })
        const after = patchStored(table, before, given)
        assert.strictEqual(JSON.stringify(after), JSON.stringify(stored(table, applyPatch(table, before, given))))
        assert.isTrue(isPlain(after))
        for (const bad of [{ constructor: "\0" }, { constructor: Object }, { "\ud800": 1 }, { list: nested(512) }]) {
          assert.throws(() => patchStored(table, before, { ...given, ...bad } as object), StorageError)
        }
      }),
      runs(200)
    ))

  it("takes no patch of its key", () => {
    for (const write of [applyPatch, patchStored]) {
      assert.throws(() => write(table, stored(table, { id: "a" }), { id: "b" }), /"id" is part of the key/)
    }
  })

  const refused: ReadonlyArray<readonly [string, object]> = [
    ["a date", { id: "a", at: new Date(0) }],
    ["a function", { id: "a", run: () => 1 }],
    ["what a list lacks", { id: "a", list: [undefined] }],
    ["NaN", { id: "a", number: Number.NaN }],
    ["NUL", { id: "a", text: "\0" }],
    ["half a character", { id: "a", "\ud800": 1 }],
    ["what is nested too deep", nested(513)]
  ]
  for (const [name, row] of refused) {
    it(`is none with ${name}`, () => {
      assert.throws(() => stored(table, row as { readonly id: string }), StorageError)
    })
  }

  it("may be nested 512 deep", () => {
    assert.strictEqual(JSON.stringify(stored(table, nested(512))), JSON.stringify(nested(512)))
  })
})
