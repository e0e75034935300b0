/** Rows that are removed some at a time, while others write them. */
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { removeAll } from "@lectern/core/storage/RemoveInSlices"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { temporaryFile } from "./TemporaryFile.ts"

const NoteTable = Table.make("note", Schema.Struct({ id: Schema.String, state: Schema.String }), {
  key: ["id"],
  indexes: [["state"]]
})

it.effect("a row stays that is not to go any more by the time of its turn", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    yield* Effect.gen(function* () {
      const notes = (yield* Storage).repository(NoteTable)
      for (const id of ["one", "two"]) yield* notes.insert({ id, state: "failed" })
      // The first is written after the second has begun, and before it removes anything.
      const again = notes.update({ id: "one" }, { state: "waiting" })
      yield* Effect.all([again, removeAll(NoteTable, { state: "failed" })], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* notes.list({ where: {} }), [{ id: "one", state: "waiting" }])
    }).pipe(Effect.provide(SqliteStorage.layer({ filename }), { local: true }))
  })
)
