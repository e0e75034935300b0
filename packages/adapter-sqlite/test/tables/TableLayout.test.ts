/** Tables whose descriptor has changed since they were written. */
import { assert, describe, it } from "@effect/vitest"
import {
  inventName,
  type Item,
  inventTable,
  inventUniqueTable,
  Item as ItemSchema
} from "@lectern/adapter-contract/Invented"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

describe("TableLayout", () => {
  it.effect("brings a table into the layout of a descriptor that has changed since", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const name = inventName()
      const first = Table.make(name, ItemSchema, { key: ["id"], indexes: [["group"]], lists: { old: () => ["o"] } })
      const rows: ReadonlyArray<Item> = Array.from({ length: 1_200 }, (_, i) => ({
        id: `i${i}`,
        group: "g",
        slug: `s${i}`,
        number: i,
        tags: [`t${i % 3}`]
      }))
      yield* using(
        { filename },
        Effect.gen(function* () {
          const storage = yield* Storage
          const items = storage.repository(first)
          yield* storage.transaction(Effect.forEach(rows, (row) => items.insert(row), { discard: true }))
        })
      )
      const second = inventTable(name)
      yield* using(
        { filename },
        Effect.gen(function* () {
          const items = (yield* Storage).repository(second)
          assert.strictEqual(yield* items.count({ tags: { any: ["t1"] }, number: { lt: 600 } }), 200)
          assert.deepStrictEqual(yield* items.get({ id: "i7" }), rows[7])
          yield* items.insert({ id: "new", tags: ["t1"] })
          assert.strictEqual(yield* items.count({ tags: { any: ["t1"] } }), 401)
        })
      )
      // The first descriptor is that of an older program: it reads and writes the same rows.
      yield* using(
        { filename },
        Effect.gen(function* () {
          const items = (yield* Storage).repository(first)
          assert.strictEqual(yield* items.count({ old: { any: ["o"] } }), 1_201)
          yield* items.remove({ id: "new" })
        })
      )
      const db = new Database(filename, { readonly: true })
      assert.strictEqual(db.pragma("integrity_check", { simple: true }), "ok")
      assert.deepStrictEqual(db.pragma("foreign_key_check"), [])
      db.close()
    })
  )

  it.effect("says why a table can't be brought into its layout, and leaves it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const name = inventName()
      const first = Table.make(name, ItemSchema, { key: ["id"] })
      const fill = Effect.gen(function* () {
        const items = (yield* Storage).repository(first)
        yield* items.insert({ id: "a", number: 1 })
        yield* items.insert({ id: "b", number: 1 })
      })
      yield* using({ filename }, fill)
      const second = inventUniqueTable(name)
      const error = yield* Effect.flip(
        using(
          { filename },
          Effect.flatMap(Storage, (storage) => storage.repository(second).count({}))
        )
      )
      assert.include(error.message, name)
      const still = Effect.flatMap(Storage, (storage) => storage.repository(first).count({}))
      assert.strictEqual(yield* using({ filename }, still), 2)
    })
  )
})
