/** Upgrades, as they are listed before they change anything. */
import { assert, it } from "@effect/vitest"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { inspect } from "@lectern/adapter-sqlite/tables/Upgrades"
import { Effect } from "effect"
import { insert, table, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

it.effect("names the tables whose layout has changed, with their number of rows", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    assert.isUndefined(yield* inspect(filename, [table]))
    yield* using({ filename }, Effect.andThen(insert({ id: "a" }), insert({ id: "b" })))
    const current = yield* inspect(filename, [table, inventTable("other")])
    assert.strictEqual(current?.version, current?.newest)
    assert.deepStrictEqual(current?.rebuilds, [])
    const changed = { ...table, indexes: [] }
    assert.deepStrictEqual((yield* inspect(filename, [changed]))?.rebuilds, [{ name: "item", rows: 2 }])
  })
)
